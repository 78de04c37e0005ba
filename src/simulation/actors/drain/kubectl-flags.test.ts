import { describe, expect, it } from 'vitest';
import { DRAIN_CLIENTS, type DrainClient, type DrainFlags } from '../../../decide/drain/clients.ts';
import { kubectlDrain } from './kubectl.ts';
import { aManagedPod, aVm, drainWorld, namesOf, within } from './test-drain.ts';

const kubectl = (
  timeoutSeconds?: number,
  flags: Partial<DrainFlags> = {},
  more: Partial<DrainClient> = {},
): DrainClient => ({
  ...DRAIN_CLIENTS.kubectl,
  timeoutSeconds,
  flags: { ...DRAIN_CLIENTS.kubectl.flags, ...flags },
  ...more,
});

const NODES = ['n1'];

describe('flags', () => {
  it('--dry-run=client asks nobody', async () => {
    const here = drainWorld([aManagedPod('a').build()]);
    const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl(0, { dryRun: 'client' }) });
    const { result } = await within(here, drain.done, 1);
    expect(here.world.writes).toEqual([]);
    expect(result.stdout).toEqual([
      'node/n1 cordoned (dry run)',
      'evicting pod shop/a (dry run)',
      'node/n1 drained (dry run)',
    ]);
  });

  it('--dry-run=server asks, and waits for nothing', async () => {
    const here = drainWorld([aManagedPod('a').build()]);
    const drain = kubectlDrain(here.context, { nodes: NODES, client: kubectl(0, { dryRun: 'server' }) });
    const { result } = await within(here, drain.done, 1);
    expect(here.world.writes.map(({ verb, dryRun }) => [verb, dryRun])).toEqual([['evict', true]]);
    expect(result.stdout).toEqual([
      'node/n1 cordoned (server dry run)',
      'evicting pod shop/a (server dry run)',
      'node/n1 drained (server dry run)',
    ]);
  });

  it('--disable-eviction deletes past the webhook', async () => {
    const here = drainWorld(aVm('fix', 'False'));
    const client = kubectl(0, { disableEviction: true });
    const { result } = await within(here, kubectlDrain(here.context, { nodes: NODES, client }).done, 60);
    expect(here.world.wrote('delete', 'Pod')).toEqual(['shop/virt-launcher-fix-x@0']);
    expect(result.stdout).toEqual(['node/n1 cordoned', 'pod/virt-launcher-fix-x deleted', 'node/n1 drained']);
  });

  it('--disable-eviction is no faster than client-go lets it', async () => {
    const here = drainWorld(Array.from({ length: 12 }, (_, index) => aManagedPod(`p${10 + index}`).build()));
    const client = kubectl(0, { disableEviction: true });
    await within(here, kubectlDrain(here.context, { nodes: NODES, client }).done, 60);
    const seconds = here.world.wrote('delete', 'Pod').map((told) => told.split('@')[1]);
    expect(seconds).toEqual([...Array(10).fill('0'), '0.2', '0.4']);
  });

  it('--disable-eviction ends at the first pod that cannot be deleted, and can be called off', async () => {
    const here = drainWorld([aManagedPod('a').build(), aManagedPod('b').build()], () => 100);
    const client = kubectl(0, { disableEviction: true });
    const drain = kubectlDrain(here.context, { nodes: NODES, client });
    await here.world.clock.advance(3);
    drain.cancel();
    expect(namesOf((await within(here, drain.done, 0)).result.pods)).toEqual(['a cancelled', 'b cancelled']);
    const refusing = Object.assign(Object.create(here.context.cluster), {
      fleet: here.context.cluster.fleet,
      delete: async () => ({ ok: false, code: 403, message: 'no' }),
      modify: async () => ({ ok: true, name: 'n1' }),
      subscribe: () => () => {},
    });
    const refused = kubectlDrain({ ...here.context, cluster: refusing }, { nodes: NODES, client });
    const { result } = await within(here, refused.done, 1);
    expect([result.exitCode, namesOf(result.pods)]).toEqual([1, ['a left']]);
    expect(result.stderr.at(-1)).toBe('no');
  });

  it.each([
    ['--grace-period', { gracePeriodSeconds: 7 }, 7],
    ['the own period', {}, 90],
  ])('%s decides how long the pod has', async (_, more, seconds) => {
    const pod = aManagedPod('a').spec({ terminationGracePeriodSeconds: 90 }).build();
    const here = drainWorld([pod], () => 50);
    kubectlDrain(here.context, { nodes: NODES, client: kubectl(0, {}, more) });
    await here.world.clock.advance(1);
    expect(here.world.api.get('Pod', 'shop/a')?.metadata.deletionGracePeriodSeconds).toBe(seconds);
  });

  it('--skip-wait-for-delete-timeout passes over what is long on its way out', async () => {
    const here = drainWorld(
      [aManagedPod('stuck').spec({ terminationGracePeriodSeconds: 1 }).build()],
      () => 900,
    );
    const client = kubectl(0, { skipWaitForDeleteTimeoutSeconds: 5 });
    const { at } = await within(here, kubectlDrain(here.context, { nodes: NODES, client }).done, 60);
    expect(at).toBe(7);
  });
});
