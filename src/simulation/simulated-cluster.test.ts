import { expect, it } from 'vitest';
import { silent } from '../controllers/silent.ts';
import { SimulatedCluster } from './simulated-cluster.ts';

const START_AT = Date.UTC(2026, 2, 1, 12);
it('lets no pod in that a quota has no room for', async () => {
  const quota = {
    kind: 'ResourceQuota',
    metadata: { name: 'quota', namespace: 'default', uid: 'quota' },
    spec: { hard: { pods: '1' } },
    status: { hard: { pods: '1' }, used: { pods: '0' } },
  };
  const { cluster } = new SimulatedCluster({
    ...{ startAt: START_AT, seed: 1, behavior: 'exact', objects: [quota] },
    onEvent: () => {},
    ...silent,
  });
  const create = (name: string) =>
    cluster.create('Pod', 'default', { kind: 'Pod', metadata: { name, namespace: 'default' }, spec: {} });
  expect(await create('first')).toMatchObject({ ok: true });
  expect(await create('second')).toMatchObject({
    ok: false,
    message:
      'pods "second" is forbidden: exceeded quota: quota, requested: pods=1, used: pods=1, limited: pods=1',
  });
});
