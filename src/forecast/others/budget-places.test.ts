import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { ScenarioVm } from '../../scenario/schema.ts';
import type { Forecast } from '../forecast.ts';
import { planDrain } from '../plans/drain.ts';
import { planEvict } from '../plans/evict.ts';
import { DRAIN_DEFAULTS, type DrainQuestion } from '../questions.ts';
import { webFleet } from '../test-clusters.ts';

const OPTIONS = { now: 0 };
const on = (node: string, name: string, vm: Partial<ScenarioVm> = {}): ScenarioVm => ({ name, node, ...vm });
const off = { runStrategy: 'Manual' };

function told({ status }: Forecast): Record<string, string> {
  return Object.fromEntries(
    status.vms.map(({ name, outcome, reason }) => [name, `${outcome} ${reason}`] as const),
  );
}
const drain = (fleet: ReturnType<typeof webFleet>, question: Partial<DrainQuestion> = {}) =>
  planDrain(fleet, { ...DRAIN_DEFAULTS, nodes: ['n1', 'n2'], timeoutSeconds: 60, ...question }, OPTIONS);
const [STAYS, BACK, SPENT] = [
  'StaysOff RunStrategyManual',
  'Restarts RunStrategyAlways',
  'Blocks BudgetSpent',
];

describe('a budget that several VMs share', () => {
  it('is used up by those that stay off, for those whose turn comes later', () => {
    const fleet = webFleet(2, [on('n1', 'a', off), on('n1', 'b'), on('n2', 'c')]);
    const [a, b] = planEvict(fleet, { vms: [] }, OPTIONS).status.vms;
    expect(a).toMatchObject({ name: 'a', outcome: 'StaysOff', answer: { code: 201 } });
    expect(b).toMatchObject({
      outcome: 'Blocks',
      reason: 'BudgetSpent',
      message:
        'default/b refuses eviction: default/a, gone before it and not back up by then, uses up disruption budget "guard"; should it be evicted first, it is shut down, and the refusal is for the others',
      remedies: ['Bring the other VMs of budget guard up again, then evict default/b.'],
      answer: {
        code: 429,
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
      },
    });
    expect(b?.evidence.at(-1)).toEqual({
      object: 'PodDisruptionBudget default/guard',
      path: 'gone and not back up',
      value: ['default/a'],
    });
  });

  it('lets as many stay off as it has places, and names them', () => {
    const fleet = webFleet(2, [on('n1', 'a', off), on('n1', 'b'), on('n1', 'c', off), on('n1', 'd')]);
    const forecast = planEvict(fleet, { vms: [] }, OPTIONS);
    expect(told(forecast)).toEqual({ a: STAYS, b: BACK, c: STAYS, d: SPENT });
    expect(forecast.status.vms[3]?.message).toContain(
      'default/a, default/c, gone before it and not back up by then, use up',
    );
  });

  it('is not used up by those that come back', () => {
    const fleet = webFleet(2, [on('n1', 'a'), on('n1', 'b'), on('n2', 'c')]);
    expect(told(planEvict(fleet, { vms: [] }, OPTIONS))).toEqual({ a: BACK, b: BACK, c: BACK });
  });

  it('stays used up on the next node of the drain', () => {
    const fleet = webFleet(2, [on('n1', 'a', off), on('n2', 'b'), on('n3', 'c')]);
    expect(told(drain(fleet))).toEqual({ a: STAYS, b: SPENT });
    expect(told(drain(fleet, { nodes: ['n2', 'n1'] }))).toEqual({ a: STAYS, b: BACK });
  });

  it('keeps a drain without a limit of time from the node after next', () => {
    const fleet = webFleet(2, [on('n1', 'a', off), on('n2', 'b'), on('n3', 'c')]);
    const nodes = ['n1', 'n2', 'n3'];
    expect(told(drain(fleet, { nodes, timeoutSeconds: undefined }))).toEqual({
      a: STAYS,
      b: SPENT,
      c: 'Deferred EarlierNodeNotDone',
    });
  });

  it('is used up by those that wait for the uncordon, too', () => {
    const pinned = { nodeSelector: { 'kubernetes.io/hostname': 'n1' } };
    const fleet = webFleet(2, [on('n1', 'a', pinned), on('n1', 'b'), on('n2', 'c')]);
    expect(told(drain(fleet, { nodes: ['n1'] }))).toEqual({ a: 'Restarts WaitsForUncordon', b: SPENT });
  });

  it('is used up by those that wait for room, too', () => {
    const vms = [on('n1', 'a', { cpu: '5' }), on('n1', 'b'), on('n2', 'c', { cpu: '5' })];
    const fleet = webFleet(2, vms, {
      nodes: [
        { name: 'n1', cpu: 8 },
        { name: 'n2', cpu: 8 },
      ],
    });
    expect(told(drain(fleet, { nodes: ['n1'] }))).toEqual({ a: 'Restarts WaitsForRoom', b: SPENT });
  });

  it('keeps nobody from going down with the node, when the client waits no longer', () => {
    const fleet = webFleet(2, [on('n1', 'a', off), on('n1', 'b'), on('n2', 'c')]);
    const { status } = drain(fleet, { client: 'talos-node', nodes: ['n1'], timeoutSeconds: 300 });
    expect(status.vms[1]).toMatchObject({
      outcome: 'Cut',
      reason: 'CutAfterBudgetSpent',
      message: expect.stringMatching(
        /^default\/b is still there after 300 s and goes down with the node: it refuses/,
      ),
    });
  });
});

