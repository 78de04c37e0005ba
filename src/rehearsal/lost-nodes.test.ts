import { describe, expect, it } from 'vitest';
import { scenarioSchema } from '../scenario/schema.ts';
import { beginningOfScenario } from './beginning/prepare.ts';
import { runScenario } from './run.ts';

const pinned = { name: 'pinned', node: 'n1', migratable: true, nodeSelector: { rack: 'a' } };
const free = { name: 'free', node: 'n1', migratable: true };

async function play(timeline: readonly object[]) {
  const scenario = scenarioSchema.parse({
    title: 'nodes are lost',
    cluster: { nodes: [{ name: 'n1', labels: { rack: 'a' } }, 'n2'], vms: [pinned, free] },
    settings: { reboot: '20s' },
    timeline,
  });
  const { vms, events, deeds } = await runScenario(scenario, beginningOfScenario(scenario), { seed: 1 });
  return {
    deeds: deeds.map(({ end, endSeconds }) => [end, endSeconds]),
    ends: Object.fromEntries(vms.map(({ name, outcome, toNode }) => [name.split('/')[1], [outcome, toNode]])),
    reasons: new Set(events.map(({ reason }) => reason)),
  };
}

describe('a node that failed', () => {
  it.each([
    ['before anybody has noticed', '10s', false],
    ['long after', '5m', true],
  ])('takes VMs again when its machine has booted, %s', async (_, at, isNoticed) => {
    const { ends, reasons } = await play([
      { at: '1s', failNode: 'n1' },
      { at, rebootNode: 'n1' },
    ]);
    expect(ends).toEqual({ pinned: ['Cut', 'n1'], free: ['Cut', 'n2'] });
    expect(reasons.has('NodeNotReady')).toBe(isNoticed);
  });
});

it('a node that is deleted takes its guests along, which come back elsewhere', async () => {
  const { ends } = await play([{ at: '1s', delete: { kind: 'Node', name: 'n1' } }]);
  expect(ends).toEqual({ pinned: ['Cut', undefined], free: ['Cut', 'n2'] });
});

describe('a node that falls while it boots', () => {
  it('is back when it has booted after the last fall, for who waits for the first as well', async () => {
    const { deeds, ends } = await play([
      { at: '0s', rebootNode: 'n1' },
      { at: '15s', rebootNode: 'n1' },
    ]);
    expect(deeds).toEqual([
      ['done', 35],
      ['done', 35],
    ]);
    expect(ends.pinned).toEqual(['Cut', 'n1']);
  });

  it('is unreachable when nobody has heard of it for long, however often it fell meanwhile', async () => {
    const timeline = ['0s', '15s', '30s', '45s'].map((at) => ({ at, rebootNode: 'n1' }));
    const { deeds, reasons } = await play(timeline);
    expect(deeds.map(([, seconds]) => seconds)).toEqual([65, 65, 65, 65]);
    expect(reasons.has('NodeNotReady')).toBe(true);
  });

  it('is given back after the last fall, where a drain has it boot', async () => {
    const { deeds } = await play([
      { at: '1s', drain: { node: 'n1', client: 'talos-node', timeout: '10s' } },
      { at: '20s', rebootNode: 'n1' },
    ]);
    expect(deeds[0]?.[1]).toBe(deeds[1]?.[1]);
  });

  it('does not come back when it has failed for good', async () => {
    const { deeds, ends } = await play([
      { at: '0s', rebootNode: 'n1' },
      { at: '15s', failNode: 'n1' },
    ]);
    expect(deeds).toEqual([
      ['failed', 15],
      ['done', 15],
    ]);
    expect(ends).toEqual({ pinned: ['Cut', undefined], free: ['Cut', 'n2'] });
  });
});
