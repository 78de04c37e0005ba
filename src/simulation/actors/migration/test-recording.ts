/**
 * Plays a recorded history with the migration controller in it: all that others did is done at its recorded time, all that
 * this controller did is left to it.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Kind } from '../../../fleet/fleet.ts';
import { type JsonObject, objectAt } from '../../../kubevirt/json.ts';
import { LABEL } from '../../../kubevirt/names.ts';
import type { RecordedEvent } from '../../memory-cluster.ts';
import {
  type Courses,
  coursesOf,
  isAttachment,
  jobOf,
  type Line,
  objectList,
  stateOf,
} from './test-courses.ts';
import { MigrationWorld } from './test-nodes.ts';
import { withOthersPart, withSockets } from './test-others.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';
const VMI = 'VirtualMachineInstance';

export interface Played {
  readonly recorded: Courses;
  readonly played: Courses;
}

const textOf = (path: string): string => gunzipSync(readFileSync(path)).toString();

export async function playRecording(folder: string): Promise<Played> {
  const lines = textOf(`${folder}/history.jsonl.gz`)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  const { items } = JSON.parse(textOf(`${folder}/before.json.gz`), (_, value) => value ?? undefined);
  const { timeline } = JSON.parse(readFileSync(`${folder}/scenario.json`, 'utf8'));
  const player = new Player(basename(folder), lines, items, timeline);
  for (const line of lines) await player.play(line);
  await player.world.seconds(1);
  return { recorded: coursesOf(lines), played: coursesOf(player.seen()) };
}

class Player {
  readonly world: MigrationWorld;
  readonly #lines: Line[] = [];
  readonly #before: readonly JsonObject[];
  readonly #last = new Map<string, JsonObject>();
  readonly #namespace: string;
  readonly #uids: ReadonlyMap<string, unknown>;
  readonly #start: number;

  constructor(
    namespace: string,
    lines: readonly Line[],
    before: readonly JsonObject[],
    timeline: readonly JsonObject[],
  ) {
    this.#before = before;
    this.#namespace = namespace;
    this.#uids = uidsOf(lines);
    const order = lines.flatMap(({ kind, change, state }) =>
      kind === 'Pod' && change === 'added' && !isAttachment(state ?? {}) ? (jobOf(state ?? {}) ?? []) : [],
    );
    const second = (): number => (this.world.clock.now() - this.#start) / 1000;
    const images = timeline.filter(({ action }) => action === 'virt-controller');
    const starts = before.filter(({ kind }) => kind === 'Node' || kind === 'KubeVirt');
    let isStarted = false;
    const image = () => images.findLast(({ t }) => Number(t) <= second())?.launcherImage;
    this.world = new MigrationWorld(
      starts,
      {
        mayStart: ({ metadata }) => isStarted && metadata.name === order[this.#startedSoFar()],
        launcherImage: () => String(image() ?? firstImage(lines)),
      },
      { onEvent: (event) => this.#lines.push(eventLine(second(), event)) },
    );
    isStarted = true;
    this.#start = this.world.clock.now();
    this.world.api.watch(({ kind, key, after }) => {
      const [, name = ''] = key.split('/');
      this.#lines.push(
        after
          ? { t: second(), change: 'modified', kind, name, state: stateOf(after) }
          : { t: second(), change: 'deleted', kind, name },
      );
    });
  }

  seen(): readonly Line[] {
    return this.#lines;
  }

  #startedSoFar(): number {
    return new Set(
      this.#lines.flatMap(({ kind, state }) =>
        kind === 'Pod' && state && !isAttachment(state) ? (jobOf(state) ?? []) : [],
      ),
    ).size;
  }

  async play(line: Line): Promise<void> {
    await this.world.clock.advanceTo(this.#start + line.t * 1000);
    const id = `${line.kind} ${line.name}`;
    const before = this.#last.get(id);
    const after = line.change === 'deleted' ? undefined : line.state;
    if (after) this.#last.set(id, after);
    else this.#last.delete(id);
    if (line.kind === MIGRATION) this.#migration(line.name, before, after);
    if (line.kind === VMI) this.#vmi(line.name, before, after);
    if (line.kind === 'Pod') await this.#pod(line.name, before, after);
    await this.world.clock.settle();
  }

  #migration(name: string, before: JsonObject | undefined, after: JsonObject | undefined): void {
    const key = `${this.#namespace}/${name}`;
    if (!before && after) {
      const { labels, annotations, finalizers, spec } = after;
      const uid = this.#uids.get(name);
      const metadata = { name, namespace: this.#namespace, uid, labels, annotations, finalizers };
      this.world.put({ kind: MIGRATION, metadata, spec });
    }
    if (after?.deleting && !before?.deleting) this.world.api.delete(MIGRATION, key);
  }

  async #pod(name: string, before: JsonObject | undefined, after: JsonObject | undefined): Promise<void> {
    const job = jobOf(after ?? before ?? {});
    if (job !== undefined) await this.#targetPod(job, before, after);
    else if (after && !before) this.world.put(this.#newPod(name, after));
    else if (after && before) this.#changePod(name, after);
    else this.world.api.delete('Pod', `${this.#namespace}/${name}`, { graceSeconds: 0 });
  }

  /** The pods of this controller have other names, and come perhaps a moment later. */
  async #targetPod(
    job: string,
    before: JsonObject | undefined,
    after: JsonObject | undefined,
  ): Promise<void> {
    const app = isAttachment(after ?? before ?? {}) ? 'hotplug-disk' : 'virt-launcher';
    if (!before) return;
    const pod = () => this.world.podOf(job, app);
    await this.world.clock.until(() => pod() !== undefined, 1.2);
    const name = pod()?.metadata.name;
    const isGivenUp = before.deleting !== undefined && before.phase === 'Pending';
    if (name !== undefined && after) this.#changePod(name, after);
    else if (name !== undefined && !isGivenUp)
      this.world.api.delete('Pod', `${this.#namespace}/${name}`, { graceSeconds: 0 });
  }

  #changePod(name: string, { phase, conditions, nodeName, labels }: JsonObject): void {
    const key = `${this.#namespace}/${name}`;
    if (!this.world.api.get('Pod', key)) return;
    this.world.modify('Pod', key, (pod: JsonObject) => ({
      ...pod,
      metadata: {
        ...objectAt(pod, 'metadata'),
        labels: { ...objectAt(objectAt(pod, 'metadata'), 'labels'), ...(labels as object) },
      },
      spec: { ...objectAt(pod, 'spec'), nodeName },
      status: { ...objectAt(pod, 'status'), phase, conditions },
    }));
  }

  #newPod(name: string, state: JsonObject): object {
    const [kind, owner = ''] = String(objectList(state.owner)[0]).split('/');
    const uid = this.world.api.get(kind as Kind, `${this.#namespace}/${owner}`)?.metadata.uid;
    const labels = objectAt(state, 'labels');
    return {
      kind: 'Pod',
      metadata: {
        name,
        namespace: this.#namespace,
        uid: state.uid,
        labels: { ...labels, [LABEL.app]: isAttachment(state) ? 'hotplug-disk' : 'virt-launcher' },
        annotations: state.annotations,
        ownerReferences: [{ kind, name: owner, uid: labels[LABEL.createdBy] ?? uid, controller: true }],
      },
      spec: {
        nodeName: state.nodeName,
        nodeSelector: state.nodeSelector,
        containers: [{ name: 'compute', image: objectList(state.image)[0] }],
        terminationGracePeriodSeconds: state.terminationGracePeriodSeconds,
      },
      status: { phase: state.phase, conditions: state.conditions },
    };
  }

  #vmi(name: string, before: JsonObject | undefined, after: JsonObject | undefined): void {
    const key = `${this.#namespace}/${name}`;
    if (!after) this.world.api.delete(VMI, key);
    else if (before) this.world.modify(VMI, key, (vmi: JsonObject) => withOthersPart(vmi, before, after));
    else this.world.put(this.#newVmi(name, after));
  }

  #newVmi(name: string, state: JsonObject): object {
    const { uid, labels, annotations, conditions } = state;
    const spec = this.#before.find((object) => object.kind === VMI && nameOf(object) === name)?.spec ?? {};
    return {
      kind: VMI,
      metadata: { name, namespace: this.#namespace, uid, labels, annotations },
      spec: withSockets(spec as JsonObject, state.cpu),
      status: { selinuxContext: 'none', runtimeUser: 107, ...objectAt(state, 'status'), conditions },
    };
  }
}

function eventLine(t: number, event: RecordedEvent): Line {
  const object = `${event.kind}/${event.name}`;
  return { t, change: 'added', kind: 'Event', name: event.name, state: { ...event, object } };
}

function nameOf(object: JsonObject): unknown {
  return objectAt(object, 'metadata').name;
}

function firstImage(lines: readonly Line[]): unknown {
  return lines.flatMap(({ kind, state }) => (kind === 'Pod' ? objectList(state?.image) : []))[0];
}

/** UIDs of migrations by name, as their pods tell them. */
function uidsOf(lines: readonly Line[]): Map<string, unknown> {
  return new Map(
    lines.flatMap(({ state = {} }) => {
      const job = jobOf(state);
      return job === undefined ? [] : [[job, objectAt(state, 'labels')[LABEL.migrationJobUid]] as const];
    }),
  );
}
