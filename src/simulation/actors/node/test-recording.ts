/**
 * Plays a recorded history with the node agents in it: all that others than kubelet and virt-handler did is done at its recorded
 * time, all that these did is left to the agents.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Kind } from '../../../fleet/fleet.ts';
import { type JsonObject, objectAt, objectsAt } from '../../../kubevirt/json.ts';
import { CONDITION, LABEL } from '../../../kubevirt/names.ts';
import { NodesWorld, START, VMI } from './test-nodes.ts';

const NAMESPACE = 'shop';

interface Line {
  readonly t: number;
  readonly change: 'exists' | 'added' | 'modified' | 'deleted';
  readonly kind: string;
  readonly name: string;
  readonly state?: JsonObject;
}

/** The fields of one object over time, as `second value`. */
export type Course = ReadonlyMap<string, readonly { readonly t: number; readonly value: string }[]>;

export interface Played {
  readonly recorded: Map<string, Course>;
  readonly played: Map<string, Course>;
}

export async function playRecording(folder: string): Promise<Played> {
  const lines = readLines(folder);
  const player = new Player(lines);
  for (const line of lines) await player.play(line);
  await player.world.run(2);
  return { recorded: coursesOf(lines), played: coursesOf(player.seen) };
}

function readLines(folder: string): Line[] {
  const text = gunzipSync(readFileSync(`${folder}/history.jsonl.gz`)).toString();
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  return lines.filter(({ kind }) => kind === VMI || kind === 'Pod');
}

class Player {
  readonly world: NodesWorld;
  readonly seen: Line[] = [];
  readonly #last = new Map<string, JsonObject>();
  readonly #graces: ReadonlyMap<string, number>;

  constructor(lines: readonly Line[]) {
    this.#graces = gracesOf(lines);
    this.world = new NodesWorld([]);
    this.world.api.watch(({ kind, key, before, after }) => {
      if (kind !== VMI && kind !== 'Pod') return;
      const t = (this.world.clock.now() - START) / 1000;
      const [, name = ''] = key.split('/');
      const last = after ?? before;
      if (last) this.seen.push({ t, change: 'modified', kind, name, state: projected(kind, last) });
      if (!after) this.seen.push({ t, change: 'deleted', kind, name });
    });
    this.world.agents.start();
  }

  async play(line: Line): Promise<void> {
    await this.world.clock.advanceTo(START + line.t * 1000);
    const id = `${line.kind} ${line.name}`;
    const before = this.#last.get(id);
    const after = line.change === 'deleted' ? undefined : line.state;
    if (after) this.#last.set(id, after);
    else this.#last.delete(id);
    if (!after && line.kind === VMI) await this.#waitForEnd(line.name);
    if (line.kind === VMI) this.#vmi(line.name, before, after);
    else this.#pod(line.name, before, after);
    await this.world.clock.settle();
  }

