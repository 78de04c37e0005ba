import { Cron } from 'croner';
import { formatInstant, type Instant, parseDurationSeconds } from '../../kubevirt/time.ts';

/** A time that comes again and again: it opens when the schedule says, and stays open for so long. */
export interface EvictionWindow {
  readonly schedule: Cron;
  readonly durationSeconds: number;
}

export type WindowReading = { readonly windows: readonly EvictionWindow[] } | { readonly error: string };

/** How it stands with windows at an instant. `opensAt` is undefined when none ever opens again. */
export type WindowState =
  | { readonly open: true; readonly closesAt: Instant }
  | { readonly open: false; readonly opensAt: Instant | undefined };

/** Minute, hour, day of the month, month, weekday. */
const CRON_FIELDS = 5;

/**
 * Reads windows: `MINUTE HOUR DAY MONTH WEEKDAY DURATION [TIME ZONE]`, as in `0 2 * * 6 4h Europe/Berlin`: from two to six
 * each Saturday in Berlin. Several are separated by `;`. The first five fields are those of cron, the duration is Go's, the
 * zone is one of the IANA's, UTC if not given.
 *
 * Promise: a text with anything wrong in it gives an error that says what, and no window at all.
 */
export function readWindows(text: string): WindowReading {
  const windows: EvictionWindow[] = [];
  for (const part of text.split(';')) {
    const window = readWindow(part.trim());
    if (typeof window === 'string') return { error: window };
    windows.push(window);
  }
  return { windows };
}

function readWindow(text: string): EvictionWindow | string {
  const words = text.split(/\s+/);
  const [duration, timezone = 'UTC', ...more] = words.slice(CRON_FIELDS);
  if (duration === undefined || more.length > 0)
    return `"${text}" is no window: five fields of cron, a duration, and maybe a time zone`;
  const durationSeconds = parseDurationSeconds(duration) ?? 0;
  if (durationSeconds <= 0) return `"${duration}" is no duration, as in 4h or 90m`;
  if (!isTimeZone(timezone)) return `"${timezone}" is no time zone, as in Europe/Berlin`;
  const pattern = words.slice(0, CRON_FIELDS).join(' ');
  try {
    return { schedule: new Cron(pattern, { timezone }), durationSeconds };
  } catch {
    return `"${pattern}" is no schedule of cron`;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Whether one of the windows is open.
 *
 * Promise: a window is open at its first instant and closed at its last; it depends on `now` alone. Of several that are
 * open the one counts that closes last; of several that are closed the one that opens first.
 */
export function windowsAt(windows: readonly EvictionWindow[], now: Instant): WindowState {
  const closes = windows.flatMap((window) => closesAt(window, now) ?? []);
  if (closes.length > 0) return { open: true, closesAt: Math.max(...closes) };
  const opens = windows.flatMap(({ schedule }) => nextAfter(schedule, now) ?? []);
  return { open: false, opensAt: opens.length > 0 ? Math.min(...opens) : undefined };
}

/** Open when its first start after `now` less its length is not in the future. */
function closesAt({ schedule, durationSeconds }: EvictionWindow, now: Instant): Instant | undefined {
  const startedAt = nextAfter(schedule, now - durationSeconds * 1000);
  return startedAt !== undefined && startedAt <= now ? startedAt + durationSeconds * 1000 : undefined;
}

function nextAfter(schedule: Cron, at: Instant): Instant | undefined {
  return schedule.nextRun(formatInstant(at))?.getTime();
}
