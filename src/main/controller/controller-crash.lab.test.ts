import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../../lab/describe-lab.ts';
import type { Lab } from '../../lab/lab.ts';
import { type FaultProxy, startFaultProxy } from '../../lab/test-fault-proxy.ts';
import { waitFor } from '../../lab/wait.ts';
import {
  audited,
  evictions,
  logged,
  migrations,
  NEW_IMAGE,
  type Replica,
  runOldVm,
  setStrategy,
  startControllerLab,
  startReplica,
} from './test-controller.ts';

const SIZE = 4;
const INTERVAL_SECONDS = 15;
/** Beyond the two batches that the test waits for. */
const RESTARTING = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const MOVING = ['k', 'l', 'm'];

describeLab('drover controller, killed', () => {
  let lab: Lab;
  let proxy: FaultProxy;
  const replicas: Replica[] = [];

  beforeAll(async () => {
    lab = await startControllerLab();
    proxy = await startFaultProxy(lab);
    await setStrategy(lab, {
      methods: ['LiveMigrate', 'Evict'],
      size: SIZE,
      interval: `${INTERVAL_SECONDS}s`,
    });
    for (const name of RESTARTING) await runOldVm(lab, name, false);
    for (const name of MOVING) await runOldVm(lab, name, true);
  }, 120_000);
  afterEach(() => {
    for (const { child } of replicas) child.kill('SIGKILL');
  });
  afterAll(async () => {
    await proxy?.close();
    await lab?.stop();
  });

  function start(kubeconfig: string): Replica {
    const replica = startReplica(kubeconfig, '--launcher-image', NEW_IMAGE);
    replicas.push(replica);
    return replica;
  }

  it('in the middle of a batch, leaves a roll-out that another goes on with, nobody twice and no batch early', async () => {
    // Every other eviction and migration of the first process is slow, so that they are under way when it dies.
    let sent = 0;
    proxy.setFault(({ method, path }) => {
      const isDeed = method === 'POST' && /\/(eviction|virtualmachineinstancemigrations)$/.test(path);
      return isDeed && ++sent % 2 === 0 ? { delaySeconds: 3 } : undefined;
    });
    const first = start(proxy.kubeconfig);
    await logged(first, 'leading');
    const second = start(lab.kubeconfig);
    await logged(second, 'running');
    await waitFor(() => evictions(lab).length >= SIZE / 2, { what: 'half of a batch' });
    first.child.kill('SIGKILL');
    const killedAt = Date.now();
    expect(evictions(lab).length).toBeLessThan(SIZE);

    await logged(second, 'leading');
    await waitFor(() => evictions(lab).length === RESTARTING.length, { what: 'everybody', seconds: 150 });
    await waitFor(() => migrations(lab).length === MOVING.length, { what: 'all migrations' });
    expect(second.lines.filter(({ level }) => level === 'error')).toEqual([]);

    const evicted = evictions(lab);
    expect(evicted.map(({ name }) => name).sort()).toEqual(RESTARTING.map((name) => `virt-launcher-${name}`));
    for (const { at } of evicted) {
      const inBatch = evicted.filter((other) => other.at >= at && other.at < at + INTERVAL_SECONDS * 1000);
      expect(inBatch.length).toBeLessThanOrEqual(SIZE);
    }
    expect(evicted.filter(({ at }) => at > killedAt).length).toBeGreaterThan(SIZE);
    expect(
      migrations(lab)
        .map(({ vmi }) => vmi)
        .sort(),
    ).toEqual(MOVING);
    const refused = audited(lab, 'virtualmachineinstancemigrations').filter(({ code }) => code >= 400);
    expect(refused.filter(({ code }) => code !== 409)).toEqual([]);
  }, 240_000);
});
