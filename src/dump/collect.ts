import { isDeepStrictEqual } from 'node:util';
import { Fleet, type KindMap } from '../fleet/fleet.ts';
import { addToGroup } from '../kubevirt/group-by.ts';
import { isJsonObject, type JsonObject } from '../kubevirt/json.ts';
import { DEFAULT_NAMESPACE, groupOf, isNamespaced, type KnownKind, knownKind } from '../kubevirt/kinds.ts';
import { Pool } from '../kubevirt/pool.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import {
  createProjection,
  type Project,
  ProjectionError,
  type ProjectionOptions,
} from '../kubevirt/projection.ts';
import { type DumpErrorCode, type DumpProblem, dumpProblem, MOST_TOLD } from './errors.ts';
import { findOddity } from './inspect.ts';
import { type Intake, readWhole } from './intake.ts';
import { describePlace, type Place } from './place.ts';

/** What a dump may say beside its objects. */
export interface Hints {
  /** RFC 3339: when the dump was taken. */
  readonly now?: string;
  readonly launcherImage?: string;
}

interface Origin {
  readonly file: string;
  readonly place: Place;
}

/**
 * Puts the objects of all files into one fleet. Wrong objects are noted and passed over, so that one run tells them all;
 * the first of several equal objects stays.
 */
export class Collection {
  readonly fleet = new Fleet();
  readonly ignoredKinds = new Map<string, number>();
  /** The first problems, and how many there are in all. */
  readonly problems: DumpProblem[] = [];
  problemCount = 0;
  objects = 0;
  repeated = 0;
  /** Objects that should name their namespace and do not. */
  homeless = 0;
  /** Values in files of folders that are no Kubernetes objects. */
  strange = 0;
  hints: Hints = {};
  readonly #project: Project;
  /** Where each object came from, by kind, in the order of the fleet's own list of the kind. */
  readonly #origins = new Map<KnownKind, Origin[]>();

  constructor(options: ProjectionOptions) {
    this.#project = createProjection({ pool: new Pool(), ...options });
  }

  /** The intake of one file; `found`: see `DumpFile`. */
  intakeOf(file: string, found: boolean): Intake {
    const intake: Intake = {
      object: (raw, place, suspect) => {
        if (isJsonObject(raw) && isList(raw)) readWhole(raw, place, suspect, intake);
        else this.#take(raw, { file, place }, suspect, found);
      },
      listed: (kind, apiVersion) => {
        const known = knownKind(apiVersion, kind);
        if (known) this.fleet.noteKnown(known);
      },
      hint: (name, text) => {
        if (name === 'now' || name === 'launcherImage') this.hints = { ...this.hints, [name]: text };
      },
    };
    return intake;
  }

  #take(raw: unknown, origin: Origin, suspect: boolean, found: boolean): void {
    const named = isJsonObject(raw) && typeof raw.kind === 'string' && typeof raw.apiVersion === 'string';
    if (!named && found) this.strange++;
    else if (!named) this.#note('DumpNotKubernetes', origin, lackOf(raw));
    else this.#takeNamed(raw, String(raw.kind), String(raw.apiVersion), origin, suspect);
  }

  #takeNamed(raw: JsonObject, kind: string, apiVersion: string, origin: Origin, suspect: boolean): void {
    this.objects++;
    const known = knownKind(apiVersion, kind);
    const placed = { ...origin, place: { ...origin.place, object: refOf(kind, raw) } };
    const oddity = known && suspect ? findOddity(raw) : undefined;
    if (oddity) this.#note(oddity.code, placed, oddity.problem);
    else if (known) this.#readKnown(known, raw, origin, placed);
    else this.#ignore(kind, apiVersion);
  }

  #readKnown<K extends KnownKind>(kind: K, raw: JsonObject, origin: Origin, placed: Origin): void {
    try {
      // The kinds of the fleet are the kinds of the projection.
      const object = this.#project(kind, this.#inNamespace(kind, raw)) as unknown as KindMap[K];
      this.#apply(kind, object, origin, placed);
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      this.#note('DumpWrongType', placed, error.message);
    }
  }

  /** Manifests may leave it to kubectl where they go. */
  #inNamespace(kind: KnownKind, raw: JsonObject): JsonObject {
    const { metadata } = raw;
    if (!isNamespaced(kind) || !isJsonObject(metadata) || (metadata.namespace ?? '') !== '') return raw;
    this.homeless++;
    return { ...raw, metadata: { ...metadata, namespace: DEFAULT_NAMESPACE } };
  }

  #apply<K extends KnownKind>(kind: K, object: KindMap[K], origin: Origin, placed: Origin): void {
    const held = this.fleet.get(kind, keyOf(object));
    if (held === undefined) {
      this.fleet.apply(kind, object);
      addToGroup(this.#origins, kind, origin);
      return;
    }
    const difference = differenceOf(held, object);
    if (difference === undefined) this.repeated++;
    else this.#note('DumpDuplicate', placed, `${difference} the one in ${this.#originOf(kind, held)}`);
  }

  #originOf(kind: KnownKind, held: object): string {
    const origin = this.#origins.get(kind)?.[[...this.fleet.all(kind)].indexOf(held as never)];
    return [origin?.file, describePlace(origin?.place ?? {})].filter(Boolean).join(', ');
  }

  #ignore(kind: string, apiVersion: string): void {
    const group = groupOf(apiVersion);
    const name = group === '' ? kind : `${kind}.${group}`;
    this.ignoredKinds.set(name, (this.ignoredKinds.get(name) ?? 0) + 1);
  }

  #note(code: DumpErrorCode, origin: Origin, cause: string): void {
    this.problemCount++;
    if (this.problems.length < MOST_TOLD)
      this.problems.push(dumpProblem(code, origin.file, origin.place, cause));
  }
}

function isList(raw: JsonObject): boolean {
  return typeof raw.kind === 'string' && raw.kind.endsWith('List') && Array.isArray(raw.items);
}

function lackOf(raw: unknown): string {
  if (Array.isArray(raw)) return 'is a list, not a Kubernetes object';
  if (!isJsonObject(raw))
    return `is ${raw === null || raw === undefined ? 'nothing' : `a ${typeof raw}`}, not a Kubernetes object`;
  return `is no Kubernetes object: it has no ${typeof raw.kind === 'string' ? 'apiVersion' : 'kind'}`;
}

function refOf(kind: string, raw: JsonObject): string {
  const metadata = isJsonObject(raw.metadata) ? raw.metadata : {};
  const parts = [metadata.namespace, metadata.name].filter((part) => typeof part === 'string' && part !== '');
  return [kind, parts.join('/')].filter((part) => part !== '').join(' ');
}

type Comparable = KindMap[KnownKind];

/** How two objects of one name differ, in words that go before the place of the first; undefined where they are equal. */
function differenceOf(held: Comparable, object: Comparable): string | undefined {
  const [before, after] = [held.metadata.resourceVersion, object.metadata.resourceVersion];
  if (before !== undefined && after !== undefined && before !== after) {
    return `has resourceVersion ${after}, but ${before} is that of`;
  }
  return isDeepStrictEqual(comparable(held), comparable(object)) ? undefined : 'has other content than';
}

/** The content alone: an object of two API versions is one. */
function comparable(object: Comparable): object {
  return { ...object, apiVersion: '', metadata: { ...object.metadata, resourceVersion: '' } };
}
