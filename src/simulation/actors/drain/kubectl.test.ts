import { expect, it } from 'vitest';
import { DRAIN_CLIENTS, type DrainClient } from '../../../decide/drain/clients.ts';
import { aPod } from '../../../kubevirt/builders.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import { kubectlDrain } from './kubectl.ts';
import { aManagedPod, aVm, drainWorld, namesOf, within } from './test-drain.ts';

const kubectl = (timeoutSeconds?: number): DrainClient => ({ ...DRAIN_CLIENTS.kubectl, timeoutSeconds });

const NODES = ['n1'];

it('cordons, evicts, waits for the pods to go and says so', async () => {
  const here = drainWorld([aManagedPod('a').build(), aManagedPod('b').build()]);
  const printed: string[] = [];
  const print = (line: string, stream: string) => void printed.push(`${stream} ${line}`);
  const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl(), print });
  const { result, at } = await within(here, drain.done, 60);
  expect(at).toBe(2);
  expect(result).toMatchObject({ exitCode: 0, stderr: [], failedNodes: [], isCancelled: false });
  expect(result.stdout).toEqual([
    'node/n1 cordoned',
    'evicting pod shop/b',
    'evicting pod shop/a',
    'pod/b evicted',
    'pod/a evicted',
    'node/n1 drained',
  ]);
  expect(printed).toEqual(result.stdout.map((line) => `stdout ${line}`));
  expect(namesOf(result.pods)).toEqual(['b gone', 'a gone']);
  expect(here.node('n1')?.spec).toEqual({ unschedulable: true });
});

it('tries refused pods every five seconds until the time is up, as recorded', async () => {
  const here = drainWorld(aVm('fix', 'False'));
  const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl(12) });
  const { result, at } = await within(here, drain.done, 60);
  const pod = 'pods/"virt-launcher-fix-x" -n "shop"';
  const late = `error when evicting ${pod}: global timeout reached: 12s`;
  const refused = `error when evicting ${pod} (will retry after 5s): admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: VMI fix is configured with an eviction strategy but is not live-migratable`;
  expect(at).toBe(15);
  expect(here.evictions()).toEqual([0, 5, 10].map((second) => `shop/virt-launcher-fix-x@${second}`));
  expect(result.exitCode).toBe(1);
  expect(result.stdout).toEqual([
    'node/n1 cordoned',
    ...[0, 5, 10, 15].map(() => 'evicting pod shop/virt-launcher-fix-x'),
  ]);
  expect(result.stderr).toEqual([
    ...[refused, refused, refused],
    `There are pending pods in node "n1" when an error occurred: ${late}`,
    'pod/virt-launcher-fix-x',
    `error: unable to drain node "n1" due to error: ${late}, continuing command...`,
    'There are pending nodes to be drained:',
    ' n1',
    late,
  ]);
  expect(here.node('n1')?.spec).toEqual({ unschedulable: true });
});

it('is done when a VM has migrated away and its old pod can go', async () => {
  const here = drainWorld(aVm('mig', 'True'), () => 0.1);
  const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl() });
  await here.world.clock.advance(7);
  expect(here.world.api.get('VirtualMachineInstance', 'shop/mig')?.status).toMatchObject({
    evacuationNodeName: 'n1',
  });
  here.end('virt-launcher-mig-x');
  const { result, at } = await within(here, drain.done, 60);
  expect([result.exitCode, at]).toEqual([0, 10]);
  expect(result.stderr).toHaveLength(2);
  expect(result.stderr[1]).toContain('denied the request: Evacuation in progress');
});

it('asks no more often than client-go lets it: ten at once, then five a second', async () => {
  const pods = Array.from({ length: 13 }, (_, index) => aManagedPod(`p${10 + index}`).build());
  const here = drainWorld(pods);
  const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl(), order: (all) => all });
  await within(here, drain.done, 60);
  expect(here.evictions().map((told) => told.split('@')[1])).toEqual([
    ...Array(10).fill('0'),
    ...['0.2', '0.4', '0.6'],
  ]);
});

it('waits no longer than its time for a pod that was accepted', async () => {
  const here = drainWorld([aManagedPod('slow').build()], () => 100);
  const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl(30) });
  const { result, at } = await within(here, drain.done, 60);
  const late =
    'error when waiting for pod "slow" in namespace "shop" to terminate: global timeout reached: 30s';
  expect(at).toBe(30);
  expect(result.stderr[0]).toBe(`There are pending pods in node "n1" when an error occurred: ${late}`);
  expect(namesOf(result.pods)).toEqual(['slow left']);
});

