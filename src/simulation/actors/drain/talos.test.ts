import { expect, it } from 'vitest';
import { DRAIN_CLIENTS } from '../../../decide/drain/clients.ts';
import { talosctlReboot, talosNodeDrain } from './talos.ts';
import { aManagedPod, aVm, drainWorld, namesOf, within } from './test-drain.ts';

const client = DRAIN_CLIENTS['talos-node'];

function rebooting(here: ReturnType<typeof drainWorld>) {
  const boots: string[] = [];
  const reboot = async (node: string): Promise<boolean> => {
    boots.push(`${node}@${here.world.second()}`);
    await new Promise<void>((resolve) => void here.world.clock.after(40, resolve));
    return true;
  };
  return { boots, reboot };
}

it('gives up after five minutes, and goes down with what is left', async () => {
  const here = drainWorld([...aVm('fix', 'False'), aManagedPod('a').build()]);
  const { boots, reboot } = rebooting(here);
  const { result, at } = await within(
    here,
    talosNodeDrain(here.context, { node: 'n1', client, reboot }).done,
    600,
  );
  expect(boots).toEqual(['n1@300']);
  expect(at).toBe(340);
  expect(here.evictions().filter((told) => told.includes('fix'))).toHaveLength(60);
  expect(namesOf(result.pods)).toEqual(['a gone', 'virt-launcher-fix-x left']);
  expect(here.node('n1')?.spec).toEqual({});
});

it('gives every pod sixty seconds', async () => {
  const here = drainWorld([aManagedPod('a').spec({ terminationGracePeriodSeconds: 600 }).build()], () => 59);
  const { done } = talosNodeDrain(here.context, { node: 'n1', client });
  await here.world.clock.advance(1);
  expect(here.world.api.get('Pod', 'shop/a')?.metadata.deletionGracePeriodSeconds).toBe(60);
  expect((await within(here, done, 100)).at).toBe(59);
  expect(here.node('n1')?.spec).toEqual({ unschedulable: true });
});

it('waits a minute for a pod, no longer', async () => {
  const here = drainWorld([aManagedPod('stuck').build()], () => 500);
  const { result, at } = await within(here, talosNodeDrain(here.context, { node: 'n1', client }).done, 100);
  expect(at).toBe(60);
  expect(namesOf(result.pods)).toEqual(['stuck left']);
});

it('only logs what it is refused for good', async () => {
  const here = drainWorld([]);
  here.world.put(aManagedPod('a').build());
  await here.world.clock.settle();
  const context = {
    ...here.context,
    cluster: Object.assign(Object.create(here.context.cluster), {
      fleet: here.context.cluster.fleet,
      evict: async () => ({ ok: false, code: 500, message: 'no' }),
      modify: async () => ({ ok: true, name: 'n1' }),
      subscribe: () => () => {},
    }),
  };
  const { result } = await within(here, talosNodeDrain(context, { node: 'n1', client }).done, 10);
  expect(result.log).toEqual(['WARNING: failed to evict pod: failed to evict pod shop/a: no']);
  expect(result.pods).toMatchObject([{ end: 'left' }]);
});

it('does not reboot once it is called off', async () => {
  const here = drainWorld(aVm('fix', 'False'));
  const { boots, reboot } = rebooting(here);
  const drain = talosNodeDrain(here.context, { node: 'n1', client, reboot });
  await here.world.clock.advance(3);
  drain.cancel();
  const { result } = await within(here, drain.done, 0);
  expect(result.isCancelled).toBe(true);
  expect(boots).toEqual([]);
});

it('talosctl reboots an empty node and gives it back', async () => {
  const here = drainWorld([aManagedPod('a').build()]);
  const { boots, reboot } = rebooting(here);
  const drain = talosctlReboot(here.context, { node: 'n1', client: DRAIN_CLIENTS.talosctl, reboot });
  const { result, at } = await within(here, drain.done, 100);
  expect([result.exitCode, at, boots]).toEqual([0, 42, ['n1@2']]);
  expect(here.node('n1')?.spec).toEqual({});
});

it('talosctl leaves a node that it cannot empty cordoned and running, after asking as often as it may', async () => {
  const here = drainWorld(aVm('fix', 'False'));
  const { boots, reboot } = rebooting(here);
  const client = { ...DRAIN_CLIENTS.talosctl, timeoutSeconds: 10 };
  const drain = talosctlReboot(here.context, { node: 'n1', client, reboot });
  const { result } = await within(here, drain.done, 100);
  expect(result.exitCode).toBe(1);
  expect(boots).toEqual([]);
  expect(here.node('n1')?.spec).toEqual({ unschedulable: true });
  expect(here.evictions().length).toBe(60);
});

it('talosctl can be called off', async () => {
  const here = drainWorld(aVm('fix', 'False'));
  const drain = talosctlReboot(here.context, {
    node: 'n1',
    client: DRAIN_CLIENTS.talosctl,
    reboot: async () => true,
  });
  await here.world.clock.advance(1);
  drain.cancel();
  expect((await within(here, drain.done, 0)).result.isCancelled).toBe(true);
});
