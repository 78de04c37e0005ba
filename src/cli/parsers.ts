import { type KubeVirtVersion, parseVersion } from '../decide/versions.ts';
import type { Setting } from '../forecast/questions.ts';
import type { LabelSelector } from '../kubevirt/objects.ts';
import { parseSelector } from '../kubevirt/selector.ts';
import { type Instant, parseDurationSeconds, parseInstant } from '../kubevirt/time.ts';

/** Parsers of flag values. Each throws an Error whose message completes "cannot use this value: …". */

/** Go durations as kubectl takes them: `5m`, `90s`, `0`; a bare number is refused as kubectl does, 0 excepted. */
export function durationSeconds(text: string): number {
  const seconds = parseDurationSeconds(text);
  if (seconds === undefined || seconds < 0)
    throw new Error('a duration is a number with a unit, as in 5m or 90s');
  return seconds;
}

export function kubevirtVersion(text: string): KubeVirtVersion {
  const version = parseVersion(text);
  if (!version) throw new Error('a version looks like v1.9.0 or 1.9');
  return version;
}

export function selector(text: string): LabelSelector {
  return parseSelector(text);
}

export function instant(text: string): Instant {
  const at = parseInstant(text);
  if (at === undefined) throw new Error('a time looks like 2026-03-01T12:00:00Z');
  return at;
}

/** `path=value`; the value may hold further `=`. */
export function setting(text: string): Setting {
  const at = text.indexOf('=');
  if (at < 1) throw new Error('a setting looks like path.of.field=value');
  return { path: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

export function wholeNumber(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new Error('it must be a whole number');
  return Number(text);
}

export function text(value: string): string {
  if (value === '') throw new Error('it must not be empty');
  return value;
}
