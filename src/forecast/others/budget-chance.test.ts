import { describe, expect, it } from 'vitest';
import { clusterObjects, type RawObject } from '../../scenario/cluster.ts';
import type { ScenarioVm } from '../../scenario/schema.ts';
import { planDrain } from '../plans/drain.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf } from '../test-clusters.ts';

const labels = { pool: 'web' };
const budget = (minAvailable: number | string): RawObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'guard' },
  spec: { minAvailable, selector: { matchLabels: labels } },
});
const falls = (name: string, change: Partial<ScenarioVm> = {}): ScenarioVm => ({
  ...{ name, node: 'n1', migratable: 'No', strategy: 'None', runStrategy: 'Manual', labels },
  ...change,
});
const moves: ScenarioVm = { name: 'moves', node: 'n1', migratable: true, strategy: 'LiveMigrate', labels };

function drained(vms: readonly ScenarioVm[], minAvailable: number | string, nodes = ['n1']) {
  const objects = clusterObjects({ nodes: ['n1', 'n2'], vms: [...vms], objects: [budget(minAvailable)] });
  const { status } = planDrain(
    fleetOf(objects),
    { ...DRAIN_DEFAULTS, nodes, timeoutSeconds: 60 },
    { now: 0 },
  );
  return new Map(
    status.vms.map(({ name, outcome, reason, message }) => [name, { outcome, reason, message }]),
  );
}

describe('a budget without a pod to spare', () => {
  const NEVER =
    'default/a refuses eviction: disruption budget "guard" wants 2 healthy of the 2 pods that it selects, so there is never one to spare';

  it('has one while another of its VMs moves', () => {
    expect(drained([falls('a'), moves], 2).get('a')).toEqual({
      outcome: 'Blocks',
      reason: 'NoneToSpare',
      message: `${NEVER}; but while default/moves moves there is, and an eviction that is asked just then shuts it down`,
    });
  });

  it('has one while others move', () => {
    const message = drained([falls('a'), moves, { ...moves, name: 'moves-too' }], 3).get('a')?.message;
    expect(message).toMatch(/; but while default\/moves, default\/moves-too move there is, /);
  });

  it.each<[string, readonly ScenarioVm[]]>([
    ['no other moves', [falls('a'), falls('b')]],
    ['who moves is on another node', [falls('a'), { ...moves, node: 'n2' }]],
    ['who should move cannot', [falls('a'), { ...moves, nodeSelector: { gone: 'yes' } }]],
  ])('has none where %s', (_, vms) => {
    expect(drained(vms, 2).get('a')).toMatchObject({ message: NEVER });
  });

  it('has none where another budget selects who moves', () => {
    const { message } = drained([falls('a'), { ...moves, labels: { pool: 'db' } }], 1).get('a') ?? {};
    expect(message).toMatch(/there is never one to spare$/);
  });
});

describe('a budget that lets one of two VMs go', () => {
  const first = 'default/a is evicted, shut down and stays off: nothing starts a Manual VM again';
  const second =
    'default/b refuses eviction: default/a, gone before it and not back up by then, uses up disruption budget "guard"';

  it('says that it may be the other', () => {
    const verdicts = drained([falls('a'), falls('b')], 1);
    expect([...verdicts.values()]).toEqual([
      {
        outcome: 'StaysOff',
        reason: 'RunStrategyManual',
        message: `${first}; should default/b be evicted before it, it is refused instead`,
      },
      {
        outcome: 'Blocks',
        reason: 'BudgetSpent',
        message: `${second}; should it be evicted first, it is shut down, and the refusal is for the others`,
      },
    ]);
  });

  it('is sure of it where the other is on a node that comes later', () => {
    const verdicts = drained([falls('a'), falls('b', { node: 'n2' })], 1, ['n1', 'n2']);
    expect([...verdicts.values()].map(({ message }) => message)).toEqual([first, second]);
  });

  it('says nothing of those that have a place', () => {
    expect([...drained([falls('a'), falls('b')], 0).values()].map(({ message }) => message)).toEqual([
      first,
      first.replace('default/a', 'default/b'),
    ]);
  });
});
