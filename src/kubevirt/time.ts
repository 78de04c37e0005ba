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
  if (!timestamp.includes('.')) return milliseconds;
  const fraction = /\.\d{3}(\d{1,3})/.exec(timestamp)?.[1];
  return fraction === undefined ? milliseconds : milliseconds + Number(fraction) / 10 ** fraction.length;
}

/** The second that was written last: most of what is written at one time bears the same. */
let written = { second: 0, text: '1970-01-01T00:00:00Z' };

/** Writes an instant as Kubernetes does (`2026-03-01T12:00:00Z`): UTC, whole seconds, rounded down. */
export function formatInstant(at: Instant): string {
  const second = Math.floor(at / 1000);
  if (second !== written.second) {
    // biome-ignore lint/style/noRestrictedGlobals: formatting a given instant reads no clock.
    written = { second, text: new Date(second * 1000).toISOString().replace('.000Z', 'Z') };
  }
  return written.text;
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

/** Writes seconds as Go prints a duration: `5m0s`, `1h30m0s`, `45s`, `1.5s`, `200ms`, `0s`. Down to the millisecond. */
export function formatDuration(seconds: number): string {
  if (seconds < 0) return `-${formatDuration(-seconds)}`;
  const milliseconds = Math.round(seconds * 1000);
  if (milliseconds > 0 && milliseconds < 1000) return `${milliseconds}ms`;
  const minutes = Math.floor(milliseconds / 60_000);
  const rest = `${(milliseconds % 60_000) / 1000}s`;
  if (minutes === 0) return rest;
  return minutes < 60 ? `${minutes}m${rest}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${rest}`;
}
