/**
 * Plays a recorded history with the node agents in it: all that others than kubelet and virt-handler did is done at its recorded
 * time, all that these did is left to the agents.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Kind } from '../../../fleet/fleet.ts';
import { type JsonObject, objectAt } from '../../../kubevirt/json.ts';
import { LABEL } from '../../../kubevirt/names.ts';
import { withControllersPart } from './test-controllers-part.ts';
import { type Course, coursesOf, type Line, projected } from './test-courses.ts';
import { NodesWorld, START, VMI } from './test-nodes.ts';

const NAMESPACE = 'shop';

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
