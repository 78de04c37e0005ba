import { type BatchMemory, batchMemoryIn } from '../controllers/batch-memory.ts';
import { EvacuationController, type EvacuationOptions } from '../controllers/evacuation-controller.ts';
import { DeedsInHand } from '../controllers/in-hand.ts';
import type { JournalEntry } from '../controllers/journal.ts';
import { recordLog, recordMetrics } from '../controllers/test-records.ts';
import {
  WorkloadUpdateController,
  type WorkloadUpdateOptions,
} from '../controllers/workload-update-controller.ts';
import type { Kind } from '../fleet/fleet.ts';
import { aKubeVirt, aNode, aPod, aVmi } from '../kubevirt/builders.ts';
import type { Pod, Vmi } from '../kubevirt/objects.ts';
import { MemoryApi } from './memory-api.ts';
import { MemoryCluster, type MemoryClusterOptions, type Write } from './memory-cluster.ts';
import { seededRandom } from './seeded-random.ts';
import { VirtualClock } from './virtual-clock.ts';

/** 2026-03-01T12:00:00Z. */
const START = 1_772_366_400_000;

export const NEW_IMAGE = 'launcher:v2';
export const MIGRATION = 'VirtualMachineInstanceMigration';

/** A running VMI with an old launcher. */
export const anOldVmi = (name: string, node = 'n1') =>
  aVmi(name).on(node).launcher('launcher:v1').strategy('LiveMigrate');

export const movable = (name: string) => anOldVmi(name).migratable().build();
export const stuck = (name: string) => anOldVmi(name).migratable('False').build();
export const marked = (name: string, node = 'n1') => anOldVmi(name, node).migratable().marked().build();
/** Of so many VMIs. */
export const names = (count: number) => Array.from({ length: count }, (_, i) => `vm-${i}`);

/** The launcher pod of a VMI, small enough for any node. */
export function launcherOf(vmi: Vmi): Pod {
  const { name } = vmi.metadata;
  return aPod(`virt-launcher-${name}-1`)
    .on(vmi.status?.nodeName ?? '')
    .launcherOf(vmi)
    .asking({ memory: '1Mi', cpu: '1m' })
    .build();
}

/** A node that has room for many. */
export const aRoomyNode = (name: string) =>
  aNode(name)
    .labelled('kubevirt.io/schedulable', 'true')
    .offering({ memory: '64Gi', cpu: '64', pods: '5000' });

/** A cluster in memory and in virtual time, and what controllers need beside it. */
export class World {
  readonly clock = new VirtualClock(START);
  readonly api = new MemoryApi(this.clock, seededRandom(1));
  readonly log = recordLog();
  readonly records = recordMetrics();
  readonly journal: JournalEntry[] = [];
  /** Every write that reached the API, with its second. */
  readonly writes: (Write & { readonly at: number })[] = [];
  /** What the annotation of the Lease holds. */
  batchText: string | undefined;
  readonly batchMemory: BatchMemory = batchMemoryIn(
    {
      read: () => this.batchText,
      write: async (text) => {
        this.batchText = text;
        return { ok: true, name: 'lease' };
      },
    },
    () => this.clock.now(),
  );

  constructor(...objects: readonly object[]) {
    this.put(...objects);
  }

  put(...objects: readonly object[]): void {
    for (const object of objects) this.api.put((object as { kind: Kind }).kind, object);
  }

  /** One client of the API, as a process is. */
  connect(options: Partial<MemoryClusterOptions> = {}): MemoryCluster {
    const faultOf: MemoryClusterOptions['faultOf'] = (write) => {
      this.writes.push({ ...write, at: this.second() });
      return options.faultOf?.(write);
    };
    return new MemoryCluster({ api: this.api, clock: this.clock, ...options, faultOf });
  }

  updater(cluster: MemoryCluster, options: Partial<WorkloadUpdateOptions> = {}): WorkloadUpdateController {
    return new WorkloadUpdateController({
      cluster,
      clock: this.clock,
      random: seededRandom(7),
      log: this.log,
      metrics: this.records.metrics,
      journal: (entry) => this.journal.push(entry),
      behavior: 'intended',
      strategy: () => ({ kind: 'kubevirt' }),
      launcherImage: () => NEW_IMAGE,
      inHand: new DeedsInHand(this.clock),
      memory: this.batchMemory,
      ...options,
    });
  }

  evacuator(cluster: MemoryCluster, options: Partial<EvacuationOptions> = {}): EvacuationController {
    return new EvacuationController({
      cluster,
      clock: this.clock,
      log: this.log,
      metrics: this.records.metrics,
      journal: (entry) => this.journal.push(entry),
      behavior: 'intended',
      inHand: new DeedsInHand(this.clock),
      ...options,
    });
  }

  /** Seconds since the beginning. */
  second(): number {
    return (this.clock.now() - START) / 1000;
  }

  /** Writes of one verb as `name@second`. */
  wrote(verb: Write['verb'], kind?: Kind): string[] {
    return this.writes
      .filter((write) => write.verb === verb && (kind === undefined || write.kind === kind))
      .map(({ key, at }) => `${key}@${Math.round(at * 1000) / 1000}`);
  }

  migrations(): readonly { readonly name: string; readonly vmi: string }[] {
    return [...this.api.list(MIGRATION)].map((object) => ({
      name: object.metadata.name,
      vmi: String((object.spec as { vmiName?: unknown }).vmiName),
    }));
  }

  patch(kind: Kind, key: string, path: string, value: unknown): void {
    const subresource =
      kind === 'VirtualMachineInstance' || !path.startsWith('/status') ? undefined : 'status';
    const result = this.api.patch(kind, key, [{ op: 'add', path, value }], { subresource });
    if (!result.ok) throw new Error(result.message);
  }
}

/** Two roomy nodes, the CR with its methods, and VMIs with their launchers. */
export function aWorld(methods: readonly string[], ...vmis: readonly Vmi[]): World {
  const kubevirt = aKubeVirt().methods(...methods);
  const nodes = ['n1', 'n2'].map((name) => aRoomyNode(name).build());
  return new World(kubevirt.build(), ...nodes, ...vmis.flatMap((vmi) => [vmi, launcherOf(vmi)]));
}

/** A client of the world with an updater on it that runs. */
export function startUpdater(
  world: World,
  options: Partial<WorkloadUpdateOptions> = {},
  faults: Partial<MemoryClusterOptions> = {},
) {
  const cluster = world.connect(faults);
  const controller = world.updater(cluster, options);
  controller.start();
  return { cluster, controller };
}

export function startEvacuator(
  world: World,
  options: Partial<EvacuationOptions> = {},
  faults: Partial<MemoryClusterOptions> = {},
) {
  const cluster = world.connect(faults);
  const controller = world.evacuator(cluster, options);
  controller.start();
  return { cluster, controller };
}

/** Passes of the evacuation controller that went through. */
export function evacuationPasses({ records }: World): number {
  return records.metric('drover_reconciles_total', 'controller=evacuation,result=success') ?? 0;
}

/** Events as `reason name: message`. */
export function told({ events }: MemoryCluster): string[] {
  return events.map(({ reason, name, message }) => `${reason} ${name}: ${message}`);
}
