import { describe, expect, it } from 'vitest';
import {
  deleteMigration as abortOf,
  createMigration as draftMigration,
  evictPod,
} from '../decide/workload-update/commands.ts';
import { aMigration, aPod, aVmi } from '../kubevirt/builders.ts';
import { MemoryApi } from '../simulation/memory-api.ts';
import { MemoryCluster } from '../simulation/memory-cluster.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { createMigration, deleteMigration, evict, named } from './carry-out.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';
const vmi = aVmi('db').on('n1').condition('VolumesChange', 'True').build();
const creation = draftMigration(vmi, 'exact', true);

function begin() {
  const clock = new VirtualClock();
  const api = new MemoryApi(clock, seededRandom(1));
  api.put('VirtualMachineInstance', vmi);
  return { clock, api, cluster: new MemoryCluster({ api, clock }) };
}

describe('a migration', () => {
  it('is created with a name that the API server makes up, exactly', async () => {
    const { api, cluster } = begin();
    const result = await createMigration(cluster, named(cluster, creation, 'exact'));
    expect(result).toEqual({
      ok: true,
      name: expect.stringMatching(/^kubevirt-workload-update-[a-z0-9]{5}$/),
    });
    expect([...api.list(MIGRATION)]).toMatchObject([
      {
        metadata: {
          namespace: 'shop',
          annotations: { 'kubevirt.io/workloadUpdateMigration': '' },
          labels: { 'kubevirt.io/volume-update-migration': 'db' },
        },
        spec: { vmiName: 'db', priority: 'user-triggered' },
      },
    ]);
  });

  it('is created once under the name of the picture, however often it is sent', async () => {
    const { api, cluster } = begin();
    const send = () => createMigration(cluster, named(cluster, creation, 'intended'));
    const [one, other] = [await send(), await send()];
    expect(one).toEqual({ ok: true, name: expect.stringMatching(/^kubevirt-workload-update-[0-9a-f]{16}$/) });
    expect(other).toEqual(one);
    expect([...api.list(MIGRATION)]).toHaveLength(1);
  });

  it('without labels has none', async () => {
    const { api, cluster } = begin();
    await createMigration(cluster, draftMigration(aVmi('db').build(), 'exact', true));
    expect([...api.list(MIGRATION)][0]?.metadata).not.toHaveProperty('labels');
  });

  it('that is refused is not created', async () => {
    const { cluster } = begin();
    const denied = { ...creation, migration: { ...creation.migration, generateName: 'No ' } };
    expect(await createMigration(cluster, denied)).toMatchObject({ ok: false, code: 422 });
  });

  it('that is there under a name made up by the API server is a refusal', async () => {
    const taken = { ok: false, code: 409, reason: 'AlreadyExists', message: 'taken' } as const;
    const clock = new VirtualClock();
    const api = new MemoryApi(clock, seededRandom(1));
    const cluster = new MemoryCluster({ api, clock, faultOf: () => ({ answer: taken }) });
    expect(await createMigration(cluster, creation)).toBe(taken);
  });

  it('is deleted', async () => {
    const { api, cluster } = begin();
    api.put(MIGRATION, aMigration('m').build());
    const abort = abortOf(vmi, aMigration('m').build());
    expect(await deleteMigration(cluster, abort)).toEqual({ ok: true, name: 'm' });
    expect(await deleteMigration(cluster, abort)).toMatchObject({ ok: false, reason: 'NotFound' });
  });
});

it('a pod is evicted', async () => {
  const { api, cluster } = begin();
  const pod = aPod('virt-launcher-db-1').on('n1').launcherOf(vmi).build();
  api.put('Pod', pod);
  expect(await evict(cluster, evictPod(vmi, pod))).toEqual({ ok: true, name: 'virt-launcher-db-1' });
  expect(api.get('Pod', 'shop/virt-launcher-db-1')).toHaveProperty('metadata.deletionTimestamp');
});
