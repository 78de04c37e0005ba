import { expect, it } from 'vitest';
import { aNode, aPod } from '../../../kubevirt/builders.ts';
import { objectAt, objectsAt } from '../../../kubevirt/json.ts';
import { told, World } from '../../test-world.ts';
import { actorContext } from '../test-context.ts';
import { silentNode } from './silent-node.ts';

function begin() {
  const stays = { key: 'node.kubernetes.io/unreachable', operator: 'Exists' };
  const world = new World(
    aNode('n1').build(),
    aPod('a').on('n1').ready().build(),
    aPod('daemon')
      .on('n1')
      .spec({ tolerations: [stays] })
      .build(),
    aPod('ended').on('n1').phase('Succeeded').build(),
    aPod('elsewhere').on('n2').build(),
  );
  const context = actorContext(world);
  const node = silentNode(context, 'n1');
  const taints = () => objectsAt(objectAt(world.api.get('Node', 'n1') ?? {}, 'spec'), 'taints').length;
  const isDeleted = (name: string) =>
    world.api.get('Pod', `shop/${name}`)?.metadata.deletionTimestamp !== undefined;
  const ready = () =>
    objectsAt(objectAt(world.api.get('Node', 'n1') ?? {}, 'status'), 'conditions').map(
      ({ status }) => status,
    );
  return { world, context, node, taints, isDeleted, ready };
}

it('is unreachable after 50 seconds, and its pods are deleted when they tolerate that no longer', async () => {
  const { world, context, taints, isDeleted, ready } = begin();
  await world.clock.advance(49);
  expect([taints(), ready()]).toEqual([0, []]);
  await world.clock.advance(1);
  expect([taints(), ready()]).toEqual([2, ['Unknown']]);
  expect(world.api.get('Pod', 'shop/a')?.status).toMatchObject({
    conditions: [{ type: 'Ready', status: 'False' }],
  });
  await world.clock.advance(299);
  expect(isDeleted('a')).toBe(false);
  await world.clock.advance(60);
  expect(['a', 'daemon', 'ended', 'elsewhere'].map(isDeleted)).toEqual([true, false, false, false]);
  expect(told(context.cluster)).toEqual([
    'NodeNotReady n1: Node n1 status is now: NodeNotReady',
    'TaintManagerEviction a: Marking for deletion Pod shop/a',
  ]);
});

it('is as before when it is back soon', async () => {
  const { world, context, node, taints, ready } = begin();
  await world.clock.advance(40);
  await node.back();
  await world.clock.advance(600);
  expect([taints(), ready()]).toEqual([0, ['True']]);
  expect(context.cluster.events).toEqual([]);
});

it('takes pods again when it is back, and deletes none any more', async () => {
  const { world, node, taints, isDeleted, ready } = begin();
  await world.clock.advance(100);
  await node.back();
  await world.clock.advance(600);
  expect([taints(), ready(), isDeleted('a')]).toEqual([0, ['True'], false]);
});
