import { expect, it } from 'vitest';
import { aMigration } from '../../kubevirt/builders.ts';
import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioVm } from '../../scenario/schema.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { fleetOf } from '../test-clusters.ts';

const disk = { disk: 'ssd' };
const nodes = [
  { name: 'n1', cpu: 4, labels: disk },
  { name: 'n2', cpu: 4, labels: disk },
  { name: 'n3', cpu: 8 },
];
const moves: ScenarioVm = { name: 'moves', node: 'n1', cpu: 3, migratable: true };
const full: RawObject = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'full' },
  spec: { hard: { pods: '3' } },
  status: { hard: { pods: '3' }, used: { pods: '3' } },
};

/** The target of `second` fits where `moves` is, and nowhere else. */
function foretoldOfSecond(change: Partial<ScenarioVm> = {}) {
  const second: ScenarioVm = { ...moves, name: 'second', node: 'n2', nodeSelector: disk };
  const gone: ScenarioVm = { ...moves, name: 'gone', node: 'n3', cpu: 1, deleting: true };
  const kubevirt = { methods: ['LiveMigrate' as const] };
  const objects = clusterObjects({
    kubevirt,
    nodes,
    vms: [{ ...moves, ...change }, second, gone],
    objects: [full],
  });
  const { vms } = planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, { now: 0 }).status;
  return vms.find(({ name }) => name === 'second');
}

it('one that moves by chance may leave room, and the quota a place while another is shut down', () => {
  expect(foretoldOfSecond()).toMatchObject({
    outcome: 'NeverCompletes',
    reason: 'QuotaExceeded',
    otherwise: ['Moves'],
    message: expect.stringMatching(/; should default\/gone, default\/moves leave room for it, it moves$/),
  });
});

it('one that stays leaves none', () => {
  expect(foretoldOfSecond({ launcher: 'L2' })?.otherwise).toBeUndefined();
});

it('one that is left alone may move all the same, by a migration from before that gets a place', () => {
  const pending = { ...aMigration('move', 'left', 'default').phase('Pending').build() };
  const asked = (deleting: boolean) => {
    const gone: ScenarioVm = { ...moves, name: 'gone', node: 'n3', cpu: 1, deleting };
    const vms = [
      { ...moves, name: 'left', launcher: 'L2' },
      { ...gone, launcher: 'L2' },
    ];
    const kubevirt = { methods: ['LiveMigrate' as const] };
    const objects = clusterObjects({ kubevirt, nodes, vms, objects: [full, pending] });
    const told = planUpgrade(fleetOf(objects), { launcherImage: 'L2' }, { now: 0 }).status.vms;
    return told.find(({ name }) => name === 'left');
  };
  expect(asked(true)).toMatchObject({
    outcome: 'Untouched',
    reason: 'UpToDate',
    otherwise: ['Moves'],
    message: expect.stringMatching(
      /; should others leave room for the migration that it has already, it moves$/,
    ),
  });
  expect(asked(false)?.otherwise).toBeUndefined();
});
