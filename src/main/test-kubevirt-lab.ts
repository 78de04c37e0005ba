import type { Behavior } from '../decide/rules.ts';
import { aKubeVirt } from '../kubevirt/builders.ts';
import { objectAt } from '../kubevirt/json.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { isMigrationFinal } from '../kubevirt/predicates.ts';
import { KUBEVIRT_ACCOUNT, userOf } from '../kubevirt/requester.ts';
import { LAB_FLAGS, type Lab, startLab } from '../lab/lab.ts';
import { kubevirtCrds } from '../lab/objects/crds.ts';
import { loadCrds } from '../lab/objects/load-crds.ts';
import { type StandIn, startStandIn } from '../lab/played/stand-in.ts';
import { HASTE } from '../lab/played/test-haste.ts';
import { waitFor } from '../lab/wait.ts';
import type { NodeDescription } from '../simulation/actors/node/node-objects.ts';
import type { NodeTimes } from '../simulation/actors/node/options.ts';
import { type GuestBehavior, RECORDED_BEHAVIOR } from '../simulation/guests/behavior.ts';
import { behaviorByAnnotations } from '../simulation/guests/lab-annotations.ts';
import { patch, put, register, type Served, serve, untilAsked } from './webhook/test-webhook.ts';

export const OLD_IMAGE = 'launcher:v1';
export const NEW_IMAGE = 'launcher:v2';
const NAMESPACE = 'kubevirt';
const CR = `/apis/kubevirt.io/v1/namespaces/${NAMESPACE}/kubevirts`;

const QUICK: GuestBehavior = {
  ...RECORDED_BEHAVIOR,
  bootSeconds: 0.1,
  shutdown: { kind: 'clean', seconds: 0.3 },
  migration: { kind: 'takes', seconds: 0.5 },
};

/** A whole cluster: a real control plane, Drover's webhook, and a stand-in for KubeVirt's own controllers and the nodes. */
export interface KubeVirtLab {
  readonly lab: Lab;
  readonly standIn: StandIn;
  readonly webhook: Served;
  /** virt-controller makes launchers of this image from now on. */
  setImage(image: string): void;
  stop(): Promise<void>;
}

export interface KubeVirtLabOptions {
  readonly nodes: readonly NodeDescription[];
  readonly methods?: readonly string[];
  readonly batchSize?: number;
  readonly batchInterval?: string;
  readonly configuration?: object;
  /** As in the recorded histories, where not even the beginning is hurried. */
  readonly slow?: boolean;
  /** What launchers are made of at first. */
  readonly image?: string;
  /** Of what stands in for virt-controller. */
  readonly behavior?: Behavior;
  /** Steps of nodes that are to take longer. */
  readonly times?: Partial<NodeTimes>;
}

export async function startKubeVirtLab(options: KubeVirtLabOptions): Promise<KubeVirtLab> {
  const lab = await startLab({ controllerManager: true, scheduler: true, apiServerFlags: LAB_FLAGS });
  await loadCrds(lab.admin, kubevirtCrds());
  for (const name of [NAMESPACE, 'drover-system']) await lab.kubectl(['create', 'namespace', name]);
  await createKubeVirt(lab, options);
  let image = options.image ?? OLD_IMAGE;
  const standIn = await startStandIn(lab, {
    launcherImage: () => image,
    behavior: options.behavior,
    nodes: {
      nodes: options.nodes,
      ...(!options.slow && {
        times: { ...HASTE, ...options.times },
        behaviorOf: (vmi: Vmi) => behaviorByAnnotations(vmi, QUICK),
      }),
    },
  });
  const user = userOf(KUBEVIRT_ACCOUNT.api, NAMESPACE);
  const kubeconfig = await lab.kubeconfigFor({ user, groups: ['system:masters'] });
  const webhook = await serve(lab, { source: { kubeconfig } });
  await register(lab, webhook);
  await untilAsked(lab, webhook);
  return {
    lab,
    standIn,
    webhook,
    setImage: (next) => {
      image = next;
    },
    async stop() {
      await standIn.stop();
      await webhook.stop();
      await lab.stop();
    },
  };
}