it('sees at the next full second that a pod is gone', async () => {
  const here = drainWorld([aManagedPod('a').build()], () => 2.3);
  const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl() });
  expect((await within(here, drain.done, 60)).at).toBe(3);
});

it('touches nothing on a node where a filter objects', async () => {
  const here = drainWorld([aPod('bare').on('n1').build(), aManagedPod('a').build()]);
  const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl() });
  const { result } = await within(here, drain.done, 60);
  const why = 'cannot delete Pods that declare no controller (use --force to override): shop/bare';
  expect(here.evictions()).toEqual([]);
  expect(result.stderr).toEqual([
    `error: unable to drain node "n1" due to error: ${why}, continuing command...`,
    'There are pending nodes to be drained:',
    ' n1',
    why,
  ]);
});

it('warns of what it leaves', async () => {
  const daemon = aPod('ds').on('n1').ownedBy('DaemonSet', 'ds').build();
  const here = drainWorld([daemon]);
  const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl() });
  const { result } = await within(here, drain.done, 60);
  expect(result.stderr).toEqual(['Warning: ignoring DaemonSet-managed Pods: shop/ds']);
  expect(result.stdout).toEqual(['node/n1 cordoned', 'node/n1 drained']);
});

it('goes on to the next node after a failure, and cordons all of them first', async () => {
  const elsewhere = aPod('b').on('n2').ownedBy('ReplicaSet', 'web').build();
  const here = drainWorld([aPod('bare').on('n1').build(), elsewhere]);
  const drain = kubectlDrain(here.context, { nodes: ['n1', 'n2'], client: kubectl() });
  const { result } = await within(here, drain.done, 60);
  expect(result.stdout.slice(0, 2)).toEqual(['node/n1 cordoned', 'node/n2 cordoned']);
  expect(result.stdout.at(-1)).toBe('node/n2 drained');
  expect(result.failedNodes).toEqual(['n1']);
  expect(result.exitCode).toBe(1);
});

it('does nothing where one of the nodes is not there', async () => {
  const here = drainWorld([aManagedPod('a').build()]);
  const drain = kubectlDrain(here.context, { nodes: ['n1', 'nope'], client: kubectl() });
  const { result } = await within(here, drain.done, 1);
  expect(result).toMatchObject({ exitCode: 1, stdout: [], failedNodes: ['nope'] });
  expect(result.stderr).toEqual(['Error from server (NotFound): nodes "nope" not found']);
  expect(here.world.writes).toEqual([]);
});

it('reads a refused pod again, and is done where it has gone meanwhile', async () => {
  const here = drainWorld(aVm('fix', 'False'));
  const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl() });
  await here.world.clock.advance(1);
  here.world.api.delete('Pod', 'shop/virt-launcher-fix-x', { graceSeconds: 0 });
  const { result, at } = await within(here, drain.done, 60);
  expect([result.exitCode, at]).toEqual([0, 5]);
  expect(result.stdout).not.toContain('pod/virt-launcher-fix-x evicted');
});

it('evicts in the order that it is told', async () => {
  const here = drainWorld(['a', 'b', 'c'].map((name) => aManagedPod(name).build()));
  const order = (pods: readonly Pod[]) => [...pods].reverse();
  const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl(), order });
  await within(here, drain.done, 60);
  expect(here.evictions()).toEqual(['shop/c@0', 'shop/b@0', 'shop/a@0']);
});

it('sends nothing more once it is called off', async () => {
  const here = drainWorld([...aVm('fix', 'False'), aManagedPod('slow').build()], () => 100);
  const drain = kubectlDrain(here.context, { nodes: ['n1', 'n2'], client: kubectl() });
  await here.world.clock.advance(6);
  drain.cancel();
  const { result } = await within(here, drain.done, 0);
  expect(result).toMatchObject({ exitCode: 1, isCancelled: true });
  expect(result.pods.map(({ end }) => end)).toEqual(['cancelled', 'cancelled']);
  const sent = here.world.writes.length;
  await here.world.clock.advance(60);
  expect(here.world.writes.length).toBe(sent);
});
