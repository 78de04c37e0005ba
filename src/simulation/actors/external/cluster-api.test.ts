import { expect, it } from 'vitest';
import { aVm } from '../../../kubevirt/builders.ts';
import { aHealthCheck, aKubevirtMachine, aMachine } from '../../../kubevirt/cluster-api/builders.ts';
import { objectAt } from '../../../kubevirt/json.ts';
import { told, World } from '../../test-world.ts';
import { actorContext } from '../test-context.ts';
import { healthChecks } from './health-checks.ts';
import { machineSets } from './machine-sets.ts';
import { type MachineOptions, machineController } from './machines.ts';

const FAILED = { failureReason: 'UpdateError', failureMessage: 'gone', ready: true };
const SET = (replicas: number) => ({
  kind: 'MachineSet',
  metadata: { name: 'ms', namespace: 'shop', uid: 'uid-ms' },
  spec: { replicas, clusterName: 'guest' },
});

function infra(name: string, status: object = { ready: true }) {
  const machine = aKubevirtMachine();
  const finalizers = ['kubevirtmachine.infrastructure.cluster.x-k8s.io'];
  return { ...machine, metadata: { ...machine.metadata, name, finalizers }, status };
}

function machine(name: string, change: object = {}) {
  const made = aMachine(name, change);
  return { ...made, metadata: { ...made.metadata, finalizers: ['machine.cluster.x-k8s.io'] } };
}

async function begin(objects: readonly object[], options?: MachineOptions) {
  const world = new World(...objects);
  const context = actorContext(world);
  const actors = [machineController(context, options), healthChecks(context), machineSets(context)];
  for (const actor of actors) actor.start();
  await world.clock.settle();
  const names = () => [...world.api.list('Machine')].map(({ metadata }) => metadata.name).sort();
  const statusOf = (name: string) => objectAt(world.api.get('Machine', `shop/${name}`) ?? {}, 'status');
  return { world, context, names, statusOf };
}

const three = (failed: readonly string[]) =>
  ['w1', 'w2', 'w3'].flatMap((name) => [
    machine(name),
    infra(name, failed.includes(name) ? FAILED : { ready: true }),
    aVm(name).build(),
  ]);

it('has one failed machine of three replaced by another like it', async () => {
  const { world, names, context } = await begin([...three(['w1']), aHealthCheck('50%'), SET(3)]);
  expect(names()).toHaveLength(4);
  await world.clock.advance(30);
  expect(world.api.get('KubevirtMachine', 'shop/w1')?.metadata.deletionTimestamp).toBeDefined();
  world.api.modify('KubevirtMachine', 'shop/w1', (held) => ({
    ...held,
    metadata: { ...held.metadata, finalizers: [] },
  }));
  await world.clock.settle();
  const [fresh = '', ...others] = names();
  expect(others).toEqual(['w2', 'w3']);
  expect(fresh).toMatch(/^ms-[a-z0-9]{5}$/);
  expect(world.api.get('KubevirtMachine', `shop/${fresh}`)?.spec).toMatchObject({
    virtualMachineTemplate: { spec: { runStrategy: 'Always' } },
  });
  expect(world.api.get('Machine', `shop/${fresh}`)).toMatchObject({
    metadata: {
      labels: { group: 'md' },
      ownerReferences: [{ kind: 'MachineSet', name: 'ms', uid: 'uid-ms' }],
    },
    spec: { clusterName: 'guest', infrastructureRef: { name: fresh } },
  });
  expect(told(context.cluster)).toContain('SuccessfulDrainNode w1: success draining Machine\'s node "w1"');
});

