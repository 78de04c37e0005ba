import { describe, expect, it } from 'vitest';
import type { Change } from '../controllers/ports.ts';
import type { Kind } from '../fleet/fleet.ts';
import { aBudget, aMigration, aPod, aVmi } from '../kubevirt/builders.ts';
import { describeCluster } from './contract/describe-cluster.ts';
import { evictionWebhook } from './eviction-webhook.ts';
import { MemoryApi } from './memory-api.ts';
import { type Fault, MemoryCluster, type MemoryClusterOptions, type Write } from './memory-cluster.ts';
import { OwnerCollector } from './owner-collector.ts';
import { seededRandom } from './seeded-random.ts';
import { VirtualClock } from './virtual-clock.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';

function begin(options: Partial<MemoryClusterOptions> = {}, ...objects: readonly { kind?: string }[]) {
  const clock = new VirtualClock(Date.parse('2026-03-01T12:00:00Z'));
  const api = new MemoryApi(clock, seededRandom(1));
  for (const object of objects) api.put(object.kind as Kind, object);
  const cluster = new MemoryCluster({ api, clock, ...options });
  const changes: Change[] = [];
  cluster.subscribe((change) => changes.push(change));
  return { clock, api, cluster, changes };
}

describe('the cluster in memory', () => {
  describeCluster(async () => {
    const { clock, api, cluster } = begin();
    return {
      cluster,
      until: async (holds, what) => {
        if (!(await clock.until(holds, 0))) throw new Error(`in vain for ${what}`);
      },
      read: async (kind, key) => api.get(kind, key),
      stop: async () => cluster.close(),
    };
  });
});

it('begins with what there is, untold', async () => {
  const { cluster, changes, clock } = begin({}, aVmi('db').build());
  await clock.settle();
  expect(cluster.fleet.get('VirtualMachineInstance', 'shop/db')).toBeDefined();
  expect(changes).toEqual([]);
  expect(cluster.fleet.isKnown('Node')).toBe(true);
});

it('learns of a write after it was answered, never within', async () => {
  const { cluster, api, clock } = begin();
  const result = cluster.create(MIGRATION, 'shop', aMigration('m').build());
  expect(api.get(MIGRATION, 'shop/m')).toBeUndefined();
  await result;
  await clock.settle();
  expect(cluster.fleet.get(MIGRATION, 'shop/m')).toBeDefined();
});

it('learns of changes after the lag, in their order', async () => {
  const lags = [5, 1];
  const { cluster, clock, changes } = begin({ lagSeconds: () => lags.shift() ?? 0 });
  await cluster.create(MIGRATION, 'shop', aMigration('one').build());
  await cluster.create(MIGRATION, 'shop', aMigration('two').build());
  await clock.advance(0.9);
  expect(changes).toEqual([]);
  await clock.advance(10);
  expect(changes.map(({ key }) => key)).toEqual(['shop/one', 'shop/two']);
});

it('learns nothing while it is held, and everything afterwards', async () => {
  const { cluster, clock, changes } = begin();
  cluster.hold();
  await cluster.create(MIGRATION, 'shop', aMigration('one').build());
  await cluster.delete(MIGRATION, 'shop/one');
  await clock.advance(1);
  expect(changes).toEqual([]);
  cluster.release();
  expect(changes.map(({ after }) => after !== undefined)).toEqual([true, false]);
});

it('shares an API with others, and hears nothing once it is closed', async () => {
  const { api, clock, cluster, changes } = begin();
  const other = new MemoryCluster({ api, clock });
  await other.create(MIGRATION, 'shop', aMigration('one').build());
  await clock.settle();
  expect(changes).toHaveLength(1);
  cluster.close();
  await other.delete(MIGRATION, 'shop/one');
  await clock.settle();
  expect(changes).toHaveLength(1);
  expect(cluster.fleet.count(MIGRATION)).toBe(1);
});

it('takes time for a write where asked to', async () => {
  const { api, cluster, clock } = begin({ latencySeconds: () => 2 });
  void cluster.create(MIGRATION, 'shop', aMigration('one').build());
  await clock.advance(1.9);
  expect(api.get(MIGRATION, 'shop/one')).toBeUndefined();
  await clock.advance(0.2);
  expect(api.get(MIGRATION, 'shop/one')).toBeDefined();
});

it.each([
  [false, 0],
  [true, 1],
])('lets a write fail; carried out all the same: %s', async (carriedOut, count) => {
  const writes: Write[] = [];
  const answer = { ok: false, message: 'the connection was cut' } as const;
  const faultOf = (write: Write): Fault => {
    writes.push(write);
    return { answer, carriedOut };
  };
  const { api, cluster } = begin({ faultOf });
  expect(await cluster.create(MIGRATION, 'shop', aMigration('one').build())).toBe(answer);
  expect([...api.list(MIGRATION)]).toHaveLength(count);
  expect(writes).toEqual([{ verb: 'create', kind: MIGRATION, key: 'shop', dryRun: false }]);
});

it('notes events with their component', () => {
  const { cluster } = begin();
  const event = { kind: 'Pod', name: 'p', type: 'Normal', reason: 'R', message: 'm' } as const;
  cluster.recordEvent(event, 'c');
  cluster.recordEvent(event, 'c');
  expect(cluster.events).toEqual([
    { ...event, component: 'c' },
    { ...event, component: 'c' },
  ]);
});

