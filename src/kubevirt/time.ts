/** An instant: milliseconds since the epoch, possibly with a fraction. Time is always an argument; nothing in the inner rings asks a clock. */
export type Instant = number;

/**
 * Reads an RFC 3339 timestamp.
 *
 * Promise: absent, empty or malformed gives `undefined` (Kubernetes writes `null` for "not yet").
 * Fractions of a second are kept down to the microsecond.
 */
export function parseInstant(timestamp: string | undefined): Instant | undefined {
  if (!timestamp) return undefined;
  // biome-ignore lint/style/noRestrictedGlobals: parsing a given text reads no clock.
  const milliseconds = Date.parse(timestamp);
  if (Number.isNaN(milliseconds)) return undefined;
  const fraction = /\.\d{3}(\d{1,3})/.exec(timestamp)?.[1];
  return fraction === undefined ? milliseconds : milliseconds + Number(fraction) / 10 ** fraction.length;
}

/** Writes an instant as Kubernetes does (`2026-03-01T12:00:00Z`): UTC, whole seconds, rounded down. */
export function formatInstant(at: Instant): string {
  // biome-ignore lint/style/noRestrictedGlobals: formatting a given instant reads no clock.
  return new Date(Math.floor(at / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

const UNIT_SECONDS: Record<string, number> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/**
 * Reads a Go duration (`1m30s`, `15s`, `1.5h`, `-1s`, `0`) as seconds.
 *
 * Promise: a text that Go's `time.ParseDuration` refuses gives `undefined`.
 */
export function parseDurationSeconds(text: string): number | undefined {
  const match = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text);
  if (!match) return undefined;
  let seconds = 0;
  for (const [, amount, unit] of (match[2] ?? '').matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    seconds += Number(amount) * (UNIT_SECONDS[unit ?? ''] ?? 0);
  }
  return match[1] === '-' ? -seconds : seconds;
}
