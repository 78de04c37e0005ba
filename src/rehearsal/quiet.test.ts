import { describe, expect, it } from 'vitest';
import { scenarioSchema } from '../scenario/schema.ts';
import { beginningOfScenario } from './beginning/prepare.ts';
import { runScenario } from './run.ts';

const FIXED = { node: 'n1', migratable: 'DisksNotLiveMigratable' };
const strict = { name: 'strict', ...FIXED, strategy: 'LiveMigrate', templateStrategy: 'LiveMigrate' };
const loose = (name: string) => ({ name, ...FIXED, strategy: 'LiveMigrateIfPossible' });
const mover = { name: 'mover', node: 'n1', migratable: true, strategy: 'LiveMigrate' };

async function play({ vms, timeline, kubevirt = {}, settings = {} }: Record<string, unknown>) {
  const scenario = scenarioSchema.parse({
    title: 'long',
    cluster: {
      kubevirt: {
        methods: ['LiveMigrate', 'Evict'],
        evictionStrategy: 'LiveMigrateIfPossible',
        ...(kubevirt as object),
      },
      nodes: ['n1', 'n2', 'n3'],
      vms,
    },
    settings: { until: '3h', ...(settings as object) },
    timeline,
  });
  const result = await runScenario(scenario, beginningOfScenario(scenario), { seed: 1 });
  return {
    deeds: result.deeds.map(({ end }) => end),
    outcomes: Object.fromEntries(result.vms.map(({ name, outcome }) => [name.split('/')[1], outcome])),
    isCutShort: result.isCutShort,
  };
}

const upgrade = { upgrade: { launcherImage: 'L2' } };

describe('a run in which nothing happens to a VM for long', () => {
  it.each([
    [
      'goes on while a node of Talos waits for a VM that refuses, and cuts it in the end',
      {
        vms: [strict],
        timeline: [{ at: '1s', drain: { node: 'n1', client: 'talos-node', timeout: '15m' } }],
      },
      { deeds: ['failed'], outcomes: { strict: 'Cut' } },
    ],
    [
      'goes on until a drain gives up',
      { vms: [strict], timeline: [{ at: '1s', drain: { node: 'n1', timeout: '15m' } }] },
      { deeds: ['failed'], outcomes: { strict: 'Blocks' } },
    ],
    [
      'does not wait for a drain that never gives up',
      { vms: [strict], timeline: [{ at: '1s', drain: { node: 'n1' } }] },
      { deeds: ['unfinished'], outcomes: { strict: 'Blocks' } },
    ],
    [
      'goes on while a node boots that an upgrade waits for',
      {
        vms: [mover],
        settings: { reboot: '15m' },
        timeline: [
          { at: '1s', rebootNode: 'n3' },
          { at: '2m', ...upgrade },
        ],
      },
      { deeds: ['done', 'succeeded'], outcomes: { mover: 'LiveMigrates' } },
    ],
    [
      'goes on while the controllers are away',
      {
        vms: [mover],
        timeline: [
          { at: '1s', killController: { for: '15m' } },
          { at: '2s', drain: { node: 'n1' } },
        ],
      },
      { deeds: ['done', 'succeeded'], outcomes: { mover: 'LiveMigrates' } },
    ],
    [
      'goes on between two batches',
      {
        kubevirt: { batchEvictionSize: 1, batchEvictionInterval: '15m' },
        vms: [loose('a'), loose('b'), loose('c')],
        timeline: [{ at: '1s', ...upgrade }],
      },
      { deeds: ['succeeded'], outcomes: { a: 'Restarts', b: 'Restarts', c: 'Restarts' } },
    ],
    [
      'goes on between two batches of a second upgrade',
      {
        kubevirt: { batchEvictionSize: 1, batchEvictionInterval: '15m' },
        vms: [loose('a'), strict],
        timeline: [
          { at: '1s', ...upgrade },
          { at: '40m', upgrade: { launcherImage: 'L3' } },
        ],
      },
      { deeds: ['succeeded', 'succeeded'], outcomes: { a: 'Restarts', strict: 'Blocks' } },
    ],
    [
      'does what a timeline has for hours later',
      { vms: [mover], settings: { until: undefined }, timeline: [{ at: '3h', drain: { node: 'n1' } }] },
      { deeds: ['succeeded'], outcomes: { mover: 'LiveMigrates' } },
    ],
    [
      'ends where batches are of nobody',
      {
        kubevirt: { batchEvictionSize: 0 },
        vms: [loose('a')],
        timeline: [{ at: '1s', ...upgrade }],
      },
      { deeds: ['succeeded'], outcomes: { a: 'Untouched' } },
    ],
    [
      "goes on while a move's target pod starts",
      { vms: [mover], settings: { podStart: '10m' }, timeline: [{ at: '1s', drain: { node: 'n1' } }] },
      { deeds: ['succeeded'], outcomes: { mover: 'LiveMigrates' } },
    ],
  ])('%s', async (_, told, expected) => {
    expect(await play(told)).toEqual({ ...expected, isCutShort: false });
  });

  it('goes on until the last had a turn to be evicted, where most refuse', async () => {
    const refusing = Array.from({ length: 30 }, (_, i) => ({ ...strict, name: `strict-${i}` }));
    const { outcomes, isCutShort } = await play({
      kubevirt: { batchEvictionSize: 3 },
      vms: [...refusing, loose('a'), loose('b')],
      timeline: [{ at: '1s', ...upgrade }],
    });
    expect(isCutShort).toBe(false);
    expect(outcomes).toMatchObject({
      a: 'Restarts',
      b: 'Restarts',
      'strict-0': 'Blocks',
      'strict-29': 'Blocks',
    });
  });
});

describe('controllers that are killed twice at a time', () => {
  it.each([
    ['another kill', { at: '5s', killController: { for: '60s' } }],
    ['a new launcher image', { at: '5s', launcherImage: 'L2' }],
  ])('are away until the last is over: %s', async (_, other) => {
    const scenario = scenarioSchema.parse({
      title: 'killed',
      cluster: { nodes: ['n1', 'n2'], vms: [mover] },
      timeline: [{ at: '1s', killController: { for: '30s' } }, { at: '2s', drain: { node: 'n1' } }, other],
    });
    const { vms } = await runScenario(scenario, beginningOfScenario(scenario), { seed: 1 });
    const back = 'killController' in other ? 65 : 31;
    expect(vms[0]?.waits).toEqual([{ fromSeconds: back, untilSeconds: expect.any(Number) }]);
  });
});
