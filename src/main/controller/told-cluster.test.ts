import { expect, it } from 'vitest';
import { recordLog } from '../../controllers/test-records.ts';
import type { ApiResult } from '../../decide/api-result.ts';
import { MemoryCluster } from '../../simulation/memory-cluster.ts';
import { aWorld } from '../../simulation/test-world.ts';
import { toldCluster } from './told-cluster.ts';

const refused: ApiResult = { ok: false, code: 429, message: 'a budget' };
const MIGRATION = 'VirtualMachineInstanceMigration';

function aToldCluster(dryRun = false, fault?: ApiResult) {
  const world = aWorld([]);
  const cluster = new MemoryCluster({ api: world.api, clock: world.clock });
  if (fault) cluster.evict = async () => fault;
  const log = recordLog();
  return { cluster, log, told: toldCluster(cluster, log, dryRun) };
}

const evict = { namespace: 'shop', pod: 'p', body: {} };

it('tells what was done, with the name that the server gave', async () => {
  const { told, log } = aToldCluster();
  await told.create(MIGRATION, 'shop', {
    metadata: { name: 'm', namespace: 'shop' },
    spec: { vmiName: 'db' },
  });
  await told.delete(MIGRATION, 'shop/m');
  expect(log.entries).toEqual([
    { level: 'info', message: 'created', fields: { kind: MIGRATION, object: 'shop/m' } },
    { level: 'info', message: 'deleted', fields: { kind: MIGRATION, object: 'shop/m' } },
  ]);
});

it('says of a dry run what would have been done', async () => {
  const { told, log } = aToldCluster(true, { ok: true, name: 'p' });
  await told.evict(evict);
  expect(log.entries).toEqual([
    { level: 'info', message: 'would have evicted', fields: { kind: 'Pod', object: 'shop/p', dryRun: true } },
  ]);
});

it.each<[ApiResult, string]>([
  [refused, 'debug'],
  [{ ok: false, code: 500, message: 'broken' }, 'warn'],
  [{ ok: false, message: 'no answer' }, 'warn'],
])('tells %j at level %s, and hands it on', async (fault, level) => {
  const { told, log } = aToldCluster(false, fault);
  expect(await told.evict(evict)).toBe(fault);
  expect(log.entries).toMatchObject([{ level, message: 'could not evict', fields: { object: 'shop/p' } }]);
});

it('shows the same fleet, and tells of the same changes', () => {
  const { told, cluster } = aToldCluster();
  expect(told.fleet).toBe(cluster.fleet);
  expect(told.isSynced()).toBe(cluster.isSynced());
});
