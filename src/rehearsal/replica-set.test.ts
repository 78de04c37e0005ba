import { expect, it } from 'vitest';
import { planDrain } from '../forecast/plans/drain.ts';
import { DRAIN_DEFAULTS } from '../forecast/questions.ts';
import { scenarioSchema } from '../scenario/schema.ts';
import { fleetOf } from './accuracy/play.ts';
import { type Beginning, beginningOfScenario, keepingVmis } from './beginning/prepare.ts';
import { runScenario } from './run.ts';

const SET = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstanceReplicaSet' };
const OWNED = { ...SET, name: 'web', uid: 'web', controller: true };

const scenario = scenarioSchema.parse({
  title: 'a VMI of a replica set is drained',
  cluster: {
    nodes: ['n1', 'n2'],
    vms: [{ name: 'web-a', node: 'n1', standalone: true, migratable: 'DisksNotLiveMigratable' }],
    objects: [
      {
        ...SET,
        metadata: { name: 'web', uid: 'web' },
        spec: { replicas: 1, template: { metadata: { labels: { app: 'web' } }, spec: { domain: {} } } },
      },
    ],
  },
  timeline: [{ at: '1s', drain: { node: 'n1' } }],
});

it('a VMI of a replica set is off once drained, and another runs in its place, as foretold', async () => {
  const beginning = ownedBySet(keepingVmis(beginningOfScenario(scenario)));
  const forecast = planDrain(
    fleetOf(beginning.objects),
    { ...DRAIN_DEFAULTS, nodes: ['n1'] },
    { now: beginning.startAt, behavior: 'exact' },
  );
  expect(forecast.status.vms).toMatchObject([
    { name: 'web-a', outcome: 'Restarts', reason: 'ReplicaSetReplacesTheVmi' },
  ]);
  const { vms } = await runScenario(scenario, beginning, { seed: 1 });
  expect(vms).toMatchObject([
    { name: 'default/web-a', outcome: 'StaysOff', fromNode: 'n1' },
    { name: expect.stringMatching(/^default\/web./), outcome: 'Untouched', toNode: 'n2' },
  ]);
});

function ownedBySet(beginning: Beginning): Beginning {
  const objects = beginning.objects.map((object) => {
    const { kind, metadata } = object as { readonly kind: string; readonly metadata: object };
    const isVmi = kind === 'VirtualMachineInstance';
    return isVmi ? { ...object, metadata: { ...metadata, ownerReferences: [OWNED] } } : object;
  });
  return { ...beginning, objects };
}
