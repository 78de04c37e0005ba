import { isJsonObject, type JsonObject } from '../kubevirt/json.ts';
import { KINDS, type KnownKind, kindOfPlural } from '../kubevirt/kinds.ts';
import { DumpFault } from './errors.ts';
import { findOddity } from './inspect.ts';
import type { Place } from './place.ts';

/** What the readers of JSON and YAML hand over. */
export interface Intake {
  /** One object as parsed, whatever it is. `suspect`: it may hold what no real object has. */
  readonly object: (raw: unknown, place: Place, suspect: boolean) => void;
  /** The file lists this kind, be the list empty. */
  readonly listed: (kind: string, apiVersion: string) => void;
  /** A top-level text beside the lists of a fleet (`now`, `launcherImage`). */
  readonly hint: (name: string, text: string) => void;
}

/** A reader of one file. `push` takes its bytes as they come, `end` the end; both throw a `DumpFault` for a bad file. */
export interface ByteReader {
  readonly push: (chunk: Buffer) => void;
  readonly end: () => void;
}

interface Held {
  readonly raw: unknown;
  readonly place: Place;
  readonly suspect: boolean;
}

/**
 * The objects in the lists of one top-level value, in three shapes: a List (`items`), a bare list, and a fleet, an object
 * without kind whose lists stand under the plurals of their kinds. Kubernetes may write the kind of a list behind its
 * items, so what has no kind of its own waits for it.
 */
export class ListReader {
  readonly #intake: Intake;
  #head: JsonObject = {};
  #list: string | undefined;
  readonly #lists: string[] = [];
  readonly #waiting: Held[] = [];

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  /** A list begins under this key (none: a bare list); `head` is what stood before it. */
  start(head: JsonObject, list: string | undefined): void {
    this.#head = head;
    this.#list = list;
    if (list !== undefined) this.#lists.push(list);
  }

  element(raw: unknown, place: Place, suspect: boolean): void {
    const list = this.#list;
    const told = list === undefined || list === 'items' ? place : { ...place, list };
    if (this.#isField()) return;
    if (list === undefined || hasKind(raw) || isListOf(this.#head)) {
      this.#intake.object(named(raw, this.#head), told, suspect);
    } else this.#waiting.push({ raw, place: told, suspect });
  }

  /** The value ends; `head` is all of it but the lists. */
  end(head: JsonObject, place: Place, suspect: boolean): void {
    if (suspect) refuseOddities(head, place);
    for (const held of this.#waiting) {
      if (!hasKind(head) || isListOf(head))
        this.#intake.object(named(held.raw, head), held.place, held.suspect);
    }
    if (isListOf(head)) this.#intake.listed(head.kind.slice(0, -4), String(head.apiVersion ?? ''));
    else if (hasKind(head) || this.#lists.length === 0) this.#intake.object(head, place, suspect);
    else this.#endFleet(head);
  }

  /** The list is a field of a single object, not a list of objects. */
  #isField(): boolean {
    if (this.#list === undefined || this.#list === 'items') return false;
    return 'kind' in this.#head || 'apiVersion' in this.#head;
  }

  #endFleet(head: JsonObject): void {
    for (const list of this.#lists) {
      const kind = kindOfPlural(list);
      if (kind) this.#intake.listed(kind, apiVersionLike(kind));
    }
    for (const [name, value] of Object.entries(head)) {
      if (typeof value === 'string') this.#intake.hint(name, value);
    }
  }
}

/** Reads a value that was parsed as a whole. */
export function readWhole(value: unknown, place: Place, suspect: boolean, intake: Intake): void {
  if (Array.isArray(value)) {
    for (const [i, raw] of value.entries()) intake.object(raw, { ...place, item: i + 1 }, suspect);
  } else if (isJsonObject(value) && (isListOf(value) || !hasKind(value)))
    readLists(value, place, suspect, intake);
  else intake.object(value, place, suspect);
}

function readLists(value: JsonObject, place: Place, suspect: boolean, intake: Intake): void {
  const entries = Object.entries(value);
  const head = Object.fromEntries(entries.filter(([, member]) => !Array.isArray(member)));
  const reader = new ListReader(intake);
  for (const [key, member] of entries) {
    if (!Array.isArray(member)) continue;
    reader.start(head, key);
    for (const [i, raw] of member.entries()) reader.element(raw, { ...place, item: i + 1 }, suspect);
  }
  reader.end(head, place, suspect);
}

function refuseOddities(head: JsonObject, place: Place): void {
  const oddity = findOddity(head);
  if (oddity) throw new DumpFault(oddity.code, place, oddity.problem);
}

function hasKind(raw: unknown): boolean {
  return isJsonObject(raw) && typeof raw.kind === 'string';
}

function isListOf(head: JsonObject): head is JsonObject & { readonly kind: string } {
  return typeof head.kind === 'string' && head.kind.endsWith('List');
}

/** Typed lists leave out the kind of their items (`kind: PodList`). */
function named(raw: unknown, head: JsonObject): unknown {
  if (!isJsonObject(raw) || hasKind(raw) || !isListOf(head) || head.kind === 'List') return raw;
  return { ...raw, apiVersion: raw.apiVersion ?? head.apiVersion, kind: head.kind.slice(0, -4) };
}

function apiVersionLike(kind: KnownKind): string {
  const { group } = KINDS[kind];
  return group === '' ? 'v1' : `${group}/v1`;
}
