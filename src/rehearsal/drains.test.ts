import { expect, it } from 'vitest';
import { scenarioSchema } from '../scenario/schema.ts';
import { beginningOfScenario } from './beginning/prepare.ts';
import { runScenario } from './run.ts';

const told = /VMI strict is configured with an eviction strategy but is not live-migratable$/;

it.each([
  ['kubectl', undefined, told],
  ['talosctl', 1000, told],
  ['capi', undefined, /^waits for default\/virt-launcher-strict-/],
])(
  'a drain by %s that is not at its end says what it waits for, each line once',
  async (client, timeout, says) => {
    const scenario = scenarioSchema.parse({
      title: 'a drain that hangs',
      cluster: {
        nodes: ['n1', 'n2'],
        vms: [{ name: 'strict', node: 'n1', migratable: 'DisksNotLiveMigratable', strategy: 'LiveMigrate' }],
      },
      settings: { until: '3m' },
      timeline: [{ at: '1s', drain: { node: 'n1', client, ...(timeout && { timeout: `${timeout}s` }) } }],
    });
    const { deeds } = await runScenario(scenario, beginningOfScenario(scenario), { seed: 1 });
    expect(deeds[0]?.end).toBe('unfinished');
    expect(deeds[0]?.says.at(-1)).toMatch(says);
    expect(new Set(deeds[0]?.says).size).toBe(deeds[0]?.says.length);
  },
);
