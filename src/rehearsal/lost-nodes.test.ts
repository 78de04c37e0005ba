import { describe, expect, it } from 'vitest';
import { scenarioSchema } from '../scenario/schema.ts';
import { beginningOfScenario } from './prepare.ts';
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
  const { vms, events } = await runScenario(scenario, beginningOfScenario(scenario), { seed: 1 });
  return {
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