  /** What the agents do may come a moment later than it was recorded; others waited for it then. */
  async #waitForEnd(name: string): Promise<void> {
    const vmi = () => this.world.api.get(VMI, `${NAMESPACE}/${name}`);
    const phase = () => objectAt(vmi() ?? {}, 'status').phase;
    await this.world.clock.until(() => phase() === 'Succeeded' || phase() === 'Failed', 0.5);
  }

  #pod(name: string, before: JsonObject | undefined, after: JsonObject | undefined): void {
    const key = `${NAMESPACE}/${name}`;
    const { api } = this.world;
    if (!after) return;
    if (!before) api.put('Pod', this.#newPod(name, after));
    const { nodeName } = after;
    if (nodeName !== undefined && nodeName !== before?.nodeName)
      this.world.change('Pod', key, (pod) => ({ ...pod, spec: { ...objectAt(pod, 'spec'), nodeName } }));
    if (after.deleting && !before?.deleting)
      api.delete('Pod', key, { graceSeconds: Number(after.deletionGracePeriodSeconds ?? 0) });
  }

  #newPod(name: string, state: JsonObject): object {
    const [owner = ''] = state.owner as string[];
    const [kind, ownerName = ''] = owner.split('/');
    // The two watches of the recording did not keep step: a pod may come before its VMI.
    const uid = objectAt(state, 'labels')[LABEL.createdBy] ?? this.#uidOf(kind, ownerName);
    const isLauncher = kind === VMI;
    return {
      kind: 'Pod',
      metadata: {
        name,
        namespace: NAMESPACE,
        uid: state.uid,
        labels: { ...objectAt(state, 'labels'), [LABEL.app]: isLauncher ? 'virt-launcher' : 'hotplug-disk' },
        annotations: state.annotations,
        ownerReferences: [{ kind, name: ownerName, uid, controller: true }],
      },
      spec: {
        restartPolicy: isLauncher ? 'Never' : 'Always',
        terminationGracePeriodSeconds: state.terminationGracePeriodSeconds,
        containers: [{ name: 'compute', image: 'launcher' }],
        ...(state.nodeName !== undefined && { nodeName: state.nodeName }),
      },
      status: { phase: 'Pending' },
    };
  }

  #uidOf(kind: string | undefined, name: string): unknown {
    return this.world.api.get(kind as Kind, `${NAMESPACE}/${name}`)?.metadata.uid;
  }

  #vmi(name: string, before: JsonObject | undefined, after: JsonObject | undefined): void {
    const key = `${NAMESPACE}/${name}`;
    const { api } = this.world;
    if (!before) api.put(VMI, this.#newVmi(name, after ?? {}));
    if (after?.deleting && !before?.deleting) api.delete(VMI, key);
    if (!after) {
      this.world.change(VMI, key, (vmi) => ({
        ...vmi,
        metadata: { ...objectAt(vmi, 'metadata'), finalizers: [] },
      }));
      return;
    }
    if (before) this.world.change(VMI, key, (vmi) => withControllersPart(vmi, before, after));
  }

  #newVmi(name: string, state: JsonObject): object {
    return {
      kind: VMI,
      metadata: {
        name,
        namespace: NAMESPACE,
        uid: state.uid,
        labels: state.labels,
        annotations: state.annotations,
        finalizers: ['kubevirt.io/foregroundDeleteVirtualMachine'],
      },
      spec: {
        evictionStrategy: state.evictionStrategy,
        terminationGracePeriodSeconds: this.#graces.get(name) ?? 30,
        domain: {
          cpu: { model: 'host-model', sockets: state.cpu, cores: 1, threads: 1 },
          memory: { guest: '64Mi' },
          devices: { interfaces: [{ name: 'default', masquerade: {} }] },
        },
        networks: [{ name: 'default', pod: {} }],
        volumes: [{ name: 'd', containerDisk: {} }],
      },
      status: { ...objectAt(state, 'status'), conditions: state.conditions },
    };
  }
}

/** Grace periods of VMIs, by what their pods are granted. */
function gracesOf(lines: readonly Line[]): Map<string, number> {
  const graces = new Map<string, number>();
  for (const { kind, state } of lines) {
    const [owner = ''] = (state?.owner as string[] | undefined) ?? [];
    const granted = state?.terminationGracePeriodSeconds;
    if (kind === 'Pod' && owner.startsWith(`${VMI}/`) && typeof granted === 'number') {
      graces.set(owner.slice(VMI.length + 1), granted - 30);
    }
  }
  return graces;
}

const HANDLERS_CONDITIONS: ReadonlySet<unknown> = new Set([
  CONDITION.liveMigratable,
  CONDITION.storageLiveMigratable,
]);

/** The VMI with what changed in the recording and was not written by virt-handler. */
function withControllersPart(vmi: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const [was, is] = [objectAt(before, 'status'), objectAt(after, 'status')];
  const [hadState, hasState] = [objectAt(was, 'migrationState'), objectAt(is, 'migrationState')];
  const isHandOver = hasState.endTimestamp !== undefined && hadState.endTimestamp === undefined;
  const metadata = objectAt(vmi, 'metadata');
  const labels = isHandOver ? metadata.labels : labelsAfter(objectAt(metadata, 'labels'), before, after);
  const status = { ...objectAt(vmi, 'status'), conditions: conditionsAfter(vmi, before, after) };
  const changed = isHandOver ? {} : changedStatus(was, is);
  const migrationState = stateAfter(objectAt(status, 'migrationState'), hadState, hasState);
  const cpu = { ...objectAt(objectAt(objectAt(vmi, 'spec'), 'domain'), 'cpu'), sockets: after.cpu };
  const domain = { ...objectAt(objectAt(vmi, 'spec'), 'domain'), cpu };
  return {
    ...vmi,
    metadata: { ...metadata, labels },
    spec: { ...objectAt(vmi, 'spec'), domain },
    status: { ...status, ...changed, ...(Object.keys(migrationState).length > 0 && { migrationState }) },
  };
}

function labelsAfter(held: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const [was, is] = [objectAt(before, 'labels'), objectAt(after, 'labels')];
  const next: Record<string, unknown> = { ...held };
  for (const [name, value] of Object.entries(is)) if (was[name] !== value) next[name] = value;
  for (const name of Object.keys(was)) {
    if (!(name in is) && name !== LABEL.migrationTargetNodeName) delete next[name];
  }
  return next;
}

