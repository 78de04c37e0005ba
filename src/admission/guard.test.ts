import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVm, aVmi } from '../kubevirt/builders.ts';
import { guardWebhook } from './guard.ts';
import { aCluster, ask } from './test-admission.ts';

const launcher = aPod().launcherOf(aVmi().build());
const POD = 'Pod shop/virt-launcher-db-1';
const now = (): number => 0;

describe('the guard', () => {
  it('reads nothing more for a pod that is no launcher', async () => {
    const cluster = aCluster({ [POD]: aPod().build() });
    expect(await ask(guardWebhook({ cluster, now }))).toMatchObject({
      allowed: true,
      reason: 'NoActiveLauncher',
    });
    expect(cluster.calls).toEqual([`get ${POD}`]);
  });

  it('reads everything that may say something', async () => {
    const cluster = aCluster({
      [POD]: launcher.on('n1').build(),
      'VirtualMachine shop/db': aVm().annotated('drover.dev/eviction', 'never').build(),
      'Node n1': aNode('n1').build(),
    });
    expect(await ask(guardWebhook({ cluster, now }))).toMatchObject({
      allowed: false,
      code: 429,
      reason: 'Never',
      message: expect.stringMatching(/^VM shop\/db must not be evicted/),
    });
    expect(cluster.calls).toEqual([
      `get ${POD}`,
      'get VirtualMachine shop/db',
      'get VirtualMachineInstance shop/db',
      'get Namespace shop',
      'get Node n1',
    ]);
  });

  it('asks for no node where the pod is on none, and for the time', async () => {
    const vm = aVm().annotated('drover.dev/eviction', 'window');
    const cluster = aCluster({
      [POD]: launcher.spec({ nodeName: undefined }).build(),
      'VirtualMachine shop/db': vm.annotated('drover.dev/eviction-window', '0 2 * * * 1h').build(),
    });
    const at = async (hour: number) =>
      (await ask(guardWebhook({ cluster, now: () => hour * 3_600_000 }))).reason;
    expect([await at(1), await at(2), await at(3)]).toEqual(['WindowClosed', 'WindowOpen', 'WindowClosed']);
    expect(cluster.calls).not.toContain('get Node undefined');
  });

  it('refuses when it is late', () => {
    expect(guardWebhook({ cluster: aCluster({}), now }).late(2)).toMatchObject({ allowed: false, code: 429 });
  });
});
