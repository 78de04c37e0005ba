import { isKnownStrategy } from '../decide/eviction-strategy.ts';
import type { DefaultStrategy } from '../decide/guard/default-strategy.ts';
import { type KubeVirtVersion, parseVersion } from '../decide/versions.ts';
import { PACE_SETTINGS, requireSetting } from '../forecast/plans/config/changed-kubevirt.ts';
import type { Setting } from '../forecast/questions.ts';
import type { LabelSelector } from '../kubevirt/objects.ts';
import { parseQuantity } from '../kubevirt/quantity.ts';
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

/** A version of KubeVirt, `v1.9.0` or `1.9`. */
export function kubevirtVersion(text: string): KubeVirtVersion {
  const version = parseVersion(text);
  if (!version) throw new Error('a version looks like v1.9.0 or 1.9');
  return version;
}

/** The tag of a release of KubeVirt, `v1.9.0`; the patch is 0 and the `v` there where they are left out. */
export function releaseTag(text: string): string {
  const [, minor, patch = '.0', rest = ''] = /^v?(\d+\.\d+)(\.\d+)?(-[\w.]+)?$/.exec(text) ?? [];
  if (minor === undefined) throw new Error('a release looks like v1.9.1');
  return `v${minor}${patch}${rest}`;
}

/** A label selector as `kubectl -l` takes it. */
export function selector(text: string): LabelSelector {
  return parseSelector(text);
}

/** An instant, RFC 3339. */
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

/** A setting that says how fast something goes, by the last word of its path. */
export function paceSetting(text: string): Setting {
  const { path, value } = setting(text);
  if (!PACE_SETTINGS.includes(path)) throw new Error(`"${path}" is not one of ${PACE_SETTINGS.join(', ')}`);
  if (value === '') throw new Error('a setting looks like parallelMigrationsPerCluster=10');
  requireSetting({ path, value });
  return { path, value };
}

/** A whole number, negative ones and 0 too. */
export function wholeNumber(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new Error('it must be a whole number');
  return Number(text);
}

/** A number above 0, with a fraction or without. */
export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0) || number === Number.POSITIVE_INFINITY) throw new Error('it must be a number above 0');
  return number;
}

/** None is possible. */
export function vmCount(text: string): number {
  const count = wholeNumber(text);
  if (count < 0) throw new Error('it must be a number from 0');
  return count;
}

/** A whole number from 1. */
export function positiveWholeNumber(text: string): number {
  return positiveNumber(String(wholeNumber(text)));
}

/** More runs tell nothing more, and their results would not fit into memory. */
const MOST_RUNS = 100_000;

/** A number of runs, from 1 to `MOST_RUNS`. */
export function runCount(text: string): number {
  const runs = positiveWholeNumber(text);
  if (runs > MOST_RUNS) throw new Error(`it must be ${MOST_RUNS} at most`);
  return runs;
}

/** A port; 0 is any that is free. */
export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port < 0 || port > 65_535) throw new Error('a port is a number up to 65535, and 0 any that is free');
  return port;
}

/** A quantity of Kubernetes, as in `4Mi`. */
export function byteCount(text: string): number {
  const bytes = parseQuantity(text);
  if (bytes === undefined || bytes <= 0) throw new Error('it must be a number of bytes, as in 4Mi');
  return bytes;
}

/** `NAMESPACE/NAME`, both given. */
export function namespacedName(text: string): { readonly namespace: string; readonly name: string } {
  const [namespace = '', name = '', ...more] = text.split('/');
  if (namespace === '' || name === '' || more.length > 0) throw new Error('it looks like NAMESPACE/NAME');
  return { namespace, name };
}

/** Names with commas between them, each once, in the order of the choices. */
export function someOf<T extends string>(choices: readonly T[]): (text: string) => readonly T[] {
  return (text) => {
    const names = text.split(',').map((name) => name.trim());
    const unknown = names.find((name) => !(choices as readonly string[]).includes(name));
    if (unknown !== undefined) throw new Error(`"${unknown}" is not one of ${choices.join(', ')}`);
    return choices.filter((choice) => names.includes(choice));
  };
}

/** An https URL without a path; a trailing slash is left out. */
export function url(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed?.protocol !== 'https:' || parsed.pathname !== '/' || parsed.search !== '')
    throw new Error('it looks like https://HOST:PORT');
  return parsed.origin;
}

/** `LiveMigrate`, or `External:role=worker` for VMIs with these labels. */
export function defaultStrategy(text: string): DefaultStrategy {
  const [strategy = '', ...rest] = text.split(':');
  if (!isKnownStrategy(strategy))
    throw new Error('a strategy is one of None, LiveMigrate, LiveMigrateIfPossible, External');
  return rest.length === 0 ? { strategy } : { strategy, selector: parseSelector(rest.join(':')) };
}

/** Any text but the empty one. */
export function text(value: string): string {
  if (value === '') throw new Error('it must not be empty');
  return value;
}
