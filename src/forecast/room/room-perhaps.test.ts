import { describe, expect, it } from 'vitest';
import { aMigration, aPod } from '../../kubevirt/builders.ts';
import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioVm } from '../../scenario/schema.ts';
import { planDrain } from '../plans/drain.ts';
import { planUpgrade } from '../plans/upgrade.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf, poolBudget } from '../test-clusters.ts';

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

describe('a VM whose quota has no place', () => {
  const drained = (first: Partial<ScenarioVm>, second: Partial<ScenarioVm>, more: RawObject[] = []) => {
    const evicted: ScenarioVm = { name: 'evicted', node: 'n1', cpu: 1, strategy: 'None', migratable: 'No' };
    const vms = [
      { ...moves, strategy: 'LiveMigrate', ...first },
      { ...evicted, ...second },
    ];
    const objects = clusterObjects({ nodes, vms, objects: [full, ...more] });
    const question = { ...DRAIN_DEFAULTS, nodes: ['n1', 'n2'], timeoutSeconds: 60 };
    return planDrain(fleetOf(objects), question, { now: 0 }).status.vms.find(({ name }) => name === 'moves');
  };
  const pinned = { nodeSelector: { 'kubernetes.io/hostname': 'n2' } };

  it('may get the place of one on a node that is drained later, be that only for a moment', () => {
    expect(drained({}, { node: 'n2', ...pinned })).toMatchObject({
      reason: 'QuotaExceeded',
      otherwise: ['Moves'],
      message: expect.stringMatching(
        /; should those of nodes that are drained later leave room for it, it moves$/,
      ),
    });
    expect(drained({}, { node: 'n3' })?.otherwise).toBeUndefined();
  });

  it('gets that of one on a node that was drained before', () => {
    const off = { node: 'n1', runStrategy: 'Manual' };
    expect(drained({ node: 'n2' }, off)?.message).toMatch(
      /; it goes as soon as default\/evicted leaves room$/,
    );
  });

  it('may get that of one whom a budget lets go by chance', () => {
    const labels = { pool: 'web' };
    const budget = poolBudget({ minAvailable: 1 }, 'guard');
    const verdict = drained({}, { labels, runStrategy: 'Manual' }, [budget, ...startingWeb()]);
    expect(verdict?.message).toMatch(/; should default\/evicted leave room for it, it moves$/);
  });
});

/** A pod of the same budget that is not up yet. */
function startingWeb(): RawObject[] {
  const web = aPod('web', 'default').on('n3').phase('Running').condition('Ready', 'False').build();
  return [{ ...web, metadata: { ...web.metadata, labels: { pool: 'web' } } }];
}