async function createKubeVirt(lab: Lab, options: KubeVirtLabOptions): Promise<void> {
  const { methods = [], batchSize = 10, batchInterval = '1m', configuration } = options;
  const { status, ...draft } = aKubeVirt('kubevirt', NAMESPACE)
    .methods(...methods)
    .batches(batchSize, batchInterval)
    .build();
  const spec = { ...draft.spec, configuration: { ...draft.spec?.configuration, ...configuration } };
  await put(lab, CR, { apiVersion: 'kubevirt.io/v1', ...draft, spec });
  await patch(lab, `${CR}/kubevirt/status`, { status });
}

export const patchKubeVirt = (lab: Lab, body: object): Promise<object> => patch(lab, `${CR}/kubevirt`, body);
export const patchKubeVirtStatus = (lab: Lab, status: object): Promise<object> =>
  patch(lab, `${CR}/kubevirt/status`, { status });

export interface VmDraft {
  readonly strategy?: string | undefined;
  /** The reason that LiveMigratable=False is to carry. */
  readonly unmigratable?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly node?: string;
}

/** A VM as tenants write it. */
export function aVmManifest(name: string, draft: VmDraft = {}): object {
  const { strategy, unmigratable, labels = {}, node } = draft;
  const annotations = { ...draft.annotations, ...(unmigratable && { 'lab/migratable': unmigratable }) };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name },
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: { annotations, labels },
        spec: {
          ...(strategy === undefined ? {} : { evictionStrategy: strategy }),
          ...(node === undefined ? {} : { nodeSelector: { 'kubernetes.io/hostname': node } }),
          domain: {
            cpu: { sockets: 1, cores: 1, threads: 1 },
            memory: { guest: '64Mi' },
            devices: {
              disks: [{ name: 'd', disk: { bus: 'virtio' } }],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [{ name: 'd', containerDisk: { image: 'registry.example/disk:1' } }],
        },
      },
    },
  };
}

/** Creates VMs and waits until all of them run. */
export async function runVms({ lab, standIn }: KubeVirtLab, vms: readonly object[]): Promise<void> {
  for (const vm of vms) await put(lab, '/apis/kubevirt.io/v1/namespaces/default/virtualmachines', vm);
  const names = vms.map((vm) => String(objectAt(vm as never, 'metadata').name));
  await waitFor(() => names.every((name) => isSettled(standIn, name)), {
    what: 'the VMs to run',
    seconds: 90,
  });
}

export const vmiOf = ({ cluster }: StandIn, name: string): Vmi | undefined =>
  cluster.fleet.get('VirtualMachineInstance', `default/${name}`);

/** It runs, and its virt-handler has looked at it. */
function isSettled(standIn: StandIn, name: string): boolean {
  const status = vmiOf(standIn, name)?.status;
  const isKnown = status?.conditions?.some(({ type }) => type === 'LiveMigratable') ?? false;
  return status?.phase === 'Running' && isKnown && status.launcherContainerImageVersion !== undefined;
}

/** Until every one of these runs on the launcher, and nothing is under way any more; else it says who does not, and what is. */
export async function untilAllCurrent(
  { cluster }: StandIn,
  names: readonly string[],
  { image = NEW_IMAGE, seconds }: { readonly image?: string; readonly seconds: number },
): Promise<void> {
  const left = () => [
    ...[...cluster.fleet.all('VirtualMachineInstanceMigration')]
      .filter((migration) => !isMigrationFinal(migration))
      .map(
        ({ metadata, spec, status }) => `migration ${metadata.name} of ${spec?.vmiName}: ${status?.phase}`,
      ),
    ...names.flatMap((name) => {
      const { status } = cluster.fleet.get('VirtualMachineInstance', `default/${name}`) ?? {};
      const vm = cluster.fleet.get('VirtualMachine', `default/${name}`);
      const isCurrent = status?.phase === 'Running' && status.launcherContainerImageVersion === image;
      const words = `${status?.phase} of ${status?.launcherContainerImageVersion} on ${status?.nodeName}`;
      return isCurrent ? [] : `${name}: ${words}, VM ${vm?.status?.printableStatus}`;
    }),
  ];
  const what = () => `all VMs to be current; there is left: ${left().join('; ')}`;
  await waitFor(() => left().length === 0, { what, seconds });
}
