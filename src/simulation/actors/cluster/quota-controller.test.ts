import { expect, it } from 'vitest';
import { recordLog, recordMetrics } from '../../../controllers/test-records.ts';
import { aPod } from '../../../kubevirt/builders.ts';
import { objectAt } from '../../../kubevirt/json.ts';
import { withQuotas } from '../../admission/quota-admission.ts';
import { MemoryApi } from '../../memory-api.ts';
import { MemoryCluster } from '../../memory-cluster.ts';
import { seededRandom } from '../../seeded-random.ts';
import { VirtualClock } from '../../virtual-clock.ts';
import { quotaController } from './quota-controller.ts';

const quota = (hard: Record<string, string>) => ({
  kind: 'ResourceQuota',
  metadata: { name: 'q', namespace: 'shop' },
  spec: { hard },
});

const pod = (name: string) => aPod(name).phase('Pending').asking({ cpu: '1' });

/** A cluster with the quota's admission, which lets everything else through. */
async function begin(...objects: readonly object[]) {
  const clock = new VirtualClock(Date.parse('2026-03-01T12:00:00Z'));
  const admission = withQuotas(() => ({
    create: (_, object) => ({ ok: true, object }),
    update: () => undefined,
  }));
  const api = new MemoryApi(clock, seededRandom(1), { admission });
  for (const object of objects) api.put((object as { kind: 'Pod' }).kind, object);
  const cluster = new MemoryCluster({ api, clock });
  const { metrics } = recordMetrics();
  const actor = quotaController({ cluster, clock, random: seededRandom(1), log: recordLog(), metrics });
  actor.start();
  await clock.settle();
  const used = () => objectAt(objectAt(api.get('ResourceQuota', 'shop/q') ?? {}, 'status'), 'used');
  const create = async (name: string) => {
    const result = await cluster.create('Pod', 'shop', pod(name).build());
    await clock.settle();
    return result;
  };
  return { api, clock, actor, used, create };
}

it('tells what is used, and follows pods that come, end and go', async () => {
  const { api, clock, used, create } = await begin(quota({ pods: '5', cpu: '4' }), pod('a').build());
  expect(used()).toEqual({ pods: '1', cpu: '1' });
  await create('b');
  expect(used()).toEqual({ pods: '2', cpu: '2' });
  api.patch('Pod', 'shop/b', [{ op: 'add', path: '/status', value: { phase: 'Succeeded' } }], {
    subresource: 'status',
  });
  await clock.settle();
  expect(used()).toEqual({ pods: '1', cpu: '1' });
  api.delete('Pod', 'shop/a');
  await clock.settle();
  expect(used()).toEqual({ pods: '0', cpu: '0' });
});

it('refuses a pod for which there is no room, in the words of the API server', async () => {
  const { create, used } = await begin(quota({ cpu: '1' }));
  expect(await create('a')).toEqual({ ok: true, name: 'a' });
  expect(await create('b')).toEqual({
    ok: false,
    code: 403,
    reason: 'Forbidden',
    message: 'pods "b" is forbidden: exceeded quota: q, requested: cpu=1, used: cpu=1, limited: cpu=1',
  });
  expect(used()).toEqual({ cpu: '1' });
});

it('counts two pods of the same moment', async () => {
  const { create } = await begin(quota({ pods: '1' }));
  const answers = await Promise.all([create('a'), create('b')]);
  expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
});

it('refuses while nothing is known of what is used', async () => {
  const { api, clock, create } = await begin();
  api.put('ResourceQuota', quota({ pods: '1' }));
  const early = api.create('Pod', 'shop', pod('a').build());
  expect(early).toMatchObject({
    ok: false,
    code: 403,
    message: 'pods "a" is forbidden: status unknown for quota: status.used of ResourceQuota shop/q',
  });
  await clock.settle();
  expect((await create('a')).ok).toBe(true);
});

it('counts anew by another spec, and forgets a quota that is gone', async () => {
  const { api, clock, used } = await begin(quota({ pods: '5' }), pod('a').build());
  api.patch('ResourceQuota', 'shop/q', [{ op: 'replace', path: '/spec/hard', value: { cpu: '9' } }]);
  await clock.settle();
  expect(used()).toEqual({ cpu: '1' });
  api.delete('ResourceQuota', 'shop/q');
  api.put('ResourceQuota', quota({ pods: '5' }));
  await clock.settle();
  expect(used()).toEqual({ pods: '1' });
});

it('leaves other namespaces and other kinds alone', async () => {
  const elsewhere = aPod('x', 'ci').build();
  const { api, used } = await begin(quota({ pods: '0' }), elsewhere);
  expect(used()).toEqual({ pods: '0' });
  expect(api.create('Pod', 'ci', aPod('y', 'ci').build()).ok).toBe(true);
  expect(api.create('PodDisruptionBudget', 'shop', { metadata: { name: 'b' } }).ok).toBe(true);
});
