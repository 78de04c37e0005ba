import { describe, expect, it } from 'vitest';
import { scenarioSchema } from '../scenario/schema.ts';
import { beginningOfScenario } from './prepare.ts';
import { runScenario } from './run.ts';

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

const play = (seed: number, change: object = {}) => {
  const scenario = scenarioSchema.parse({ ...written, ...change });
  return runScenario(scenario, beginningOfScenario(scenario), { seed });
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

  it('ends at its limit, whatever goes on', async () => {
    const { deeds, vms } = await play(1, { settings: { until: '60s' } });
    expect(deeds.map(({ end }) => end)).toEqual(['unfinished', 'unfinished', 'unfinished']);
    expect(vms.every(({ outcome }) => outcome === 'Untouched')).toBe(true);
  });

  it('adds up: every VM has one outcome, and peaks are no lower than ends', async () => {
    const { vms, counts, nodes } = await play(3);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(vms.length);
    for (const { name, guests } of nodes)
      expect(guests).toBeGreaterThanOrEqual(vms.filter(({ toNode }) => toNode === name).length);
  });
});
