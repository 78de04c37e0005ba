import { expect, it } from 'vitest';
import { clusterObjects } from '../../scenario/cluster.ts';
import { DRAIN_DEFAULTS, type Scope } from '../questions.ts';
import { fleetOf } from '../test-clusters.ts';
import { planDrain } from './drain.ts';
import { planRound } from './round.ts';

const WEB = { matchLabels: { app: 'web' } };
const fleet = fleetOf(
  clusterObjects({
    nodes: ['n1', 'n2'],
    vms: [
      { name: 'web', labels: { app: 'web' }, node: 'n1', migratable: true, strategy: 'LiveMigrate' },
      {
        name: 'db',
        node: 'n1',
        migratable: 'DisksNotLiveMigratable',
        strategy: 'LiveMigrate',
      },
    ],
  }),
);
const drained = (scope: Scope = {}) =>
  planDrain(fleet, { ...DRAIN_DEFAULTS, nodes: ['n1'] }, { now: 0, scope });

it('a drain that others keep from finishing is not told to finish where only some VMs are shown', () => {
  expect(drained().status.summary).toBe(
    'The drain does not finish: 1 VM refuses eviction for as long as nothing changes; no VM is shut down.',
  );
  const { spec, status } = drained({ selector: WEB });
  expect(spec.title).toBe('drain n1 · kubectl drain · 1 VM there · VMs with the labels asked for');
  expect(status.summary).toBe('None of these VMs keeps the drain from finishing; no VM is shut down.');
});

it('nor is a round', () => {
  const { status } = planRound(fleet, { nodes: ['n1'] }, { now: 0, scope: { selector: WEB } });
  expect(status.summary).toMatch(/^None of these VMs keeps the round from finishing;/);
});

it('a namespace that is misspelt does not look like good news', () => {
  const { status } = drained({ namespace: 'ofice' });
  expect(status.vms).toEqual([]);
  expect(status.warnings).toContain('No VM that this is about is among those asked for (namespace ofice).');
  expect(drained({ selector: WEB }).status.warnings).toEqual([]);
});

it('a node that is named twice is drained once', () => {
  const { spec } = planDrain(fleet, { ...DRAIN_DEFAULTS, nodes: ['n1', 'n1'] }, { now: 0 });
  expect(spec.title).toBe('drain n1 · kubectl drain · 2 VMs there');
});

it('a node that is not there is answered with those that are', () => {
  const unknown = { message: 'no node "n8", "n9" in the input', cure: 'Name one of: n1, n2.' };
  for (const plan of [
    () => planDrain(fleet, { ...DRAIN_DEFAULTS, nodes: ['n1', 'n8', 'n9'] }, { now: 0 }),
    () => planRound(fleet, { nodes: ['n1', 'n8', 'n9'] }, { now: 0 }),
  ]) {
    expect(plan).toThrow(expect.objectContaining(unknown));
  }
});
