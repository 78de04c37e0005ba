import { describe, expect, it } from 'vitest';
import type { Fleet } from '../../fleet/fleet.ts';
import { planConfig } from '../../forecast/plans/config.ts';
import { planDrain } from '../../forecast/plans/drain.ts';
import { planUpgrade } from '../../forecast/plans/upgrade.ts';
import { DRAIN_DEFAULTS } from '../../forecast/questions.ts';
import type { TimedAction } from './play-action.ts';
import { aFleet, forecastOptions } from './test-fleet.ts';
import { withTime } from './with-time.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const OPTIONS = { takenAt: NOW, behavior: 'exact', runs: 2, whatIf: [] } as const;
const UPGRADE: TimedAction = { action: 'upgrade', question: {} };

async function upgradeWithTime(fleet: Fleet, options: Partial<Parameters<typeof withTime>[3]> = {}) {
  const forecast = planUpgrade(fleet, {}, forecastOptions);
  return withTime(forecast, fleet, UPGRADE, { ...OPTIONS, ...options });
}

const OUTBOUND_5 = [{ path: 'parallelOutboundMigrationsPerNode', value: '5' }];

describe('a forecast with times', () => {
  it('says when each VM begins to move and has moved, two out of a node at a time', async () => {
    const { status } = await upgradeWithTime(aFleet());
    const ends = status.vms.map(({ end }) => end?.p50 ?? Number.NaN).sort((a, b) => a - b);
    expect(status.vms.every(({ start, end }) => start && end && start.p50 < end.p50)).toBe(true);
    expect((ends[5] ?? 0) - (ends[0] ?? 0)).toBeGreaterThan(20);
    expect(status.time?.total.p50).toBeGreaterThanOrEqual(ends[5] ?? 0);
  });

  it('names what holds it up, and tries another setting', async () => {
    const { status } = await upgradeWithTime(aFleet(), { whatIf: OUTBOUND_5 });
    expect(status.time?.bottleneck).toMatchObject({ reason: 'OutboundSlots' });
    expect(status.time?.bottleneck?.message).toContain('6 moves out of n1, 2 at once');
    const [other] = status.time?.whatIf ?? [];
    expect(other?.settings).toBe('parallelOutboundMigrationsPerNode=5');
    expect(other?.total.p50).toBeLessThan((status.time?.total.p50 ?? 0) - 10);
  });

  it('says who does not come to it with another setting', async () => {
    const whatIf = [{ path: 'parallelOutboundMigrationsPerNode', value: '0' }];
    const { status } = await upgradeWithTime(aFleet(), { whatIf, runs: 1 });
    expect(status.time?.whatIf[0]?.leftBehind).toBe(6);
    expect(status.notes).toContain(
      'With parallelOutboundMigrationsPerNode=0 it takes 0s, but 6 VMs do not come to it at all.',
    );
  });

  it('tries another setting on top of a change of the configuration', async () => {
    const fleet = aFleet({
      kubevirt: { methods: [], migrations: { parallelOutboundMigrationsPerNode: 2 } },
      ...{ fixed: true, outdated: 3 },
    });
    const question = { set: [{ path: 'workloadUpdateMethods', value: 'LiveMigrate' }] };
    const forecast = planConfig(fleet, question, forecastOptions);
    const { status } = await withTime(
      ...[forecast, fleet, { action: 'config', question } as const, { ...OPTIONS, whatIf: OUTBOUND_5 }],
    );
    const [other] = status.time?.whatIf ?? [];
    expect(other?.total.p50).toBeGreaterThan(40);
    expect(other?.total.p50).toBeLessThan((status.time?.total.p50 ?? 0) - 10);
  });

  it('counts VMs that refuse among those that take places of batches', async () => {
    const fleet = aFleet({
      kubevirt: { batchEvictionSize: 1, batchEvictionInterval: '5m' },
      fixed: true,
      refusing: true,
    });
    const { status } = await upgradeWithTime(fleet, { runs: 1 });
    expect(status.time?.bottleneck).toMatchObject({
      reason: 'BatchInterval',
      message: '2 evictions, 1 in a batch, a batch every 300 s: at least 5m0s',
    });
  });

  it('tells how long a VM is down that restarts', async () => {
    const { status } = await upgradeWithTime(aFleet({ fixed: true }));
    const stuck = status.vms.find(({ name }) => name === 'stuck');
    expect(stuck).toMatchObject({ outcome: 'Restarts' });
    // 10 s to shut down are not down yet; 30 s to boot are, and what a new pod takes.
    expect(stuck?.downtimeSeconds?.p50).toBeGreaterThanOrEqual(30);
    expect(stuck?.downtimeSeconds?.p50).toBeLessThan(60);
  });

  it('tells no end of a VM that waits for a node when all else is over, and not for how long', async () => {
    const question = { ...DRAIN_DEFAULTS, nodes: ['n1', 'n2', 'n3'] };
    const fleet = aFleet({ fixed: true });
    const forecast = planDrain(fleet, question, forecastOptions);
    const { status } = await withTime(
      forecast,
      fleet,
      { action: 'drain', question },
      { ...OPTIONS, runs: 1 },
    );
    const stuck = status.vms.find(({ name }) => name === 'stuck');
    expect(stuck).toMatchObject({ outcome: 'Restarts', reason: 'WaitsForUncordon', start: { p50: 10 } });
    expect([stuck?.end, stuck?.downtimeSeconds]).toEqual([undefined, undefined]);
  });

  it('says what it assumes, and learns from migrations that have finished', async () => {
    const assumed = await upgradeWithTime(aFleet(), { runs: 1 });
    expect(assumed.status.notes.join('\n')).toContain('copied at 100 MB/s (assumed');
    const fleet = aFleet();
    const vmi = fleet.get('VirtualMachineInstance', 'default/m0');
    if (!vmi) throw new Error('no VMI');
    const migrationState = {
      startTimestamp: '2026-03-01T11:00:00Z',
      endTimestamp: '2026-03-01T11:00:02Z',
      completed: true,
    };
    fleet.apply('VirtualMachineInstance', { ...vmi, status: { ...vmi.status, migrationState } });
    const learned = await upgradeWithTime(fleet, { runs: 1 });
    expect(learned.status.notes.join('\n')).toContain(
      'copied at 2147 MB/s (the middle of 1 finished migration',
    );
    expect(learned.status.time?.total.p50).toBeLessThan(assumed.status.time?.total.p50 ?? 0);
  });

  it('takes no time where nothing happens to anybody, though a dump without pods has guests end', async () => {
    const fleet = aFleet();
    for (const { metadata } of [...fleet.all('Pod')]) fleet.remove('Pod', `default/${metadata.name}`);
    const question = { set: [{ path: 'parallelMigrationsPerCluster', value: '1' }] };
    const forecast = planConfig(fleet, question, forecastOptions);
    expect(forecast.status.counts.Untouched).toBe(6);
    const action = { action: 'config', question } as const;
    const { status } = await withTime(forecast, fleet, action, { ...OPTIONS, runs: 1 });
    expect(status.notes).toContain('No VM moves or is shut down, so that it takes no time.');
  });

  it('tells no times of a VM that cannot be judged, and no total with it', async () => {
    const fleet = aFleet({ fixed: true });
    for (const pod of fleet.podsOn('n1')) {
      if (pod.metadata.name.includes('stuck')) fleet.remove('Pod', `default/${pod.metadata.name}`);
    }
    const { status } = await upgradeWithTime(fleet, { runs: 1 });
    const stuck = status.vms.find(({ name }) => name === 'stuck');
    expect(stuck).toMatchObject({ outcome: 'Unknown' });
    expect([stuck?.start, stuck?.end, stuck?.downtimeSeconds]).toEqual([undefined, undefined, undefined]);
    expect(status.time).toBeUndefined();
    expect(status.notes).toContain('How long it takes cannot be told: 1 VM cannot be judged.');
  });

  it('ends with the last VM that gets anywhere, though another is tried again for ever', async () => {
    const { status } = await upgradeWithTime(aFleet({ pinned: true }), { runs: 1 });
    expect(status.vms.find(({ name }) => name === 'pinned')).toMatchObject({ outcome: 'NeverCompletes' });
    expect(status.time?.total.p90).toBeLessThan(3600);
    expect(status.time?.total.p90).toBeGreaterThan(100);
  });

  it('takes as long as the VMs of the drained node, whatever a roll-out moves beside it', async () => {
    const fleet = aFleet({ outdated: 6, onN2: 8, memory: '64Gi' });
    const question = { ...DRAIN_DEFAULTS, nodes: ['n2'] };
    const forecast = planDrain(fleet, question, forecastOptions);
    const { status } = await withTime(forecast, fleet, { action: 'drain', question }, OPTIONS);
    const ends = status.vms.map(({ end }) => end?.p90 ?? Number.NaN);
    expect(ends).toHaveLength(8);
    expect(status.time?.total.p90).toBe(Math.max(...ends));
    expect(status.time?.bottleneck?.message).toMatch(/^8 moves out of n2, 2 at once/);
  });

  it('tells of whoever is asked about how long he takes, and of all what holds them up', async () => {
    const fleet = aFleet();
    const question = { ...DRAIN_DEFAULTS, nodes: ['n1'] };
    const forecast = planDrain(fleet, question, forecastOptions);
    const one = { ...forecast, status: { ...forecast.status, vms: forecast.status.vms.slice(0, 1) } };
    const { status } = await withTime(one, fleet, { action: 'drain', question }, { ...OPTIONS, runs: 1 });
    expect(status.vms[0]?.end).toEqual(status.time?.total);
    expect(status.time?.bottleneck?.message).toMatch(/^6 moves out of n1/);
  });

  it('gives the same times for the same input', async () => {
    expect(await upgradeWithTime(aFleet())).toEqual(await upgradeWithTime(aFleet()));
  });
});
