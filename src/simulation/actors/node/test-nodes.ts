/** A world of a few nodes with their agents, in which a test plays virt-controller by hand. */

import { recordLog, recordMetrics } from '../../../controllers/test-records.ts';
import { migrationConfiguration } from '../../../decide/migration/configuration.ts';
import type { Kind } from '../../../fleet/fleet.ts';
import { aKubeVirt, aNode, aPod, aVmi } from '../../../kubevirt/builders.ts';
import { type JsonObject, objectAt } from '../../../kubevirt/json.ts';
import { LABEL } from '../../../kubevirt/names.ts';
import { nameIn } from '../../../kubevirt/object-key.ts';
import type { MigrationConfiguration, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { MemoryApi } from '../../memory-api.ts';
import { MemoryCluster, type MemoryClusterOptions } from '../../memory-cluster.ts';
import { seededRandom } from '../../seeded-random.ts';
import { VirtualClock } from '../../virtual-clock.ts';
import { type NodeAgents, nodeAgents } from './node-agents.ts';
import type { NodeAgentOptions } from './options.ts';

/** 2026-03-01T12:00:00Z. */
export const START = 1_772_366_400_000;

export const VMI = 'VirtualMachineInstance';

const aHost = (name: string) =>
  aNode(name)
    .labelled('kubevirt.io/schedulable', 'true')
    .labelled('host-model-cpu.node.kubevirt.io/Skylake-Server', 'true');

/** A VMI in its launcher that is on the node and ready, as virt-controller hands it over. */
export const aScheduledVmi = (name: string, node = 'n1') =>
  aVmi(name)
    .on(node)
    .phase('Scheduled')
    .spec({
      terminationGracePeriodSeconds: 30,
      volumes: [{ name: 'disk', containerDisk: {} }],
      networks: [{ name: 'default', pod: {} }],
      domain: {
        cpu: { model: 'host-model', sockets: 1, cores: 1, threads: 1 },
        memory: { guest: '1G' },
        devices: { interfaces: [{ name: 'default', masquerade: {} }] },
      },
    })
    .status({
      phase: 'Scheduled',
      nodeName: node,
      activePods: { [`uid-${name}-1`]: node },
      launcherContainerImageVersion: 'launcher:v1',
      conditions: [{ type: 'Ready', status: 'False', reason: 'GuestNotRunning' }],
      phaseTransitionTimestamps: [{ phase: 'Scheduled', phaseTransitionTimestamp: '2026-03-01T12:00:00Z' }],
    });

/** The launcher pod of a VMI with that number, bound to a node. */
export function launcher(vmi: Vmi, node: string, number = 1): Pod {
  const grace = (vmi.spec?.terminationGracePeriodSeconds ?? 30) + 30;
  const name = `virt-launcher-${vmi.metadata.name}-${number}`;
  return aPod(name)
    .launcherOf(vmi)
    .on(node)
    .meta({ uid: `uid-${vmi.metadata.name}-${number}` })
    .spec({
      nodeName: node,
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: grace,
      containers: [{ name: 'compute', image: 'launcher:v1' }],
    })
    .phase('Pending')
    .build();
}

export class NodesWorld {
  readonly clock = new VirtualClock(START);
  readonly api = new MemoryApi(this.clock, seededRandom(1));
  readonly log = recordLog();
  readonly cluster: MemoryCluster;
  readonly agents: NodeAgents;
  readonly #seen = new Map<string, string[]>();

  constructor(
    objects: readonly object[],
    options: NodeAgentOptions = {},
    clusterOptions: Partial<MemoryClusterOptions> = {},
  ) {
    const nodes = ['n1', 'n2', 'n3', 'n4'].map((name) => aHost(name).build());
    this.put(aKubeVirt().build(), ...nodes, ...objects);
    this.api.watch(({ kind, key, after }) => this.#see(kind, key, after));
    this.cluster = new MemoryCluster({ api: this.api, clock: this.clock, ...clusterOptions });
    const { metrics } = recordMetrics();
    const context = {
      cluster: this.cluster,
      clock: this.clock,
      random: seededRandom(3),
      log: this.log,
      metrics,
    };
    this.agents = nodeAgents(context, { times: { heartbeatSeconds: 0 }, ...options });
  }

  put(...objects: readonly object[]): void {
    for (const object of objects) this.api.put((object as { kind: Kind }).kind, object);
  }

  async run(seconds: number): Promise<void> {
    await this.clock.advance(seconds);
  }

  second(): number {
    return Math.round(this.clock.now() - START) / 1000;
  }

  vmi(name = 'db'): Vmi {
    return this.api.get(VMI, `shop/${name}`) as unknown as Vmi;
  }

  pod(name = 'virt-launcher-db-1'): Pod | undefined {
    return this.api.get('Pod', `shop/${name}`) as unknown as Pod | undefined;
  }

  change(kind: Kind, key: string, change: (object: JsonObject) => JsonObject): void {
    const result = this.api.modify(kind, key, change as never);
    if (!result.ok) throw new Error(result.message);
  }

  /** Another status of the VMI. */
  status(name: string, status: Vmi['status']): void {
    this.change(VMI, `shop/${name}`, (vmi) => ({
      ...vmi,
      status: { ...objectAt(vmi, 'status'), ...status },
    }));
  }

  /** As virt-controller hands a migration over, with the target pod made and ready. */
  async handOff(name: string, target: string, number = 2, set: MigrationConfiguration = {}): Promise<void> {
    const vmi = this.vmi(name);
    if (!this.pod(`virt-launcher-${name}-${number}`)) this.put(launcher(vmi, target, number));
    await this.clock.until(
      () => this.pod(`virt-launcher-${name}-${number}`)?.status?.phase === 'Running',
      60,
    );
    this.change(VMI, `shop/${name}`, (held) => {
      const metadata = objectAt(held, 'metadata');
      const labels = { ...objectAt(metadata, 'labels'), [LABEL.migrationTargetNodeName]: target };
      const migrationState = {
        migrationUid: `move-${number}`,
        sourceNode: vmi.status?.nodeName,
        sourcePod: `virt-launcher-${name}-${number - 1}`,
        targetNode: target,
        targetPod: `virt-launcher-${name}-${number}`,
        migrationConfiguration: migrationConfiguration(set),
      };
      return {
        ...held,
        metadata: { ...metadata, labels },
        status: { ...objectAt(held, 'status'), migrationState },
      };
    });
  }

  /** What a VMI or a pod went through, `second what`, as `describe` puts it; equal ones in a row once. */
  course(key: string): readonly string[] {
    return this.#seen.get(key) ?? [];
  }

  /** virt-handler's events, as `Type Reason: message`. */
  told(name = 'db'): string[] {
    return this.cluster.events
      .filter((event) => event.name === name)
      .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
  }

  #see(kind: Kind, key: string, object: JsonObject | undefined): void {
    const name = nameIn(key);
    const seen = this.#seen.get(name) ?? [];
    const what =
      object === undefined
        ? 'gone'
        : kind === VMI
          ? ofVmi(object as never)
          : kind === 'Pod'
            ? ofPod(object as never)
            : '';
    const last = seen.at(-1);
    if (last?.slice(last.indexOf(' ') + 1) !== what) seen.push(`${this.second()} ${what}`);
    this.#seen.set(name, seen);
  }
}

function ofPod({ metadata, status }: Pod): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return [
    status?.phase,
    ready && `ready=${ready.status}${ready.reason ? `/${ready.reason}` : ''}`,
    metadata.deletionTimestamp && `deleting within ${metadata.deletionGracePeriodSeconds}`,
  ]
    .filter(Boolean)
    .join(' ');
}

const STATE_FIELDS = [
  'targetNodeAddress',
  'startTimestamp',
  'targetNodeDomainDetected',
  'targetNodeDomainReadyTimestamp',
  'endTimestamp',
  'completed',
  'failed',
] as const;

function ofVmi({ metadata, status }: Vmi): string {
  const state = status?.migrationState;
  return [
    status?.phase,
    status?.nodeName,
    state?.migrationUid,
    ...STATE_FIELDS.filter((field) => state?.[field]).slice(state?.failed ? -1 : -1),
    state?.mode && state.mode !== 'PreCopy' && state.mode,
    state?.failureReason,
    metadata.labels?.[LABEL.migrationTargetNodeName] &&
      `to ${metadata.labels[LABEL.migrationTargetNodeName]}`,
  ]
    .filter(Boolean)
    .join(' ');
}
