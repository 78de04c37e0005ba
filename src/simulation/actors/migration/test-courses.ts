/** What the migration controller does to objects, over time, in a form in which recordings can be compared. */
import { type JsonObject, objectAt, objectsAt } from '../../../kubevirt/json.ts';
import { ANNOTATION, LABEL } from '../../../kubevirt/names.ts';
import { compareText } from '../../../kubevirt/order.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';
const VMI = 'VirtualMachineInstance';

export interface Line {
  readonly t: number;
  readonly change: 'exists' | 'added' | 'modified' | 'deleted';
  readonly kind: string;
  readonly name: string;
  readonly state?: JsonObject;
}

interface Step {
  readonly t: number;
  readonly value: string;
}

/** By object, by field: the values in a row. */
export type Courses = ReadonlyMap<string, ReadonlyMap<string, readonly Step[]>>;

/** The migration that a pod was made for. */
export function jobOf(object: JsonObject): string | undefined {
  const job = objectAt(object, 'annotations')[ANNOTATION.migrationJobName];
  return job === undefined ? undefined : String(job);
}

export function objectList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isAttachment(state: JsonObject): boolean {
  return objectList(state.owner).some((owner) => String(owner).startsWith('Pod/'));
}

/** An object of the API as the recordings show it. */
export function stateOf(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const status = objectAt(object, 'status');
  const spec = objectAt(object, 'spec');
  return {
    labels: metadata.labels,
    annotations: metadata.annotations,
    finalizers: metadata.finalizers,
    owner: objectsAt(metadata, 'ownerReferences').map(({ kind, name }) => `${kind}/${name}`),
    nodeSelector: spec.nodeSelector,
    image: objectsAt(spec, 'containers').flatMap(({ image }) => image ?? []),
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
    conditions: status.conditions,
    status,
  };
}

/** What the controller writes of an object, by field. */
function fieldsOf(kind: string, state: JsonObject, named: (text: unknown) => string): JsonObject {
  const status = objectAt(state, 'status');
  const migration = objectAt(status, 'migrationState');
  if (kind === MIGRATION) {
    return {
      phase: status.phase,
      conditions: objectsAt(state, 'conditions').map(({ type, status: is }) => `${type}=${is}`),
      finalizers: objectList(state.finalizers).length,
      account: accountOf(migration, named),
    };
  }
  if (kind === VMI) {
    return {
      target: objectAt(state, 'labels')[LABEL.migrationTargetNodeName],
      nonRoot: objectAt(state, 'annotations')[ANNOTATION.nonRoot],
      account: accountOf(migration, named),
      configuration: sorted(objectAt(migration, 'migrationConfiguration')),
      abort: migration.abortRequested,
    };
  }
  return {
    annotations: sorted(kept(objectAt(state, 'annotations'), (name) => name.startsWith('kubevirt.io/'))),
    job: objectAt(state, 'labels')[LABEL.migrationJobUid],
    createdBy: objectAt(state, 'labels')[LABEL.createdBy],
    nodeSelector: sorted(objectAt(state, 'nodeSelector')),
    image: isAttachment(state) ? 'any' : objectList(state.image)[0],
    grace: isAttachment(state) ? state.terminationGracePeriodSeconds : 'any',
    owner: objectList(state.owner).map(named),
  };
}

function accountOf(state: JsonObject, named: (text: unknown) => string): string {
  const { sourceNode, targetNode, sourcePod, targetPod, targetMemoryOverhead, completed, failed } = state;
  const told = { sourceNode, targetNode, targetMemoryOverhead, completed, failed };
  return sorted({
    ...told,
    sourcePod: sourcePod && named(sourcePod),
    targetPod: targetPod && named(targetPod),
  });
}

function kept(object: JsonObject, keeps: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => keeps(name)));
}

function sorted(object: JsonObject): string {
  return JSON.stringify(Object.fromEntries(Object.entries(object).sort(([a], [b]) => compareText(a, b))));
}

/** Reasons that others use too, on the same objects and as the same component. */
const TOLD_BY_OTHERS: ReadonlySet<unknown> = new Set(['SuccessfulCreate', 'SuccessfulDelete']);

/** Whether an event is this controller's. */
function isOurs({ object, reason, component }: JsonObject): boolean {
  if (component !== 'virtualmachine-controller') return false;
  const isOnVmi = String(object).startsWith(`${VMI}/`);
  return String(object).startsWith(`${MIGRATION}/`) || (isOnVmi && !TOLD_BY_OTHERS.has(reason));
}

/** Equal values in a row once; pods of migrations under the names of these. */
export function coursesOf(lines: readonly Line[]): Courses {
  const courses = new Map<string, Map<string, Step[]>>();
  const pods = namesOf(lines);
  const named = (text: unknown): string =>
    String(text).replace(/(virt-launcher|hp-volume)-[a-z0-9-]+/g, (name) => pods.get(name) ?? name);
  const note = (id: string, field: string, t: number, value: unknown): void => {
    const course = courses.get(id) ?? new Map<string, Step[]>();
    const steps = course.get(field) ?? [];
    const text = value === undefined || value === '' ? '-' : String(value);
    if ((steps.at(-1)?.value ?? '-') !== text) steps.push({ t, value: text });
    courses.set(id, course.set(field, steps));
  };
  for (const line of lines) {
    if (line.kind === 'Event') noteEvent(line, named, note);
    else if (line.kind !== 'Pod' || pods.has(line.name)) noteFields(line, named, note);
  }
  return courses;
}

type Note = (id: string, field: string, t: number, value: unknown) => void;
type Named = (text: unknown) => string;

function noteEvent({ t, state = {} }: Line, named: Named, note: Note): void {
  if (isOurs(state)) note(String(state.object), 'events', t, named(`${state.reason} ${state.message}`));
}

/** A pod is gone for many reasons, most of them not this controller's. */
function noteFields({ t, change, kind, name, state = {} }: Line, named: Named, note: Note): void {
  if (kind !== MIGRATION && kind !== VMI && kind !== 'Pod') return;
  const id = `${kind} ${named(name)}`;
  const isGone = change === 'deleted';
  if (kind === MIGRATION) note(id, 'gone', t, isGone || undefined);
  if (isGone) return;
  for (const [field, value] of Object.entries(fieldsOf(kind, state, named))) note(id, field, t, value);
}

/** Names of pods by what they are for. */
function namesOf(lines: readonly Line[]): Map<string, string> {
  return new Map(
    lines.flatMap(({ kind, name, state = {} }) => {
      const job = kind === 'Pod' ? jobOf(state) : undefined;
      if (job === undefined) return [];
      return [[name, `${isAttachment(state) ? 'attachment' : 'target'} of ${job}`] as const];
    }),
  );
}
