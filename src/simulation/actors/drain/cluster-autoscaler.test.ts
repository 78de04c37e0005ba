import { expect, it } from 'vitest';
import { DRAIN_CLIENTS } from '../../../decide/drain/clients.ts';
import { aNode } from '../../../kubevirt/builders.ts';
import { told } from '../../test-world.ts';
import { scaleDown, withDeletionTaint } from './cluster-autoscaler.ts';
import { aManagedPod, aVm, drainWorld, within } from './test-drain.ts';

const client = DRAIN_CLIENTS['cluster-autoscaler'];
const generous = {
  ...client,
  autoscaler: { ...client.autoscaler, skipNodesWithCustomControllerPods: false },
};

it('never tries a node with a launcher, by default', async () => {
  const here = drainWorld(aVm('mig', 'True'));
  const { result } = await within(here, scaleDown(here.context, { node: 'n1', client }).done, 1);
  expect(result.end).toBe('unremovable');
  expect(result.reason).toBe('shop/virt-launcher-mig-x is not replicated');
  expect(here.world.writes).toEqual([]);
});

it('removes a node once its pods are gone', async () => {
  const here = drainWorld([aManagedPod('a').build()]);
  const { result, at } = await within(here, scaleDown(here.context, { node: 'n1', client }).done, 60);
  expect([result.end, at]).toEqual(['removed', 2]);
  expect(here.node('n1')).toBeUndefined();
  expect(told(here.context.cluster)).toEqual([
    'ScaleDown n1: marked the node as toBeDeleted/unschedulable',
    'ScaleDown a: deleting pod for node scale down',
  ]);
});

it('leaves the removal to the cloud', async () => {
  const here = drainWorld([]);
  const removed: string[] = [];
  const removeNode = async (node: string) => void removed.push(node);
  await within(here, scaleDown(here.context, { node: 'n1', client, removeNode }).done, 1);
  expect(removed).toEqual(['n1']);
  expect(here.node('n1')?.spec).toEqual({
    taints: [{ key: 'ToBeDeletedByClusterAutoscaler', effect: 'NoSchedule' }],
  });
});

it('abandons the node after two minutes, though the VM moves on', async () => {
  const here = drainWorld(aVm('mig', 'True'));
  const { result, at } = await within(
    here,
    scaleDown(here.context, { node: 'n1', client: generous }).done,
    300,
  );
  expect([result.end, at]).toEqual(['abandoned', 120]);
  expect(here.evictions()).toHaveLength(12);
  expect(here.node('n1')?.spec).toEqual({ taints: [] });
  expect(here.world.api.get('VirtualMachineInstance', 'shop/mig')?.status).toMatchObject({
    evacuationNodeName: 'n1',
  });
  expect(told(here.context.cluster).slice(2)).toEqual([
    'ScaleDownFailed virt-launcher-mig-x: failed to delete pod for ScaleDown',
    'ScaleDownFailed n1: failed to drain the node: shop/virt-launcher-mig-x could not be evicted',
  ]);
});

it('can be called off', async () => {
  const here = drainWorld(aVm('fix', 'False'));
  const attempt = scaleDown(here.context, { node: 'n1', client: generous });
  await here.world.clock.advance(1);
  attempt.cancel();
  expect((await within(here, attempt.done, 0)).result.end).toBe('cancelled');
});

it('puts its taint on once, beside others, and takes only that away', () => {
  const node = aNode().tainted('dedicated').build();
  const tainted = withDeletionTaint(node, true);
  expect(tainted?.spec?.taints?.map(({ key }) => key)).toEqual([
    'dedicated',
    'ToBeDeletedByClusterAutoscaler',
  ]);
  expect(tainted && withDeletionTaint(tainted, true)).toBeUndefined();
  expect(tainted && withDeletionTaint(tainted, false)).toEqual(node);
  expect(withDeletionTaint(node, false)).toBeUndefined();
});
