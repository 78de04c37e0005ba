import { expect, it } from 'vitest';
import { aKubeVirt } from '../../../kubevirt/builders.ts';
import { aRoomyNode, World } from '../../test-world.ts';
import { actorContext } from '../test-context.ts';
import { type OperatorOptions, virtOperator } from './virt-operator.ts';

const DEPLOYMENT = {
  kind: 'Deployment',
  metadata: { name: 'virt-controller', namespace: 'kubevirt' },
  spec: { template: { spec: { containers: [{ name: 'c', args: ['--launcher-image', 'launcher:v1'] }] } } },
};

function begin(nodes: readonly string[], options: Partial<OperatorOptions> = {}) {
  const unmanaged = { kind: 'Node', metadata: { name: 'a-control-plane' } };
  const kubevirt = aKubeVirt().status({ observedDeploymentID: 'd1', targetDeploymentID: 'd1' }).build();
  const world = new World(kubevirt, DEPLOYMENT, unmanaged, ...nodes.map((name) => aRoomyNode(name).build()));
  const context = actorContext(world);
  const course: string[] = [];
  const note = (what: string) => void course.push(`${what}@${world.second()}`);
  const operator = virtOperator(context, {
    pauseHandler: (node) => note(`pause ${node}`),
    resumeHandler: (node) => note(`resume ${node}`),
    restartController: (image) => note(`restart ${image}`),
    ...options,
  });
  const ids = () => {
    const { observedDeploymentID: observed, targetDeploymentID: target } = (world.api.get(
      'KubeVirt',
      'kubevirt/kubevirt',
    )?.status ?? {}) as Record<string, unknown>;
    return observed === target ? 'same' : 'other';
  };
  return { world, operator, course, ids };
}

it('rolls out virt-handler, virt-controller and virt-api, one after another', async () => {
  const { world, operator, course, ids } = begin(['n2', 'n1']);
  const { done } = operator.startUpgrade('v1.9.1', 'launcher:v2');
  await world.clock.advance(50);
  expect(ids()).toBe('other');
  expect(course).toEqual([
    'pause n1@1',
    'resume n1@11',
    'pause n2@11',
    'resume n2@21',
    'restart launcher:v2@36',
  ]);
  expect(world.api.get('Deployment', 'kubevirt/virt-controller')?.spec).toEqual({
    template: { spec: { containers: [{ name: 'c', args: ['--launcher-image', 'launcher:v2'] }] } },
  });
  await world.clock.advance(1);
  expect(ids()).toBe('same');
  expect(await done).toMatchObject({ end: 'observed', release: { version: 'v1.9.1' } });
  expect(world.api.get('KubeVirt', 'kubevirt/kubevirt')?.status).toMatchObject({
    phase: 'Deployed',
    observedKubeVirtVersion: 'v1.9.1',
  });
});

it('replaces a tenth of many virt-handlers at a time, after the first', async () => {
  const nodes = Array.from({ length: 25 }, (_, index) => `n${10 + index}`);
  const { world, operator, course } = begin(nodes, { times: { beginSeconds: 0 } });
  operator.startUpgrade('v1.9.1', 'launcher:v2');
  await world.clock.advance(200);
  const paused = course.filter((told) => told.startsWith('pause')).map((told) => told.split('@')[1]);
  expect(paused.slice(0, 7)).toEqual(['0', '10', '10', '10', '20', '20', '20']);
  expect(paused).toHaveLength(25);
});

it('ends where it is when another version comes', async () => {
  const { world, operator, course } = begin(['n1', 'n2']);
  const first = operator.startUpgrade('v1.9.1', 'launcher:v2');
  await world.clock.advance(5);
  const second = operator.startUpgrade('v1.9.2', 'launcher:v3');
  await world.clock.advance(100);
  expect((await first.done).end).toBe('superseded');
  expect((await second.done).end).toBe('observed');
  expect(course.filter((told) => told.startsWith('restart'))).toEqual(['restart launcher:v3@41']);
  expect(course[1]).toBe('resume n1@5');
});

it('takes its own times, and goes on without a CR', async () => {
  const world = new World();
  const times = { beginSeconds: 0, handlerSeconds: 0, controllerSeconds: 2, apiSeconds: 3 };
  const nothing = () => {};
  const operator = virtOperator(actorContext(world), {
    times,
    pauseHandler: nothing,
    resumeHandler: nothing,
    restartController: nothing,
  });
  const { done } = operator.startUpgrade('v1.9.1', 'launcher:v2');
  await world.clock.advance(5);
  expect((await done).end).toBe('observed');
});

const readiness = (status: string) => [{ type: 'Ready', status }];

it('does not begin while a node is not Ready, since its virt-handler is not either', async () => {
  const { world, operator, course, ids } = begin(['n1', 'n2']);
  world.patch('Node', 'n2', '/status/conditions', readiness('Unknown'));
  const told: string[] = [];
  operator.startUpgrade('v1.9.1', 'launcher:v2', (waits) => told.push(waits));
  await world.clock.advance(300);
  expect([course, ids()]).toEqual([[], 'other']);
  expect(told).toEqual(['waits for virt-handler, which is not ready on n2']);
  world.patch('Node', 'n2', '/status/conditions', readiness('True'));
  await world.clock.advance(50);
  expect([course.length, ids()]).toEqual([5, 'same']);
});

it('does not wait for a node that is out of service, where there is no virt-handler', async () => {
  const { world, operator, course, ids } = begin(['n1', 'n2']);
  world.patch('Node', 'n2', '/status/conditions', readiness('Unknown'));
  const taint = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' };
  world.patch('Node', 'n2', '/spec', { taints: [taint] });
  operator.startUpgrade('v1.9.1', 'launcher:v2');
  await world.clock.advance(50);
  expect([course.slice(0, 2), ids()]).toEqual([['pause n1@1', 'resume n1@11'], 'same']);
});

it('keeps virt-controller as it is while a node is down that fell during the roll-out, until that is deleted', async () => {
  const { world, operator, course, ids } = begin(['n1', 'n2']);
  operator.startUpgrade('v1.9.1', 'launcher:v2');
  await world.clock.advance(15);
  world.patch('Node', 'n1', '/status/conditions', readiness('False'));
  await world.clock.advance(300);
  expect(course.at(-1)).toBe('resume n2@21');
  world.api.delete('Node', 'n1');
  await world.clock.advance(30);
  expect([course.at(-1), ids()]).toEqual(['restart launcher:v2@330', 'same']);
});
