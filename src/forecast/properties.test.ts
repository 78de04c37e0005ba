import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fleet, isFleetKind } from '../fleet/fleet.ts';
import { project } from '../kubevirt/projection.ts';
import { clusterObjects, type RawObject } from '../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../scenario/schema.ts';
import { planConfig } from './config.ts';
import { planDrain } from './drain.ts';
import { planEvict } from './evict.ts';
import { explainVmi } from './explain.ts';
import { type Forecast, OUTCOMES } from './forecast.ts';
import { DRAIN_DEFAULTS } from './questions.ts';
import { planUpgrade } from './upgrade.ts';

const NODES = ['n1', 'n2', 'n3'];
const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);

/** VMs of every strategy, run strategy, end, phase and oddity, some of them not even complete. */
const aVm: fc.Arbitrary<Omit<ScenarioVm, 'name'>> = fc.record(
  {
    node: pick(...NODES),
    phase: pick('Running', 'Running', 'Running', 'Scheduled', 'Succeeded', 'Failed', 'Pending'),
    launcher: pick('L1', 'L2', ''),
    migratable: pick<true | string>(true, true, 'DisksNotLiveMigratable', 'HostDeviceNotLiveMigratable'),
    strategy: pick('None', 'LiveMigrate', 'LiveMigrateIfPossible', 'External', 'Bogus'),
    templateStrategy: pick('None', 'LiveMigrate'),
    runStrategy: pick('Always', 'RerunOnFailure', 'Manual', 'Once', 'Halted'),
    standalone: fc.boolean(),
    graceSeconds: pick(0, 5, 30, 300),
    acpi: fc.boolean(),
    marked: pick(...NODES),
    deleting: pick(false, false, true),
    conditions: pick<Record<string, string>>(
      {},
      { HotVCPUChange: 'True' },
      { VolumesChange: 'True' },
      { MigrationRequired: 'True' },
    ),
    labels: pick<Record<string, string>>({}, { pool: 'web' }),
    nodeSelector: pick<Record<string, string>>({}, { 'kubernetes.io/hostname': 'n1' }),
    hotplugged: fc.boolean(),
    cpu: pick('100m', '40'),
  },
  { requiredKeys: ['node', 'phase'] },
);

const aBudget = pick<Record<string, unknown>>(
  { minAvailable: 1 },
  { minAvailable: '50%' },
  { maxUnavailable: 1 },
  { minAvailable: 0 },
);

const aCluster: fc.Arbitrary<ScenarioCluster> = fc
  .record({
    vms: fc.array(aVm, { minLength: 1, maxLength: 8 }),
    kubevirt: fc.record({
      version: pick('v1.9.0', 'v1.5.2', 'v1.4.0'),
      phase: pick('Deployed', 'Deployed', 'Deploying'),
      methods: pick<string[]>([], ['LiveMigrate'], ['Evict'], ['LiveMigrate', 'Evict']),
      evictionStrategy: pick('None', 'LiveMigrate', 'LiveMigrateIfPossible'),
      batchEvictionSize: pick(0, 1, 10),
    }),
    budgets: fc.array(aBudget, { maxLength: 2 }),
  })
  .map(({ vms, kubevirt, budgets }) => ({
    kubevirt,
    nodes: NODES,
    vms: vms.map((vm, index) => ({ ...vm, name: `vm-${index}` })),
    objects: budgets.map((spec, index) => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: `budget-${index}` },
      spec: { ...spec, selector: { matchLabels: { pool: 'web' } } },
    })),
  }));

function fleetOf(objects: readonly RawObject[]): Fleet {
  const fleet = new Fleet();
  for (const object of JSON.parse(JSON.stringify(objects)) as RawObject[]) {
    const kind = String(object.kind);
    if (isFleetKind(kind)) fleet.apply(kind, project(kind, object));
  }
  return fleet;
}

const OPTIONS = { now: 0 };

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
    const shuffled = aCluster.chain((cluster) => {
      const objects = clusterObjects(cluster);
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
      fc.property(aCluster, (cluster) => {
        const fleet = fleetOf(clusterObjects(cluster));
        const plans = [planUpgrade(fleet, {}, OPTIONS), planEvict(fleet, { vms: [] }, OPTIONS)];
        for (const { namespace, name } of plans[0]?.status.vms ?? []) {
          const explained = explainVmi(fleet, `${namespace}/${name}`, OPTIONS);
          const same = explained.filter(({ spec }) => spec.action !== 'drain');
          expect(same.map(({ status }) => told(status.vms[0]))).toEqual(
            plans.map(({ status }) => told(status.vms.find((vm) => vm.name === name))),
          );
        }
      }),
      { numRuns: 40 },
    );
  });
});

function told(vm: Forecast['status']['vms'][number] | undefined) {
  return { name: vm?.name, outcome: vm?.outcome, reason: vm?.reason, message: vm?.message };
}
