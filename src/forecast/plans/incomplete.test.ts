import { describe, expect, it } from 'vitest';
import { Fleet } from '../../fleet/fleet.ts';
import { project } from '../../kubevirt/projection.ts';
import { clusterObjects } from '../../scenario/cluster.ts';
import { scenarioSchema } from '../../scenario/schema.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { rolloutStatus } from '../status/status.ts';
import { planConfig } from './config.ts';
import { planDrain } from './drain.ts';
import { planRound } from './round.ts';
import { planUpgrade } from './upgrade.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const options = (scope = {}) => ({ now: NOW, behavior: 'exact', scope }) as const;

/** Two nodes and a running VM on each, without the objects of one kind. */
function fleetWithout(missing: string): Fleet {
  const { cluster } = scenarioSchema.parse({
    title: 'incomplete',
    cluster: {
      kubevirt: { methods: ['LiveMigrate', 'Evict'] },
      nodes: ['n1', 'n2'],
      vms: [
        { name: 'a', node: 'n1', migratable: true, strategy: 'LiveMigrate' },
        { name: 'b', node: 'n2', migratable: true, strategy: 'LiveMigrate' },
        { name: 'off', phase: 'Stopped' },
      ],
    },
  });
  const fleet = new Fleet();
  for (const raw of clusterObjects(cluster)) {
    const kind = raw.kind as 'Pod';
    if (raw.kind !== missing) fleet.apply(kind, project(kind, JSON.parse(JSON.stringify(raw))));
  }
  return fleet;
}

describe('a dump without VMIs though VMs run', () => {
  const fleet = fleetWithout('VirtualMachineInstance');
  const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };

  it.each([
    ['upgrade', () => planUpgrade(fleet, {}, options())],
    ['drain', () => planDrain(fleet, question, options())],
    ['config', () => planConfig(fleet, { set: [{ path: 'evictionStrategy', value: 'None' }] }, options())],
    ['round', () => planRound(fleet, { nodes: [] }, options())],
  ])('does not make a %s look harmless', (_, ask) => {
    const { status } = ask();
    expect(status.vms.map(({ name, outcome, reason }) => [name, outcome, reason])).toEqual([
      ['a', 'Unknown', 'InputIncomplete'],
      ['b', 'Unknown', 'InputIncomplete'],
    ]);
    expect(status.counts.Unknown).toBe(2);
    expect(status.missing).toContain('VirtualMachineInstance: none in the input');
    expect(status.summary).toMatch(/2 VMs? cannot be judged/);
    expect(status.vms[0]?.message).toBe(
      'default/a cannot be judged: the VirtualMachineInstance of default/a is not in the input',
    );
  });

  it('does not make the status of a roll-out look done', () => {
    expect(() => rolloutStatus(fleet, {}, options())).toThrow('no VirtualMachineInstance is in the input');
  });

  it('keeps to the scope', () => {
    const { status } = planUpgrade(fleet, {}, options({ namespace: 'other' }));
    expect(status.vms).toEqual([]);
  });
});

describe('a dump without nodes', () => {
  it('does not make a round of all nodes look finished', () => {
    expect(() => planRound(fleetWithout('Node'), { nodes: [] }, options())).toThrow('no node in the input');
  });
});
