import { type Amounts, loadOf } from '../../../decide/placement/resources.ts';
import { NODE_LABEL_PREFIX } from '../../../kubevirt/names.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import type { ScenarioNode, ScenarioVm } from '../../../scenario/schema.ts';
import { vmObjects } from '../../../scenario/vm.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

const VGPU = 'nvidia.com/GRID_T4-2Q';
const CARD = 'vendor.example/card';
const HUGE_PAGES = 'hugepages-2Mi';
const FEATURE = `${NODE_LABEL_PREFIX.cpuFeature}avx512f`;

/** Devices of the host, processors of their own, huge pages and features of the processor: what VMs have, and what nodes have left of it. */
export function devices(draws: Draws, trial: Trial): Trial {
  const { cluster } = trial;
  const movesVgpus = draws.percent(50);
  const vms = cluster.vms.map((vm) =>
    draws.percent(60) ? withHardware(vm, drawHardware(draws, vm), movesVgpus) : vm,
  );
  const nodes = cluster.nodes.map((node) => withDevices(draws, node, vms));
  const configuration = {
    permittedHostDevices: { mediatedDevices: [{ mdevNameSelector: 'GRID T4-2Q', resourceName: VGPU }] },
    ...(movesVgpus && { developerConfiguration: { featureGates: ['VGPULiveMigration'] } }),
  };
  return { ...trial, cluster: { ...cluster, kubevirt: { ...cluster.kubevirt, configuration }, nodes, vms } };
}

type Hardware = 'vgpu' | 'card' | 'sriov' | 'pinned' | 'numa' | 'huge pages' | 'feature';

/** Who has processors of its own has whole ones. */
function drawHardware(draws: Draws, { cpu }: ScenarioVm): Hardware {
  const drawn = draws.pick<Hardware>(
    'vgpu',
    'vgpu',
    'card',
    'sriov',
    'pinned',
    'numa',
    'huge pages',
    'feature',
  );
  const isPinned = drawn === 'pinned' || drawn === 'numa';
  return isPinned && !Number.isInteger(Number(cpu)) ? 'huge pages' : drawn;
}

const PINNED = { dedicatedCpuPlacement: true };
const HUGE = { hugepages: { pageSize: '2Mi' } };

function withHardware(vm: ScenarioVm, hardware: Hardware, movesVgpus: boolean): ScenarioVm {
  const sockets = Number(vm.cpu);
  const whole = { cpu: undefined, sockets, maxSockets: sockets };
  switch (hardware) {
    case 'vgpu':
      return {
        ...vm,
        ...(!movesVgpus && STAYS),
        spec: domainOf({ devices: { gpus: [{ name: 'gpu', deviceName: VGPU }] } }),
      };
    case 'card':
      return {
        ...vm,
        ...STAYS,
        spec: domainOf({ devices: { hostDevices: [{ name: 'card', deviceName: CARD }] } }),
      };
    case 'sriov':
      return { ...vm, spec: SRIOV };
    case 'pinned':
      return { ...vm, ...whole, spec: domainOf({ cpu: PINNED }) };
    case 'numa':
      return {
        ...vm,
        ...whole,
        spec: domainOf({ cpu: { ...PINNED, numa: { guestMappingPassthrough: {} } }, memory: HUGE }),
      };
    case 'huge pages':
      return { ...vm, spec: domainOf({ memory: HUGE }) };
    case 'feature':
      return { ...vm, spec: domainOf({ cpu: { features: [{ name: 'avx512f', policy: 'require' }] } }) };
  }
}

const STAYS = { migratable: 'HostDeviceNotLiveMigratable' } as const;

function domainOf(domain: object) {
  return { domain };
}

const SRIOV = {
  domain: {
    devices: {
      interfaces: [
        { name: 'default', masquerade: {} },
        { name: 'fast', sriov: {} },
      ],
    },
  },
  networks: [
    { name: 'default', pod: {} },
    { name: 'fast', multus: { networkName: 'fast' } },
  ],
};

/** What those have who are there, and some more or none. */
function withDevices(draws: Draws, given: ScenarioNode, vms: readonly ScenarioVm[]): ScenarioNode {
  const node = typeof given === 'string' ? { name: given } : given;
  const here = vms.filter((vm) => vm.node === node.name);
  const used = usedBy(here);
  const isPinned = here.some(({ spec }) => JSON.stringify(spec)?.includes('dedicatedCpuPlacement'));
  const needsFeature = here.some(({ spec }) => JSON.stringify(spec)?.includes('avx512f'));
  return {
    ...node,
    labels: {
      ...node.labels,
      ...((isPinned || draws.percent(60)) && { cpumanager: 'true' }),
      ...((needsFeature || draws.percent(60)) && { [FEATURE]: 'true' }),
    },
    allocatable: {
      [VGPU]: String((used.get(VGPU) ?? 0) + draws.pick(0, 1, 2)),
      [CARD]: String((used.get(CARD) ?? 0) + draws.pick(0, 0, 1)),
      [HUGE_PAGES]: String((used.get(HUGE_PAGES) ?? 0) + draws.pick(0, 1, 8) * 2 ** 30),
    },
  };
}

function usedBy(vms: readonly ScenarioVm[]): Amounts {
  const objects = vms.flatMap((vm) => vmObjects(vm, 'default')) as unknown as readonly (Pod & {
    readonly kind: string;
  })[];
  return loadOf(objects.filter(({ kind }) => kind === 'Pod'));
}
