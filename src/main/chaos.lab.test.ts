import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../lab/describe-lab.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../lab/test-fault-proxy.ts';
import { waitFor } from '../lab/wait.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import { logged, type Replica, startReplica } from './controller/test-controller.ts';
import {
  type Deeds,
  deedsIn,
  evictedWhileMigrated,
  fullestBatch,
  overlappingMigrations,
} from './test-invariants.ts';
import {
  aVmManifest,
  type KubeVirtLab,
  runVms,
  startKubeVirtLab,
  untilAllCurrent,
} from './test-kubevirt-lab.ts';

const SIZE = 2;
const INTERVAL_SECONDS = 4;
const MOVING = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const RESTARTING = ['w', 'x', 'y', 'z'];
const ALL = [...MOVING, ...RESTARTING];
const SEED = 7;
/** Of so many writes one goes wrong. */
const FAULTY = 6;

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

describeLab('a roll-out while things break', () => {
  let cluster: KubeVirtLab;
  let proxy: FaultProxy;
  let replicas: Replica[] = [];
  let release = 1;

  beforeAll(async () => {
    cluster = await startKubeVirtLab({
      nodes: ['n1', 'n2', 'n3'].map((name) => ({ name })),
      ...{ methods: ['LiveMigrate', 'Evict'], batchSize: SIZE, batchInterval: `${INTERVAL_SECONDS}s` },
    });
    proxy = await startFaultProxy(cluster.lab);
    await runVms(cluster, [
      ...MOVING.map((name) => aVmManifest(name, { strategy: 'LiveMigrate' })),
      ...RESTARTING.map((name) => aVmManifest(name, { unmigratable: 'DisksNotLiveMigratable' })),
    ]);
  }, 150_000);
  afterEach(() => {
    for (const { child } of replicas) child.kill('SIGKILL');
    replicas = [];
    proxy?.setFault(() => undefined);
  });
  afterAll(async () => {
    await cluster?.stop();
    await proxy?.close();
  });

  function start(): Replica {
    const replica = startReplica(proxy.kubeconfig, '--launcher-image', `launcher:v${release}`);
    replicas.push(replica);
    return replica;
  }

  /** Rolls the next release out while something is done, and looks at what the API server was asked meanwhile. */
  async function rollOut(meanwhile: (first: Replica, since: () => Deeds) => Promise<void>): Promise<void> {
    const { lab, standIn, setImage } = cluster;
    release += 1;
    const image = `launcher:v${release}`;
    setImage(image);
    const before = deedsIn(lab);
    const first = start();
    await logged(first, 'leading');
    const since = () => newIn(deedsIn(lab), before);
    await waitFor(() => since().migrations.length > 0, { what: 'it to begin', seconds: 60 });
    await meanwhile(first, since);
    // A batch that nobody knows the end of counts for a minute and an interval, and there may be two such.
    await untilAllCurrent(standIn, ALL, { image, seconds: 170 });
    const deeds = since();
    expect(new Set(deeds.migrations.map(({ vmi }) => vmi))).toEqual(new Set(MOVING.map(keyOf)));
    expect(deeds.evictions.map(({ vmi }) => vmi).sort()).toEqual(RESTARTING.map(keyOf));
    expect(overlappingMigrations(deeds)).toEqual([]);
    expect(evictedWhileMigrated(deeds)).toEqual([]);
    expect(fullestBatch(deeds.evictions, INTERVAL_SECONDS)).toBeLessThanOrEqual(SIZE);
  }

  /** Evictions whose end could not be noted count for a minute, lest they were accepted: no test waits for that. */
  async function firstBatch(since: () => Deeds): Promise<void> {
    await waitFor(() => since().evictions.length >= SIZE, { what: 'the first batch', seconds: 70 });
    await pause(1);
  }

  it(
    'the API server is killed and started again',
    () =>
      rollOut(async (_, since) => {
        await firstBatch(since);
        await cluster.lab.killApiServer();
        await pause(1);
        await cluster.lab.restartApiServer();
      }),
    260_000,
  );

  it(
    'etcd stands still for ten seconds',
    () =>
      rollOut(async (_, since) => {
        await firstBatch(since);
        cluster.lab.etcd.pause();
        await pause(10);
        cluster.lab.etcd.resume();
      }),
    260_000,
  );

  it('watches are cut every second, writes fail at random, and the leader is killed in the middle', async () => {
    let cutting: NodeJS.Timeout | undefined;
    try {
      await rollOut(async (first, since) => {
        await firstBatch(since);
        proxy.setFault(faultsAtRandom());
        cutting = setInterval(() => {
          for (const watch of proxy.watches) watch.cut();
        }, 1_000);
        const second = start();
        await logged(second, 'running');
        first.child.kill('SIGKILL');
        await logged(second, 'leading');
      });
    } finally {
      clearInterval(cutting);
    }
  }, 260_000);
});

/**
 * What goes wrong: a write is refused, failed, late, lost on the way, or lost after it was done. Not so those after whose loss Drover
 * waits for a minute, lest they were done: evictions are only refused or late, and the lease, which holds what is remembered of batches,
 * is left alone.
 */
function faultsAtRandom(): Parameters<FaultProxy['setFault']>[0] {
  const random = seededRandom(SEED);
  const refused: Fault = { status: 429, headers: { 'retry-after': '1' } };
  const late: Fault = { delaySeconds: 1 };
  const faultsOf = (path: string): readonly Fault[] => {
    if (path.endsWith('/eviction')) return [refused, late];
    return [refused, late, { status: 500 }, { reset: 'before' }, { reset: 'after' }];
  };
  return ({ method, path }) => {
    if (method === 'GET' || path.includes('/leases') || random.next() > 1 / FAULTY) return undefined;
    const faults = faultsOf(path);
    return faults[Math.floor(random.next() * faults.length)];
  };
}

function keyOf(name: string): string {
  return `default/${name}`;
}

function newIn(now: Deeds, before: Deeds): Deeds {
  return {
    migrations: now.migrations.slice(before.migrations.length),
    evictions: now.evictions.slice(before.evictions.length),
    refusals: now.refusals.slice(before.refusals.length),
  };
}
