import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fleet } from '../../fleet/fleet.ts';
import type { PodDisruptionBudget, Vmi } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { clusterObjects } from '../../scenario/cluster.ts';
import { type Forecast, OUTCOMES, type VmVerdict } from '../forecast.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { aCluster, aTightCluster, bystanders, NODES } from '../test-arbitraries.ts';
import { fleetOf } from '../test-clusters.ts';
import { planConfig } from './config.ts';
import { planDrain } from './drain.ts';
import { planEvict } from './evict.ts';
import { explainVmi } from './explain.ts';
import { planUpgrade } from './upgrade.ts';

const OPTIONS = { now: 0 };
/** Others leave room, or take it. */
const BY_OTHERS: ReadonlySet<string | undefined> = new Set(['WaitsForRoom', 'RoomTaken', 'PlacesHeld']);

function everyForecast(fleet: Fleet): Forecast[] {
  return [
    planUpgrade(fleet, { launcherImage: 'L2' }, OPTIONS),
    planUpgrade(fleet, {}, { ...OPTIONS, behavior: 'intended' }),
    ...(['kubectl', 'talos-node', 'cluster-autoscaler', 'descheduler'] as const).map((client) =>
      planDrain(fleet, { ...DRAIN_DEFAULTS, client, nodes: NODES }, OPTIONS),
    ),
    planEvict(fleet, { vms: [] }, OPTIONS),
    planConfig(fleet, { set: [{ path: 'evictionStrategy', value: 'LiveMigrateIfPossible' }] }, OPTIONS),
  ];
}

describe('whatever the cluster', () => {
  it('each VM has one verdict, and the counts add up to the VMs', () => {
    fc.assert(
      fc.property(aCluster, (cluster) => {
        for (const { status } of everyForecast(fleetOf(clusterObjects(cluster)))) {
          const keys = status.vms.map(({ namespace, name }) => `${namespace}/${name}`);
          expect(new Set(keys).size).toBe(keys.length);
          expect(OUTCOMES.reduce((sum, outcome) => sum + status.counts[outcome], 0)).toBe(keys.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('every verdict has a reason, evidence and a message that names the VM', () => {
    fc.assert(
      fc.property(aCluster, (cluster) => {
        for (const vm of everyForecast(fleetOf(clusterObjects(cluster))).flatMap(
          ({ status }) => status.vms,
        )) {
          expect(vm.reason).toMatch(/^[A-Z][A-Za-z0-9]+$/);
          expect(vm.evidence.length, vm.message).toBeGreaterThan(0);
          expect(vm.message).toMatch(new RegExp(`^${vm.namespace}/${vm.name} \\S`));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('the order of the input objects changes nothing', () => {
    const shuffled = fc.tuple(fc.oneof(aCluster, aTightCluster), bystanders).chain(([cluster, others]) => {
      const objects = [...clusterObjects(cluster), ...others];
      return fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length }));
    });
    fc.assert(
      fc.property(shuffled, ([objects, other]) => {
        expect(everyForecast(fleetOf(other))).toEqual(everyForecast(fleetOf(objects)));
      }),
      { numRuns: 60 },
    );
  });

  it('explain agrees with plan', () => {
    fc.assert(
      fc.property(fc.oneof(aCluster, aTightCluster), (cluster) => {
        const fleet = fleetOf(clusterObjects(cluster));
        for (const vmi of fleet.all('VirtualMachineInstance')) {
          const explained = explainVmi(fleet, keyOf(vmi), OPTIONS);
          expect(explained.map((forecast) => told(forecast, vmi))).toEqual(
            planned(fleet, vmi).map((forecast) => told(forecast, vmi)),
          );
        }
      }),
      { numRuns: 40 },
    );
  });

  it('others that are evicted can only use up a budget, and leave room or take it', () => {
    fc.assert(
      fc.property(aTightCluster, (cluster) => {
        const fleet = fleetOf(clusterObjects(cluster));
        const together = planEvict(fleet, { vms: [] }, OPTIONS);
        for (const vmi of fleet.all('VirtualMachineInstance')) {
          const alone = told(planEvict(fleet, { vms: [keyOf(vmi)] }, OPTIONS), vmi);
          const beside = told(together, vmi);
          if (beside.reason === 'BudgetSpent')
            expect(['Restarts', 'StaysOff', 'MayStayOff']).toContain(alone.outcome);
          else if (![alone.reason, beside.reason].some((reason) => BY_OTHERS.has(reason)))
            expect([beside.outcome, beside.reason]).toEqual([alone.outcome, alone.reason]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('no more VMs of a budget stay off than it allows', () => {
    fc.assert(
      fc.property(aTightCluster, fc.constantFrom('kubectl', 'talos-node'), (cluster, client) => {
        const fleet = fleetOf(clusterObjects(cluster));
        const question = { ...DRAIN_DEFAULTS, client, nodes: NODES, timeoutSeconds: 300 } as const;
        for (const { status } of [
          planEvict(fleet, { vms: [] }, OPTIONS),
          planDrain(fleet, question, OPTIONS),
        ]) {
          for (const budget of fleet.budgetsIn('default')) {
            const off = status.vms.filter((vm) => isOff(vm) && poolOf(fleet, vm) === budget.metadata.name);
            expect(off.length).toBeLessThanOrEqual(allowedBy(fleet, budget));
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** The plans that are explained: of all VMs; an eviction of one VM is a question about that one. */
function planned(fleet: Fleet, vmi: Vmi): Forecast[] {
  const node = vmi.status?.nodeName;
  return [
    planUpgrade(fleet, {}, OPTIONS),
    ...(node ? [planDrain(fleet, { ...DRAIN_DEFAULTS, nodes: [node] }, OPTIONS)] : []),
    planEvict(fleet, { vms: [keyOf(vmi)] }, OPTIONS),
  ];
}

function told({ status }: Forecast, { metadata }: Vmi) {
  const vm = status.vms.find(({ name }) => name === metadata.name);
  return { name: vm?.name, outcome: vm?.outcome, reason: vm?.reason, message: vm?.message };
}

function isOff({ outcome }: VmVerdict): boolean {
  return outcome === 'StaysOff' || outcome === 'MayStayOff';
}

function poolOf(fleet: Fleet, { namespace, name }: VmVerdict): string | undefined {
  return fleet.get('VirtualMachineInstance', `${namespace}/${name}`)?.metadata.labels?.pool;
}

/** Budgets are called as their pools are. */
function allowedBy(fleet: Fleet, { metadata, spec }: PodDisruptionBudget): number {
  const pods = fleet.podsIn('default').filter(({ metadata: { labels } }) => labels?.pool === metadata.name);
  return Math.max(0, pods.length - Number(spec?.minAvailable));
}
