import { load, YAMLException } from 'js-yaml';
import { DumpFault } from './errors.ts';
import { findOddity } from './inspect.ts';
import { LIMITS } from './limits.ts';
import type { Place } from './place.ts';
import { BEYOND, readPlainYaml } from './plain-yaml.ts';
import type { LineOf } from './yaml-splitter.ts';

/** A text that begins at the line of `place`. */
export function linesFrom(place: Place): LineOf {
  return (line) => (place.line ?? 1) + line;
}

/**
 * Parses one document.
 *
 * The default schema of js-yaml has neither timestamps nor merge keys, as Kubernetes wants it. Aliases are refused at
 * first, since kubectl writes none; a text that has some is parsed again with bounds.
 */
export function parseYaml(source: string, place: Place, lineOf: LineOf): unknown {
  const value = parsePlain(source);
  if (!(value instanceof Refusal)) return detached(value);
  const again = value.isOfAliases ? attempt(source, LIMITS.aliases) : value;
  if (again instanceof Refusal) throw again.fault(place, lineOf);
  return bounded(again, place);
}

/**
 * Parses one item of a list, dash included. `ahead` is the text in front of it that holds the anchors of its document;
 * it is parsed along only where an alias asks for it.
 */
export function parseItem(source: string, ahead: string, place: Place): unknown {
  const lineOf = linesFrom(place);
  const value = parsePlain(source);
  if (!(value instanceof Refusal)) return detached(lastItem(value));
  if (!value.isOfAliases) throw value.fault(place, lineOf);
  const linesAhead = ahead.split('\n').length - 1;
  const whole = attempt(ahead + source, LIMITS.aliases);
  if (whole instanceof Refusal) throw whole.fault(place, (line) => lineOf(line - linesAhead));
  return bounded(lastItem((whole as { items?: unknown }).items), place);
}

function parsePlain(source: string): unknown {
  const plain = readPlainYaml(source);
  return plain === BEYOND ? attempt(source, 0) : plain;
}

function lastItem(items: unknown): unknown {
  return Array.isArray(items) ? items.at(-1) : undefined;
}

/** A copy that holds no part of the text: V8 keeps the whole text of an item alive for every long piece cut out of it. */
function detached(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** A copy without aliases, unless they have multiplied the values beyond measure. */
function bounded(value: unknown, place: Place): unknown {
  const oddity = findOddity(value);
  if (oddity) throw new DumpFault(oddity.code, place, oddity.problem);
  return detached(value);
}

/** Why js-yaml does not take a text. */
class Refusal {
  readonly #error: unknown;

  constructor(error: unknown) {
    this.#error = error;
  }

  get isOfAliases(): boolean {
    return (
      this.#error instanceof YAMLException &&
      /^(?:aliases exceeded|unidentified alias)/.test(this.#error.reason)
    );
  }

  fault(place: Place, lineOf: LineOf): DumpFault {
    if (!(this.#error instanceof YAMLException))
      return new DumpFault('DumpSyntax', place, 'cannot be parsed');
    const { reason, mark } = this.#error;
    const code = /exceeded/.test(reason) ? 'DumpTooLarge' : 'DumpSyntax';
    const where = mark ? { ...place, line: lineOf(mark.line), column: mark.column + 1 } : place;
    return new DumpFault(code, where, reason);
  }
}

function attempt(source: string, maxAliases: number): unknown {
  try {
    return load(source, { maxAliases, maxDepth: LIMITS.nesting });
  } catch (error) {
    return new Refusal(error);
  }
}