describe('evictions', () => {
  const vmi = aVmi('db').on('n1').strategy('LiveMigrate').migratable().build();
  const pod = aPod('virt-launcher-db-1').on('n1').launcherOf(vmi).build();
  const call = { namespace: 'shop', pod: 'virt-launcher-db-1' };
  const body = { metadata: { name: 'virt-launcher-db-1' } };

  it('ask the webhook first, and find its mark on the VMI', async () => {
    const { api, clock } = begin({}, vmi, pod);
    const cluster = new MemoryCluster({ api, clock, evictionWebhook: evictionWebhook(api, 'exact') });
    const refusal = { ok: false, code: 429 } as const;
    const started = 'Eviction triggered evacuation of VMI "shop/db"';
    const webhook = 'admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request';
    expect(await cluster.evict({ ...call, body, dryRun: true })).toEqual({
      ...refusal,
      message: `${webhook}: ${started}`,
    });
    expect(api.get('VirtualMachineInstance', 'shop/db')).not.toHaveProperty('status.evacuationNodeName');
    expect(await cluster.evict({ ...call, body })).toEqual({ ...refusal, message: `${webhook}: ${started}` });
    expect(api.get('VirtualMachineInstance', 'shop/db')).toHaveProperty('status.evacuationNodeName', 'n1');
    expect(await cluster.evict({ ...call, body })).toMatchObject({
      message: `${webhook}: Evacuation in progress: ${started}`,
    });
    expect(api.get('Pod', 'shop/virt-launcher-db-1')).not.toHaveProperty('metadata.deletionTimestamp');
  });

  it('of other pods are no matter of the webhook', async () => {
    const { api, clock } = begin({}, aPod('web').build());
    const cluster = new MemoryCluster({ api, clock, evictionWebhook: evictionWebhook(api, 'exact') });
    const evicted = await cluster.evict({
      namespace: 'shop',
      pod: 'web',
      body: { metadata: { name: 'web' } },
    });
    expect(evicted).toEqual({ ok: true, name: 'web' });
  });

  it('are charged to the budget', async () => {
    const budget = aBudget('pool').spec({ minAvailable: 1 }).selecting('app', 'a');
    const status = { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
    const [one, two] = ['one', 'two'].map((name) => aPod(name).on('n1').labelled('app', 'a').ready().build());
    const { api, cluster } = begin({}, budget.status(status).build(), one ?? {}, two ?? {});
    await cluster.evict({ namespace: 'shop', pod: 'one', body: { metadata: { name: 'one' } }, dryRun: true });
    expect(api.get('PodDisruptionBudget', 'shop/pool')).toHaveProperty('status.disruptionsAllowed', 1);
    await cluster.evict({ namespace: 'shop', pod: 'one', body: { metadata: { name: 'one' } } });
    expect(api.get('PodDisruptionBudget', 'shop/pool')).toHaveProperty('status.disruptionsAllowed', 0);
  });

  it('give the time that they ask for', async () => {
    const { api, cluster } = begin({}, pod);
    await cluster.evict({ ...call, body: { ...body, deleteOptions: { gracePeriodSeconds: 0 } } });
    expect(api.get('Pod', 'shop/virt-launcher-db-1')).toBeUndefined();
  });
});

describe('owners', () => {
  const ownedBy = (...uids: string[]) => uids.map((uid) => ({ kind: 'X', name: uid, uid }));

  it('take what they own with them, when the last of them goes', async () => {
    const clock = new VirtualClock();
    const api = new MemoryApi(clock, seededRandom(1));
    new OwnerCollector(api);
    const vmi = aVmi('db').build();
    const other = aVmi('other').build();
    api.put('VirtualMachineInstance', vmi);
    api.put('VirtualMachineInstance', other);
    api.put(
      'Pod',
      aPod('one')
        .meta({ ownerReferences: ownedBy('uid-db') })
        .build(),
    );
    api.put(
      'Pod',
      aPod('both')
        .meta({ ownerReferences: ownedBy('uid-db', 'uid-other') })
        .build(),
    );
    api.put(
      'Pod',
      aPod('below')
        .meta({ ownerReferences: ownedBy('uid-one') })
        .build(),
    );
    api.delete('VirtualMachineInstance', 'shop/db');
    expect([...api.list('Pod')].map(({ metadata }) => metadata.name)).toEqual(['both']);
    api.delete('VirtualMachineInstance', 'shop/other');
    expect([...api.list('Pod')]).toEqual([]);
  });

  it('keep what they own while a finalizer keeps them', () => {
    const api = new MemoryApi(new VirtualClock(), seededRandom(1));
    new OwnerCollector(api);
    api.put(
      'VirtualMachineInstance',
      aVmi('db')
        .meta({ finalizers: ['f'] })
        .build(),
    );
    api.put(
      'Pod',
      aPod('one')
        .meta({ ownerReferences: ownedBy('uid-db') })
        .build(),
    );
    api.delete('VirtualMachineInstance', 'shop/db');
    expect([...api.list('Pod')]).toHaveLength(1);
    api.patch('VirtualMachineInstance', 'shop/db', [{ op: 'remove', path: '/metadata/finalizers' }]);
    expect([...api.list('Pod')]).toHaveLength(0);
  });
});

it('refuses an update made on an old picture', () => {
  const { api } = begin({}, aVmi('db').build());
  const read = api.get('VirtualMachineInstance', 'shop/db');
  if (!read) throw new Error('no VMI');
  const change = (phase: string) => api.update('VirtualMachineInstance', { ...read, status: { phase } });
  expect(change('Succeeded')).toEqual({ ok: true, name: 'db' });
  expect(change('Failed')).toMatchObject({ code: 409, reason: 'Conflict' });
  expect(api.get('VirtualMachineInstance', 'shop/db')).toHaveProperty('status.phase', 'Succeeded');
});