function changedStatus(was: JsonObject, is: JsonObject): JsonObject {
  const changed: Record<string, unknown> = {};
  for (const field of ['nodeName', 'evacuationNodeName', 'launcherContainerImageVersion', 'activePods']) {
    if (JSON.stringify(was[field]) !== JSON.stringify(is[field])) changed[field] = is[field];
  }
  const isTheirs = ['Pending', 'Scheduling', 'Scheduled'].includes(String(is.phase));
  if (isTheirs && was.phase !== is.phase) changed.phase = is.phase;
  return changed;
}

function conditionsAfter(vmi: JsonObject, before: JsonObject, after: JsonObject): JsonObject[] {
  const [was, is] = [objectsAt(before, 'conditions'), objectsAt(after, 'conditions')];
  const theirs = ({ type }: JsonObject) => !HANDLERS_CONDITIONS.has(type);
  const changed = is.filter(
    (condition) =>
      theirs(condition) && !was.some((other) => JSON.stringify(other) === JSON.stringify(condition)),
  );
  const gone = was.filter(
    ({ type }) => type !== CONDITION.hotVcpuChange && !is.some((condition) => condition.type === type),
  );
  const replaced = new Set([...changed, ...gone].map(({ type }) => type));
  const kept = objectsAt(objectAt(vmi, 'status'), 'conditions').filter(({ type }) => !replaced.has(type));
  return [...kept, ...changed];
}

function stateAfter(held: JsonObject, was: JsonObject, is: JsonObject): JsonObject {
  if (is.migrationUid !== was.migrationUid) return is;
  return is.abortRequested && !was.abortRequested ? { ...held, abortRequested: true } : held;
}

/** An object of the API as the recordings show it. */
function projected(kind: Kind, object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const status = objectAt(object, 'status');
  const deleting = metadata.deletionTimestamp !== undefined || undefined;
  const { deletionGracePeriodSeconds } = metadata;
  const conditions = objectsAt(status, 'conditions');
  if (kind === 'Pod') return { phase: status.phase, conditions, deleting, deletionGracePeriodSeconds };
  return { labels: metadata.labels, status, conditions };
}

const STATE_FIELDS = [
  'migrationUid',
  'targetNode',
  'mode',
  'failureReason',
  'abortStatus',
  'completed',
  'failed',
];
const TIMES = [
  'targetNodeAddress',
  'startTimestamp',
  'targetNodeDomainDetected',
  'targetNodeDomainReadyTimestamp',
  'endTimestamp',
];

/** What kubelet and virt-handler write of an object, by field. */
function fieldsOf(kind: string, state: JsonObject): Record<string, unknown> {
  const conditions = objectsAt(state, 'conditions');
  const told = (type: string) => {
    const condition = conditions.find((each) => each.type === type);
    return condition && [condition.status, condition.reason].filter(Boolean).join('/');
  };
  if (kind === 'Pod') {
    return { phase: state.phase, ready: told('Ready'), grace: state.deletionGracePeriodSeconds };
  }
  const status = objectAt(state, 'status');
  const migration = objectAt(status, 'migrationState');
  const labels = objectAt(state, 'labels');
  return {
    phase: status.phase,
    nodeName: status.nodeName,
    mark: status.evacuationNodeName || undefined,
    launcher: status.launcherContainerImageVersion || undefined,
    method: status.migrationMethod,
    sockets: objectAt(status, 'currentCPUTopology').sockets,
    'label nodeName': labels[LABEL.nodeName],
    'label target': labels[LABEL.migrationTargetNodeName],
    'label outdated': LABEL.outdatedLauncherImage in labels || undefined,
    ...Object.fromEntries(STATE_FIELDS.map((field) => [field, migration[field] || undefined])),
    ...Object.fromEntries(TIMES.map((field) => [field, migration[field] ? true : undefined])),
    [CONDITION.liveMigratable]: told(CONDITION.liveMigratable),
    [CONDITION.storageLiveMigratable]: told(CONDITION.storageLiveMigratable),
    [CONDITION.hotVcpuChange]: told(CONDITION.hotVcpuChange),
  };
}

/** By `kind name`, the values of each field in a row; equal ones in a row once. */
function coursesOf(lines: readonly Line[]): Map<string, Course> {
  const courses = new Map<string, Map<string, { t: number; value: string }[]>>();
  for (const { t, change, kind, name, state } of lines) {
    const id = `${kind} ${name}`;
    const course = courses.get(id) ?? new Map<string, { t: number; value: string }[]>();
    courses.set(id, course);
    const fields =
      change === 'deleted' ? { gone: true } : { gone: undefined, ...fieldsOf(kind, state ?? {}) };
    for (const [field, value] of Object.entries(fields)) {
      const values = course.get(field) ?? [];
      course.set(field, values);
      const text = value === undefined ? '-' : String(value);
      if ((values.at(-1)?.value ?? '-') !== text)
        values.push({ t: Math.round(t * 1000) / 1000, value: text });
    }
  }
  return courses;
}
