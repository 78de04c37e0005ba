import { describe, expect, it } from 'vitest';
import { clusterObjects } from '../../scenario/cluster.ts';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf } from '../test-clusters.ts';
import { planConfig } from './config.ts';
import { planDrain } from './drain.ts';

const vm: ScenarioVm = { name: 'a', node: 'n1', migratable: true, strategy: 'LiveMigrate' };

function fleetWith(change: Partial<ScenarioVm>, kubevirt: ScenarioCluster['kubevirt'] = {}) {
  return fleetOf(clusterObjects({ kubevirt, nodes: ['n1', 'n2'], vms: [{ ...vm, ...change }] }));
}

function changed(
  change: Partial<ScenarioVm>,
  set: Readonly<Record<string, string>>,
  kubevirt?: ScenarioCluster['kubevirt'],
) {
  const question = { set: Object.entries(set).map(([path, value]) => ({ path, value })) };
  const { vms, warnings } = planConfig(fleetWith(change, kubevirt), question, { now: 0 }).status;
  return { ...vms[0], warnings };
}

describe('a strategy of the cluster that KubeVirt does not know', () => {
  const typo = { evictionStrategy: 'typo' };

  it('keeps VMs from coming back that name none of their own', () => {
    expect(changed({}, typo)).toMatchObject({
      outcome: 'Untouched',
      reason: 'UnknownStrategy',
      message: expect.stringContaining('next restart: Restarts → StaysOff'),
      remedies: [expect.stringContaining('configuration.evictionStrategy'), expect.anything()],
      later: expect.arrayContaining([
        { when: 'next drain', before: 'LiveMigrates', after: 'LiveMigrates', message: expect.anything() },
        {
          when: 'next restart',
          before: 'Restarts',
          after: 'StaysOff',
          message: expect.stringContaining('spec.evictionStrategy is set with an unrecognized option: typo'),
        },
      ]),
      warnings: expect.arrayContaining([expect.stringContaining('do not come back from a restart')]),
    });
  });

  it('leaves VMs alone that name one', () => {
    const { reason, later } = changed({ templateStrategy: 'LiveMigrate' }, typo);
    expect(reason).toBe('NotAffected');
    expect(later?.map(({ when }) => when)).not.toContain('next restart');
  });

  it.each([
    ['an eviction at the next drain', { strategy: 'None' }, 'next drain'],
    ['an update', { strategy: 'None', migratable: 'DisksNotLiveMigratable' }, 'next upgrade'],
  ])('leaves a VM off after %s', (_, change, when) => {
    const { later } = changed(change, { ...typo, workloadUpdateMethods: 'LiveMigrate,Evict' });
    expect(later).toContainEqual(expect.objectContaining({ when, after: 'StaysOff' }));
  });

  it('is told when it is mended', () => {
    const fleet = fleetWith({});
    const kubevirt = fleet.kubevirt();
    if (!kubevirt) throw new Error('no KubeVirt');
    fleet.apply('KubeVirt', { ...kubevirt, spec: { configuration: typo } });
    const question = { set: [{ path: 'evictionStrategy', value: 'None' }] };
    const [verdict] = planConfig(fleet, question, { now: 0 }).status.vms;
    expect(verdict?.later).toContainEqual(
      expect.objectContaining({ when: 'next restart', before: 'StaysOff', after: 'Restarts' }),
    );
    const drained = planDrain(fleet, { ...DRAIN_DEFAULTS, nodes: ['n1'] }, { now: 0 }).status.vms;
    expect(drained).toMatchObject([{ outcome: 'LiveMigrates' }]);
  });
});

describe('a change that has VMs evacuated at once', () => {
  const tainted = { name: 'n1', taints: [{ key: 'maintenance', effect: 'NoSchedule' }] };
  const set = [{ path: 'nodeDrainTaintKey', value: 'maintenance' }];

  it.each([
    ['LiveMigrate', 'LiveMigrates', 'NodeDrainTaint'],
    ['None', 'Untouched', 'NotAffected'],
  ] as const)('by a taint that their node carries already (%s)', (strategy, outcome, reason) => {
    const fleet = fleetOf(clusterObjects({ nodes: [tainted, 'n2'], vms: [{ ...vm, strategy }] }));
    expect(planConfig(fleet, { set }, { now: 0 }).status.vms).toMatchObject([{ outcome, reason }]);
  });

  it('by a mark that nobody acted on', () => {
    const marked = { strategy: undefined, marked: 'n1' };
    expect(changed(marked, { evictionStrategy: 'LiveMigrate' })).toMatchObject({
      outcome: 'LiveMigrates',
      reason: 'Evacuates',
    });
    expect(changed({ ...marked, marked: 'n2' }, { evictionStrategy: 'LiveMigrate' }).outcome).toBe(
      'Untouched',
    );
  });
});

it.each([
  ['vmRolloutStrategy', 'Stage', 'counts from its next restart'],
  ['allowPostCopy', 'true', 'is lost if that fails'],
  ['allowWorkloadDisruption', 'true', 'is stopped for it to end'],
])('a change of %s to %s is not said to be nothing', (path, value, says) => {
  expect(changed({}, { [path]: value }).warnings.join()).toContain(says);
  expect(changed({}, { progressTimeout: '10' }).warnings.join()).not.toContain(says);
});