it('a budget may be used up by one that a controller takes away for its mark', () => {
  const machine = {
    apiVersion: 'v1alpha1',
    kind: 'KubevirtMachine',
    metadata: { name: 'b', namespace: 'default' },
  };
  const marked = on('n2', 'b', { strategy: 'External', marked: 'n2', runStrategy: 'Once' });
  const asked = (external: 'capk-v0.1.10' | 'none') => {
    const fleet = webFleet(1, [on('n1', 'a', off), marked]);
    fleet.apply('KubevirtMachine', machine as never);
    const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };
    return planDrain(fleet, question, { now: 0, external }).status.vms[0];
  };
  expect(asked('capk-v0.1.10')).toMatchObject({
    outcome: 'StaysOff',
    otherwise: ['Refused'],
    message: expect.stringMatching(/; should default\/b not be back up by then, it is refused instead$/),
  });
  expect(asked('none')?.otherwise).toBeUndefined();
});

it('a budget may be used up by a pod of no VM that the drain takes away', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true };
  const web = (node: string) => {
    const pod = aPod('web', 'default').on(node).phase('Running').ready().build();
    return { ...pod, metadata: { ...pod.metadata, labels: { pool: 'web' }, ownerReferences: [owner] } };
  };
  const asked = (node: string) => {
    const fleet = webFleet(2, [on('n1', 'a'), on('n3', 'b')]);
    fleet.apply('Pod', web(node) as never);
    return drain(fleet, { nodes: ['n1'] }).status.vms[0];
  };
  expect(asked('n1')).toMatchObject({
    outcome: 'Restarts',
    message: expect.stringMatching(
      /; should pod default\/web not be back up by then, it is refused instead$/,
    ),
  });
  expect(asked('n2')?.otherwise).toBeUndefined();
});

describe('what a dry run of the evictions says', () => {
  const vms = [on('n1', 'a', off), on('n1', 'b'), on('n1', 'c')];

  it('is the same while no budget is used up', () => {
    expect(planEvict(webFleet(0, vms), { vms: [] }, OPTIONS).status.notes).toContain(
      'A dry run (dryRun=All) of the same requests is answered the same, and nothing is marked or deleted.',
    );
  });

  it('is otherwise where one is, for it uses up none', () => {
    expect(planEvict(webFleet(2, vms), { vms: [] }, OPTIONS).status.notes).toContain(
      'A dry run (dryRun=All) of the same requests is answered the same, and nothing is marked or deleted; but it uses up no budget, so that 2 evictions refused here for that (BudgetSpent) would be let go in it.',
    );
  });
});
