import { DRAIN_CLIENTS, type DrainFlags, KUBECTL_USUAL_FLAGS } from '../../decide/drain/clients.ts';
import type { Kind } from '../../fleet/fleet.ts';
import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { uncordon } from '../../simulation/actors/drain/cordon.ts';
import { kubectlDrain } from '../../simulation/actors/drain/kubectl.ts';
import { callVm, configure, editVm, mergePatch } from '../../simulation/actors/tenants/tenants.ts';
import type { SimulatedCluster } from '../../simulation/simulated-cluster.ts';
import type { Course } from './course.ts';
import type { Recording, TimelineAction } from './recording.ts';
import { cancelEvacuations, changeBudget } from './seen-actions.ts';

/** What the actions of a timeline work on. */
export interface Stage {
  readonly recording: Recording;
  readonly simulated: SimulatedCluster;
  readonly real: Course;
  readonly ours: Course;
  /** virt-controller starts again, with another image for launchers. */
  restartController(launcherImage: string): void;
}

type Act = (stage: Stage, action: TimelineAction) => unknown;

/** Every action of the recordings. What is done by a client that waits for answers goes on by itself. */
const ACTIONS: Readonly<Record<string, Act>> = {
  random: () => {},
  'drain-end': () => {},
  apply,
  async kubevirt({ simulated: { cluster } }, { spec, status }) {
    if (spec) await configure(cluster, spec);
    if (status) await mergePatch(cluster, 'KubeVirt', 'kubevirt/kubevirt', { status }, 'status');
  },
  start: ({ simulated, recording }, { vm }) => callVm(simulated.cluster, `${recording.name}/${vm}`, 'start'),
  evict({ simulated, recording, real, ours }, { pod, dryRun }) {
    const name = ours.names.madeUpFor(real.names.of(String(pod)));
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: recording.name } };
    return simulated.cluster.evict({ namespace: recording.name, pod: name, body, dryRun: dryRun === true });
  },
  drain({ simulated }, { node, timeout, extra }) {
    const flags = { ...KUBECTL_USUAL_FLAGS, ...flagsIn(String(extra ?? '')) };
    const client = { ...DRAIN_CLIENTS.kubectl, flags, timeoutSeconds: Number(timeout) };
    return kubectlDrain(simulated.contextFor('kubectl'), { nodes: [String(node)], client });
  },
  uncordon: ({ simulated }, { node }) => uncordon(simulated.cluster, String(node)),
  edit({ simulated, recording }, { vm, sockets }) {
    if (sockets === undefined) throw new Error(`${recording.name}: an edit of something else than sockets`);
    const patch = { spec: { template: { spec: { domain: { cpu: { sockets } } } } } };
    return editVm(simulated.cluster, `${recording.name}/${vm}`, patch);
  },
  pdb: changeBudget,
  addvolume({ simulated, recording }, { vm }) {
    return addVolume(simulated, `${recording.name}/${vm}`, pluggedVolumeOf(recording, String(vm)));
  },
  'virt-controller': (stage, { launcherImage }) => stage.restartController(String(launcherImage)),
  'delete-vmim'({ simulated, recording, real, ours }, { out }) {
    const recorded = /"(.*)" deleted/.exec(String(out))?.[1] ?? '';
    const name = ours.names.madeUpFor(real.names.of(recorded));
    return simulated.cluster.delete('VirtualMachineInstanceMigration', `${recording.name}/${name}`);
  },
  'evacuate-cancel': cancelEvacuations,
};

const FLAGS: Readonly<Record<string, Partial<DrainFlags>>> = {
  '--force': { force: true },
  '--disable-eviction': { disableEviction: true },
};

function flagsIn(extra: string): Partial<DrainFlags> {
  const words = extra.split(/\s+/).filter((word) => word !== '');
  const flags = words.map((word) => {
    const known = FLAGS[word];
    if (!known) throw new Error(`a drain with the flag ${word} is not known`);
    return known;
  });
  return Object.assign({}, ...flags);
}

/** Does what was done; an action that nobody knows is an error, not a gap. */
export function act(stage: Stage, action: TimelineAction): void {
  const known = ACTIONS[action.action];
  if (!known) throw new Error(`${stage.recording.name}: the action "${action.action}" is not known`);
  void known(stage, action);
}

/** The client sent one object after another: each comes when it came. */
function apply(
  { simulated, recording: { changes, name: namespace } }: Stage,
  { t, objects }: TimelineAction,
): void {
  for (const object of objects as readonly JsonObject[]) {
    const { name } = objectAt(object, 'metadata');
    const came = changes.find(
      (change) => change.change === 'added' && change.kind === object.kind && change.name === name,
    );
    const kind = object.kind as Kind;
    const isClusterWide = kind === 'PersistentVolume';
    simulated.clock.after(Math.max(0, (came?.t ?? t) - t), () => {
      void simulated.cluster.create(kind, isClusterWide ? undefined : namespace, object);
    });
  }
}

/** The volume as the dump has it on the VM. */
function pluggedVolumeOf({ before, name }: Recording, vm: string): object {
  const found = before.find(
    ({ kind, metadata }) => kind === 'VirtualMachine' && (metadata as JsonObject).name === vm,
  );
  const template = objectAt(objectAt(found ?? {}, 'spec'), 'template');
  const volume = objectsAt(objectAt(template, 'spec'), 'volumes').find(
    (held) => objectAt(held, 'persistentVolumeClaim').hotpluggable === true,
  );
  if (!volume) throw new Error(`${name}: no plugged volume on ${vm} in the dump`);
  return volume;
}

async function addVolume(simulated: SimulatedCluster, key: string, volume: object): Promise<void> {
  await simulated.cluster.modify('VirtualMachine', key, (vm) => {
    const template = vm.spec?.template;
    const spec = template?.spec;
    return {
      ...vm,
      spec: {
        ...vm.spec,
        template: { ...template, spec: { ...spec, volumes: [...(spec?.volumes ?? []), volume] } },
      },
    } as typeof vm;
  });
}