it('replaces none where too many are other than healthy, and says so', async () => {
  const failed = { phase: 'Running', nodeRef: { name: 'w1' }, failureReason: 'UpdateError' };
  const { names, context, statusOf, world } = await begin([
    ...three(['w1', 'w2']),
    machine('w1', { status: failed }),
    machine('w2', { status: failed }),
    aHealthCheck('50%'),
    SET(3),
  ]);
  expect(names()).toEqual(['w1', 'w2', 'w3']);
  expect(statusOf('w1')).toMatchObject({ phase: 'Failed', failureReason: 'UpdateError' });
  expect(
    told(context.cluster)
      .filter((text) => text.startsWith('RemediationRestricted'))
      .at(-1),
  ).toBe(
    'RemediationRestricted mhc: Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: 3, unhealthy: 2, maxUnhealthy: 50%)',
  );
  expect(world.api.get('MachineHealthCheck', 'shop/mhc')?.status).toMatchObject({
    expectedMachines: 3,
    currentHealthy: 1,
    conditions: [{ type: 'RemediationAllowed', status: 'False', reason: 'TooManyUnhealthy' }],
  });
});

it('never replaces the only machine of a group', async () => {
  const { names } = await begin([machine('w1'), infra('w1', FAILED), aHealthCheck('50%'), SET(1)]);
  expect(names()).toEqual(['w1']);
});

it('lets a machine join so long after it is ready, and has those remediated that never do', async () => {
  const starting = machine('w1', { status: {} });
  const { world, statusOf } = await begin(
    [starting, infra('w1'), machine('w2', { status: {} }), aHealthCheck()],
    {
      joinSeconds: 90,
    },
  );
  await world.clock.advance(89);
  expect(statusOf('w1').nodeRef).toBeUndefined();
  await world.clock.advance(1);
  expect(statusOf('w1')).toMatchObject({ phase: 'Running', nodeRef: { name: 'w1' } });
  expect(statusOf('w2').conditions).toMatchObject([
    { type: 'HealthCheckSucceeded' },
    { type: 'OwnerRemediated' },
  ]);
});

it.each([
  ['as long as its drain takes', { drainSeconds: () => 50 }, {}, 50],
  ['as long as it may take', { drainSeconds: () => 'never' as const }, { nodeDrainTimeout: '30s' }, 30],
  ['without end', { drainSeconds: () => 'never' as const }, {}, Number.POSITIVE_INFINITY],
])('takes a machine away %s', async (_, options, spec, seconds) => {
  const made = machine('w1');
  const { world } = await begin([{ ...made, spec: { ...made.spec, ...spec } }, infra('w1')], options);
  world.api.delete('Machine', 'shop/w1');
  const isGoing = () => world.api.get('KubevirtMachine', 'shop/w1')?.metadata.deletionTimestamp !== undefined;
  await world.clock.advance(Math.min(seconds, 3600) - 1);
  expect(isGoing()).toBe(false);
  await world.clock.advance(1);
  expect(isGoing()).toBe(Number.isFinite(seconds));
});

it.each(['pre-drain.delete.hook', 'pre-terminate.delete.hook'])('waits for a %s', async (hook) => {
  const annotations = { [`${hook}.machine.cluster.x-k8s.io/mine`]: '' };
  const made = machine('w1');
  const { world } = await begin([{ ...made, metadata: { ...made.metadata, annotations } }, infra('w1')]);
  world.api.delete('Machine', 'shop/w1');
  await world.clock.advance(600);
  expect(world.api.get('KubevirtMachine', 'shop/w1')?.metadata.deletionTimestamp).toBeUndefined();
  world.patch('Machine', 'shop/w1', '/metadata/annotations', {});
  await world.clock.settle();
  expect(world.api.get('KubevirtMachine', 'shop/w1')?.metadata.deletionTimestamp).toBeDefined();
});

it('takes the infrastructure along of a Machine that nothing held', async () => {
  const { world } = await begin([aMachine('w1'), infra('w1')]);
  world.api.delete('Machine', 'shop/w1');
  await world.clock.settle();
  expect(world.api.get('KubevirtMachine', 'shop/w1')?.metadata.deletionTimestamp).toBeDefined();
});

it('makes no more machines than are wanted, however late the news come', async () => {
  const world = new World(machine('w1'), infra('w1'), aVm('w1').build(), SET(3));
  const context = actorContext(world, { lagSeconds: () => 5 });
  machineSets(context).start();
  await world.clock.advance(60);
  expect([...world.api.list('Machine')]).toHaveLength(3);
});
