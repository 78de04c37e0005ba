import { describe, expect, it } from 'vitest';
import { scenarioSchema } from '../scenario/schema.ts';
import { beginningOfScenario } from './beginning/prepare.ts';
import type { HowFar } from './how-far.ts';
import { type RunOptions, runScenario } from './run.ts';

const written = {
  title: 'A fleet is upgraded while a node is drained',
  cluster: {
    kubevirt: { methods: ['LiveMigrate', 'Evict'] },
    fleet: {
      nodes: 4,
      vms: 24,
      migratable: 0.7,
      strategies: { LiveMigrate: 1, LiveMigrateIfPossible: 2, None: 1 },
    },
  },
  timeline: [
    { at: '1s', upgrade: { launcherImage: 'L2' } },
    { at: '90s', drain: { node: 'node-0002', timeout: '3m' } },
    { at: '5m', killController: {} },
  ],
};

const play = (seed: number, change: object = {}, options: Partial<RunOptions> = {}) => {
  const scenario = scenarioSchema.parse({ ...written, ...change });
  return runScenario(scenario, beginningOfScenario(scenario), { seed, ...options });
};

describe('a run', () => {
  it('goes the same way with the same seed, to the byte', async () => {
    expect(JSON.stringify(await play(7))).toBe(JSON.stringify(await play(7)));
  });

  it('goes another way with another seed', async () => {
    const [one, other] = [await play(7), await play(8)];
    expect(JSON.stringify(one.events)).not.toBe(JSON.stringify(other.events));
    expect(one.vms.map(({ name }) => name)).toEqual(other.vms.map(({ name }) => name));
  });

  it('goes the same way whoever watches, and tells how far it is', async () => {
    const seen: HowFar[] = [];
    const watched = await play(7, {}, { onCourse: (look) => seen.push(look()) });
    expect(JSON.stringify(watched)).toBe(JSON.stringify(await play(7)));
    const done = watched.vms.filter(({ moves, outages }) => moves.length + outages.length > 0).length;
    expect(seen[0]).toMatchObject({ done: 0, vms: 24 });
    expect(seen.at(-1)).toMatchObject({ done, vms: 24 });
    expect(seen.every(({ seconds }, i) => i === 0 || seconds >= (seen[i - 1]?.seconds ?? 0))).toBe(true);
  });

  it('ends at its limit, whatever goes on', async () => {
    const { deeds, vms } = await play(1, { settings: { until: '60s' } });
    expect(deeds.map(({ end }) => end)).toEqual(['unfinished', 'unfinished', 'unfinished']);
    expect(vms.every(({ outcome }) => outcome === 'Untouched')).toBe(true);
  });

  it('tells what was done in the order of time, whatever that of the file', async () => {
    const { deeds } = await play(1, {
      timeline: [
        { at: '9s', cordon: 'node-0001' },
        { at: '2s', uncordon: 'node-0001' },
        { at: '9s', uncordon: 'node-0001' },
      ],
    });
    expect(deeds.map(({ deed }) => deed)).toEqual([
      'uncordon node-0001',
      'cordon node-0001',
      'uncordon node-0001',
    ]);
  });

  it('says why an upgrade failed that another took the place of', async () => {
    const { deeds } = await play(1, {
      timeline: [
        { at: '1s', upgrade: { launcherImage: 'L2' } },
        { at: '2s', upgrade: { launcherImage: 'L3' } },
      ],
    });
    expect(deeds[0]).toMatchObject({ end: 'failed', says: ['another release was asked for'] });
    expect(deeds[1]).toMatchObject({ end: 'succeeded' });
  });

  it('empties nodes one after another, which are all cordoned first', async () => {
    const cluster = {
      nodes: ['n1', 'n2', 'n3'],
      vms: ['n1', 'n2'].map((node) => ({
        name: `on-${node}`,
        node,
        migratable: true,
        strategy: 'LiveMigrate',
      })),
    };
    const drain = { node: 'n1', then: ['n2'] };
    const { deeds, vms } = await play(1, { cluster, timeline: [{ at: '0', drain }] });
    expect(deeds[0]).toMatchObject({ deed: 'drain n1 n2 (kubectl)', end: 'succeeded' });
    expect(vms.map(({ toNode }) => toNode)).toEqual(['n3', 'n3']);
  });

  it('deletes a migration policy, which has no namespace', async () => {
    const policy = {
      apiVersion: 'migrations.kubevirt.io/v1alpha1',
      kind: 'MigrationPolicy',
      metadata: { name: 'slow' },
    };
    const { deeds } = await play(1, {
      cluster: { nodes: ['n1'], objects: [policy] },
      timeline: [{ at: '0', delete: { kind: 'MigrationPolicy', name: 'slow' } }],
    });
    expect(deeds[0]).toMatchObject({ end: 'done', says: [] });
  });

  it('does not migrate a VM that is off, and says so as virtctl does', async () => {
    const { deeds } = await play(1, {
      cluster: { nodes: ['n1'], vms: [{ name: 'db', phase: 'Stopped', runStrategy: 'Halted' }] },
      timeline: [{ at: '0', migrate: 'db' }],
    });
    const why = 'Operation cannot be fulfilled on virtualmachine.kubevirt.io "db": VM is not running';
    expect(deeds[0]).toMatchObject({ end: 'failed', says: [why] });
  });

  it('adds up: every VM has one outcome, and peaks are no lower than ends', async () => {
    const { vms, counts, nodes } = await play(3);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(vms.length);
    for (const { name, guests } of nodes)
      expect(guests).toBeGreaterThanOrEqual(vms.filter(({ toNode }) => toNode === name).length);
  });
});
