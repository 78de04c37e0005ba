import { expect, it } from 'vitest';
import { DRAIN_CLIENTS } from '../../../decide/drain/clients.ts';
import { machineDrain } from './machine-drain.ts';
import { aManagedPod, aVm, drainWorld, within } from './test-drain.ts';

const client = DRAIN_CLIENTS.capi;

it('looks again every twenty seconds, also at what came since', async () => {
  const here = drainWorld([aManagedPod('a').build()]);
  const drain = machineDrain(here.context, { node: 'n1', client });
  await here.world.clock.advance(10);
  here.world.put(aManagedPod('late').build());
  const { result, at } = await within(here, drain.done, 100);
  expect([result, at]).toEqual([{ end: 'drained', left: [] }, 40]);
  expect(here.evictions()).toEqual(['shop/a@0', 'shop/late@20']);
  expect(here.node('n1')?.spec).toEqual({ unschedulable: true });
});

it('waits for a pod that is on its way out, and does not evict it again', async () => {
  const here = drainWorld([aManagedPod('slow').build()], () => 30);
  const { at } = await within(here, machineDrain(here.context, { node: 'n1', client }).done, 100);
  expect(at).toBe(40);
  expect(here.evictions()).toEqual(['shop/slow@0']);
});

it('has no end where a VM cannot move, unless the Machine sets one', async () => {
  const here = drainWorld(aVm('fix', 'False'));
  const limited = { ...client, timeoutSeconds: 50 };
  const { result, at } = await within(
    here,
    machineDrain(here.context, { node: 'n1', client: limited }).done,
    99,
  );
  expect([result, at]).toEqual([{ end: 'skipped', left: ['shop/virt-launcher-fix-x'] }, 60]);
  const endless = machineDrain(here.context, { node: 'n1', client });
  await here.world.clock.advance(3600);
  endless.cancel();
  expect((await within(here, endless.done, 0)).result.end).toBe('cancelled');
});
