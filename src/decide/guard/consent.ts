import { type Instant, parseInstant } from '../../kubevirt/time.ts';

/** An approval: `true`, or an RFC 3339 time until which it holds. Anything else approves nothing. */
export function isApproved(value: string | undefined, now: Instant): boolean {
  return value === 'true' || isBefore(value, now);
}

/**
 * Whether the glass is broken: an RFC 3339 time holds until then, `false` and an empty text do not count, anything else does,
 * since nobody should have to look up a format at that moment.
 */
export function isGlassBroken(value: string | undefined, now: Instant): boolean {
  if (!value || value === 'false') return false;
  return isTime(value) ? isBefore(value, now) : true;
}

/** Whether `now` is before the time that the value tells. */
function isBefore(value: string | undefined, now: Instant): boolean {
  const until = isTime(value) ? parseInstant(value) : undefined;
  return until !== undefined && now < until;
}

/** Without this, a ticket such as `INC-1234` would be taken for a year. */
function isTime(value: string | undefined): boolean {
  return /^\d{4}-\d{2}-\d{2}T/.test(value ?? '');
}
