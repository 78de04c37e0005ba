import { expect, it } from 'vitest';
import { aNode, aPod, aVmi } from '../../../kubevirt/builders.ts';
import { objectAt } from '../../../kubevirt/json.ts';
import { told, World } from '../../test-world.ts';
import { actorContext } from '../test-context.ts';
import { nodeController } from './node-controller.ts';

const HEARTBEAT = '/metadata/annotations/kubevirt.io~1heartbeat';
const node = () =>
  aNode('n1')
    .labelled('kubevirt.io/schedulable', 'true')
    .annotated('kubevirt.io/heartbeat', '2026-03-01T12:00:00Z');
const db = aVmi('db').on('n1').build();
const launcher = aPod('l-db').on('n1').launcherOf(db).build();

async function begin(...objects: readonly object[]) {
  const world = new World(...objects);
  const context = actorContext(world);
  const actor = nodeController(context);
  actor.start();
  await world.clock.settle();
  const schedulable = () =>
    objectAt(objectAt(world.api.get('Node', 'n1') ?? {}, 'metadata'), 'labels')['kubevirt.io/schedulable'];
  const status = () => world.api.get('VirtualMachineInstance', 'shop/db')?.status;
  return { world, context, actor, schedulable, status };
}

it('takes a silent node out of use after five minutes, and leaves its living VMs', async () => {
  const { world, context, schedulable, status } = await begin(node().build(), db, launcher);
  await world.clock.advance(300);
  expect(schedulable()).toBe('true');
  await world.clock.advance(1);
  expect(schedulable()).toBe('false');
  await world.clock.advance(600);
  expect(status()).toEqual({ phase: 'Running', nodeName: 'n1' });
  expect(told(context.cluster)).toEqual([
    'NodeUnresponsive n1: virt-handler is not responsive, marking node as unresponsive',
  ]);
  expect(context.cluster.events[0]?.component).toBe('node-controller');
});

it('lets a VM fail within a minute after its launcher is gone', async () => {
  const { world, context, status } = await begin(node().build(), db, launcher);
  await world.clock.advance(310);
  world.api.delete('Pod', 'shop/l-db', { graceSeconds: 0 });
  await world.clock.advance(60);
  expect(status()).toEqual({ phase: 'Failed', reason: 'NodeUnresponsive', nodeName: 'n1' });
  expect(told(context.cluster)[1]).toBe(
    'NodeUnresponsive db: virt-handler on node n1 is not responsive, marking VMI as failed',
  );
  await world.clock.advance(300);
  expect(context.cluster.events).toHaveLength(2);
});

it('leaves a node alone whose virt-handler beats', async () => {
  const { world, context, schedulable } = await begin(node().build(), db);
  for (let minute = 1; minute < 10; minute++) {
    await world.clock.advance(60);
    world.patch('Node', 'n1', HEARTBEAT, new Date(world.clock.now()).toISOString());
  }
  expect(schedulable()).toBe('true');
  expect(context.cluster.events).toEqual([]);
});

it('lets the VMs of a node that is gone fail', async () => {
  const { world, status } = await begin(node().build(), db);
  world.api.delete('Node', 'n1');
  await world.clock.settle();
  expect(status()).toMatchObject({ phase: 'Failed' });
});

it('says nothing of a node without VMs, nor of one without heartbeat', async () => {
  const { world, context } = await begin(aNode('n1').build());
  await world.clock.advance(1000);
  expect(context.cluster.events).toEqual([]);
});
