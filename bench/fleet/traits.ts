import { createHash } from 'node:crypto';
import type { Chance } from './random.ts';

/** The clock of a generated fleet; nothing in it lies later. */
export const FLEET_NOW = '2026-03-01T12:00:00Z';

/** Launcher image of the current release, and the one that outdated VMIs run. */
export const CURRENT_IMAGE = imageOf('v1.9.0');
export const OUTDATED_IMAGE = imageOf('v1.8.2');

function imageOf(release: string): string {
  const digest = createHash('sha256').update(`virt-launcher ${release}`).digest('hex');
  return `registry.example.org/kubevirt/virt-launcher@sha256:${digest}`;
}

const APPS = [
  'ldap',
  'vdi',
  'cache',
  'jump',
  'queue',
  'build',
  'erp',
  'mail',
  'web',
  'dns',
  'db',
  'proxy',
] as const;

const PHASES = [
  ['Running', 92],
  ['Succeeded', 3],
  ['Failed', 2],
  ['Scheduling', 0.7],
  ['Scheduled', 0.7],
  ['Pending', 0.6],
  ['', 0.5],
  ['Unknown', 0.5],
] as const;

export interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

/** Why a VMI cannot migrate, in the words of virt-handler; `%` stands for the claim of its root disk. */
const OBSTACLES: readonly (readonly [Obstacle, number])[] = [
  [
    {
      reason: 'DisksNotLiveMigratable',
      message:
        'cannot migrate VMI: PVC % is not shared, live migration requires that all PVCs must be shared (using ReadWriteMany access mode)',
    },
    7,
  ],
  [
    {
      reason: 'InterfaceNotLiveMigratable',
      message:
        'cannot migrate VMI which does not use masquerade or a migratable plugin to connect to the pod network',
    },
    2,
  ],
  [
    {
      reason: 'HostDeviceNotLiveMigratable',
      message: 'VMI specifies non-migratable generic PCI host device',
    },
    1,
  ],
];

/** Everything about one VM that its objects (VM, VMI, pod, migrations) have to agree on. */
export interface Traits {
  readonly name: string;
  readonly namespace: string;
  readonly app: string;
  readonly nodeName: string;
  readonly sourceNode: string;
  readonly vmUid: string;
  readonly vmiUid: string;
  readonly podUid: string;
  readonly podName: string;
  readonly createdAt: string;
  readonly generation: number;
  readonly phase: string;
  readonly runStrategy: string;
  readonly evictionStrategy: string | undefined;
  readonly migratable: 'True' | 'False' | undefined;
  readonly obstacle: Obstacle;
  /** Condition that asks for a migration of an up-to-date VMI. */
  readonly change: string | undefined;
  readonly image: string | undefined;
  readonly deleting: boolean;
  readonly guestAgent: boolean;
  readonly size: 'small' | 'medium' | 'large';
  readonly sockets: number;
  readonly memory: string;
  readonly dataDisk: boolean;
  readonly interfaces: 1 | 2;
  readonly affinity: boolean;
  readonly nodeSelector: boolean;
  readonly toleration: boolean;
  readonly migration: 'finished' | 'running' | undefined;
}

export interface FleetRecipe {
  /** VirtualMachines in all; one in 21 of them is halted and has no VMI. */
  readonly vms: number;
  readonly seed?: number | undefined;
  /** Share of the running VMIs that run an old launcher image, in percent. */
  readonly outdatedPercent?: number | undefined;
}

export interface FleetShape {
  readonly nodes: number;
  readonly namespaces: number;
}

/** 40 VMIs a node and 500 a namespace, at least four of each. */
export function shapeOf(recipe: FleetRecipe): FleetShape {
  return {
    nodes: Math.max(4, Math.floor(recipe.vms / 40)),
    namespaces: Math.max(4, Math.floor(recipe.vms / 500)),
  };
}

export function nodeNameOf(index: number): string {
  return `node-${String(index).padStart(4, '0')}.cluster.example.org`;
}

const SIZES = { small: '4Gi', medium: '16Gi', large: '64Gi' } as const;

/** Draws the traits of VM number `index`. */
export function drawTraits(chance: Chance, index: number, recipe: FleetRecipe): Traits {
  const shape = shapeOf(recipe);
  const app = chance.pick(APPS);
  const name = `${app}-${String(index).padStart(5, '0')}`;
  const phase = chance.weighted(PHASES);
  const running = phase === 'Running';
  const outdated = running && chance.percent(recipe.outdatedPercent ?? 40);
  const size = chance.weighted([
    ['small', 5],
    ['medium', 3],
    ['large', 1],
  ]);
  return {
    name,
    namespace: `tenant-${String(index % shape.namespaces).padStart(4, '0')}`,
    app,
    ...drawPlace(chance, name, shape),
    createdAt: daysAgo(chance, 1 + chance.int(400)),
    generation: 2 + chance.int(30),
    phase,
    ...drawPolicies(chance),
    image: running && chance.percent(2) ? undefined : outdated ? OUTDATED_IMAGE : CURRENT_IMAGE,
    deleting: running && chance.percent(1),
    change: running ? drawChange(chance) : undefined,
    migration: drawMigration(chance, running),
    size,
    sockets: chance.pick([1, 2, 4, 8]),
    memory: SIZES[size],
    ...drawDevices(chance),
  };
}

function drawPlace(chance: Chance, name: string, shape: FleetShape) {
  return {
    nodeName: nodeNameOf(chance.int(shape.nodes)),
    sourceNode: nodeNameOf(chance.int(shape.nodes)),
    vmUid: chance.uuid(),
    vmiUid: chance.uuid(),
    podUid: chance.uuid(),
    podName: `virt-launcher-${name}-${chance.hex(5)}`,
  };
}

function drawPolicies(chance: Chance) {
  return {
    runStrategy: chance.weighted([
      ['Always', 72],
      ['RerunOnFailure', 15],
      ['Manual', 10],
      ['Once', 3],
    ]),
    evictionStrategy: chance.weighted<string | undefined>([
      ['LiveMigrate', 70],
      ['LiveMigrateIfPossible', 20],
      [undefined, 8],
      ['External', 2],
    ]),
    migratable: chance.weighted<Traits['migratable']>([
      ['True', 78],
      ['False', 20],
      [undefined, 2],
    ]),
    obstacle: chance.weighted(OBSTACLES),
  };
}

function drawChange(chance: Chance): string | undefined {
  if (chance.percent(3)) return chance.pick(['HotVCPUChange', 'HotMemoryChange', 'MigrationRequired']);
  return chance.percent(0.5) ? 'VolumesChange' : undefined;
}

function drawMigration(chance: Chance, running: boolean): Traits['migration'] {
  if (chance.percent(25)) return 'finished';
  return running && chance.percent(0.3) ? 'running' : undefined;
}

function drawDevices(chance: Chance) {
  return {
    guestAgent: chance.percent(80),
    dataDisk: chance.percent(35),
    interfaces: chance.percent(30) ? (2 as const) : (1 as const),
    affinity: chance.percent(20),
    nodeSelector: chance.percent(30),
    toleration: chance.percent(20),
  };
}

/** A moment that many days before the fleet's clock. */
export function daysAgo(chance: Chance, days: number): string {
  const at = Date.parse(FLEET_NOW) - days * 86_400_000 - chance.int(86_400) * 1000;
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

export function secondsAfter(timestamp: string, seconds: number): string {
  return new Date(Date.parse(timestamp) + seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** Bound to a node. */
export function isPlaced(traits: Traits): boolean {
  return !['', 'Pending', 'Scheduling'].includes(traits.phase);
}
