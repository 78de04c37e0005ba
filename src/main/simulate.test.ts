import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

const folder = mkdtempSync(join(tmpdir(), 'drover-simulate-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Plays what is written once. */
async function played(scenario: object) {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, JSON.stringify({ title: 'A scenario', ...scenario }));
  return (await simulate({ file, snapshot: [], runs: 1 })).status;
}

it('what a scenario names and does not have is told with its file', async () => {
  const timeline = [{ at: '1s', cordon: 'n9' }];
  const message = expect.stringMatching(/scenario\.yaml: timeline\[0\]: there is no node n9/);
  await expect(played({ timeline })).rejects.toMatchObject({ code: 'ScenarioInvalid', message });
  const cluster = { nodes: ['n1', 'n1'] };
  const twice = expect.stringMatching(/scenario\.yaml: cluster: there are two of Node n1/);
  await expect(played({ cluster })).rejects.toMatchObject({ message: twice });
});

describe('a scenario that cannot be read', () => {
  it.each([
    ['a folder', folder, 'it is a folder'],
    ['a file that is not there', join(folder, 'none.yaml'), 'there is no such file or folder'],
  ])('%s is named', async (_, file, why) => {
    await expect(simulate({ file, snapshot: [], runs: 1 })).rejects.toMatchObject({
      code: 'ScenarioUnreadable',
      message: `${file}: ${why}`,
    });
  });
});

describe('a guest that shuts down in 25 s and boots in 40 s takes its time', () => {
  it.each([
    [{ restart: 'a' }, [{ down: 35, up: 76, how: 'Succeeded' }]],
    [{ stop: 'a' }, [{ down: 35, up: undefined, how: 'Succeeded' }]],
    [{ evict: 'a' }, [{ down: 35, up: 76, how: 'Succeeded' }]],
    [{ delete: { kind: 'VirtualMachineInstance', name: 'a' } }, [{ down: 35, up: 76, how: 'Succeeded' }]],
  ])('on %j', async (action, outages) => {
    const { firstRun } = await played({
      cluster: { nodes: ['n1'], vms: [{ name: 'a', node: 'n1', graceSeconds: 60 }] },
      guests: [{ bootSeconds: 40, shutdown: { kind: 'clean', seconds: 25 } }],
      timeline: [{ at: '10s', ...action }],
    });
    const told = firstRun.vms[0]?.outages.map(({ downSeconds, upSeconds, how }) => ({
      down: Math.round(downSeconds),
      up: upSeconds && Math.round(upSeconds),
      how,
    }));
    expect(told).toEqual(outages);
  });
});

const pair = (guest: object, migrations: object = {}) => ({
  cluster: {
    kubevirt: { migrations },
    nodes: ['n1', 'n2'],
    vms: [{ name: 'a', node: 'n1', migratable: true, strategy: 'LiveMigrate', memory: '8Gi' }],
  },
  settings: { nicMbps: 1000 },
  guests: [{ migration: guest }],
});
/** It writes to a quarter of its memory all the time, and can never be copied while it runs. */
const busy = { kind: 'copies', hotSet: '2Gi', hotSetSeconds: 1 };

it('a guest that is stopped so that its copy ends is down for that time', async () => {
  const migrations = { completionTimeoutPerGiB: 10, allowWorkloadDisruption: true };
  const { vms, summary } = await played({
    ...pair(busy, migrations),
    timeline: [{ at: '0s', migrate: 'a' }],
  });
  // It is stopped 90.4 s after the start at 2 s, with 2,376 MB left at 116.25 MB/s.
  expect(vms[0]).toMatchObject({ outcome: 'LiveMigrates', moves: { p50: 1 } });
  expect(vms[0]?.downtimeSeconds.p50).toBeCloseTo(20.44, 2);
  expect(summary).toBe('All is quiet after 1m52.8s. Of 1 VM, 1 moved and 1 was down for a time.');
});

it('a guest that goes on at the target in post-copy is not down', async () => {
  const migrations = { completionTimeoutPerGiB: 10, allowPostCopy: true };
  const { vms } = await played({ ...pair(busy, migrations), timeline: [{ at: '0s', migrate: 'a' }] });
  expect(vms[0]).toMatchObject({ outcome: 'LiveMigrates', downtimeSeconds: { p50: 0 } });
});

describe('a VM whose every move fails', () => {
  const fails = { kind: 'fails', seconds: 5, reason: 'no route to host' };
  const drained = { ...pair(fails), timeline: [{ at: '0s', drain: { node: 'n1' } }] };

  it('has not moved once, however often it was tried', async () => {
    const { vms, failures, summary } = await played({ ...drained, expect: { movesPerVm: 0 } });
    expect(vms[0]).toMatchObject({ outcome: 'NeverCompletes', moves: { p50: 0 }, toNode: 'n1' });
    expect(vms[0]?.failedMoves.p50).toBeGreaterThan(5);
    expect(failures).toEqual([]);
    expect(summary).toContain('Of 1 VM, 0 moved, 1 could not move, and 0 were down for a time.');
  });

  it('is not said to be quiet when the time is up', async () => {
    const { summary, cutShort } = await played(drained);
    expect(summary).toMatch(/^Stopped before all was quiet; something last happened after (59m|1h)/);
    expect(cutShort).toBe(1);
  });

  it('is quiet where there was time enough to see that nothing comes any more', async () => {
    const quick = { ...pair({ kind: 'takes', seconds: 3 }), timeline: [{ at: '0s', migrate: 'a' }] };
    const { summary } = await played({ ...quick, settings: { until: '407s' } });
    expect(summary).toMatch(/^All is quiet after 5.5s/);
    expect((await played({ ...quick, settings: { until: '100s' } })).summary).toMatch(/^Stopped before /);
  });
});

it('a guest that ends of its own accord does so that long after the beginning, and after each start', async () => {
  const { firstRun } = await played({
    cluster: { nodes: ['n1'], vms: [{ name: 'a', node: 'n1' }] },
    guests: [{ bootSeconds: 40, ownEnd: { kind: 'crashes', seconds: 600 } }],
    settings: { until: '25m' },
  });
  const [first, second] = firstRun.vms[0]?.outages ?? [];
  expect([first?.downSeconds, Math.round(first?.upSeconds ?? 0)]).toEqual([600, 641]);
  expect(Math.round(second?.downSeconds ?? 0)).toBe(1241);
});

describe('what takes longer than anybody waits for something is waited for', () => {
  const fixed = { node: 'n1', migratable: 'X', strategy: 'LiveMigrateIfPossible', graceSeconds: 3600 };
  const drained = (vm: object, guest: object, settings: object = {}) =>
    played({
      cluster: { nodes: ['n1', 'n2'], vms: [{ name: 'a', ...vm }] },
      settings: { nicMbps: 1000, ...settings },
      guests: [guest],
      timeline: [{ at: '0s', drain: { node: 'n1' } }],
    });

  it('a copy', async () => {
    const large = { node: 'n1', migratable: true, strategy: 'LiveMigrate', memory: '200Gi' };
    const { vms, summary } = await drained(large, { migration: { kind: 'copies' } });
    // 214,748 MB at 116.25 MB/s.
    expect(vms[0]).toMatchObject({ outcome: 'LiveMigrates', startSeconds: { p50: 2 } });
    expect(vms[0]?.endSeconds?.p50).toBeCloseTo(1849.3, 1);
    expect(summary).toMatch(/^All is quiet after 30m5/);
  });

  it('a guest that boots', async () => {
    const { vms } = await drained(fixed, { bootSeconds: 900 });
    expect([vms[0]?.outcome, Math.round(vms[0]?.downtimeSeconds.p50 ?? 0)]).toEqual(['Restarts', 901]);
  });

  it('a guest that shuts down', async () => {
    const { vms } = await drained(fixed, { shutdown: { kind: 'clean', seconds: 1000 } });
    expect(vms[0]).toMatchObject({ outcome: 'Restarts', startSeconds: { p50: 1000 } });
  });

  it('and is told where there is no time for it', async () => {
    const { summary, cutShort } = await drained(fixed, { bootSeconds: 900 }, { until: '10m' });
    expect([summary, cutShort]).toEqual([expect.stringMatching(/^Stopped before all was quiet/), 1]);
  });

  it('but not a VM for which there is no node', async () => {
    const { summary } = await drained({ ...fixed, nodeSelector: { 'kubernetes.io/hostname': 'n1' } }, {});
    expect(summary).toMatch(/^All is quiet after /);
  });
});

it('a VM waits from the creation of its migration to its copy, and again for each further one', async () => {
  const vm = (name: string) => ({ name, node: 'n1', migratable: true, strategy: 'LiveMigrate' });
  const { firstRun } = await played({
    cluster: {
      kubevirt: { migrations: { parallelOutboundMigrationsPerNode: 1 } },
      nodes: ['n1', 'n2'],
      vms: [vm('a'), vm('b')],
    },
    guests: [
      { selector: { name: 'b' }, migration: { kind: 'fails', seconds: 5 } },
      { migration: { kind: 'takes', seconds: 30 } },
    ],
    settings: { until: '60s' },
    timeline: [
      { at: '0s', migrate: 'a' },
      { at: '1s', migrate: 'b' },
      { at: '50s', migrate: 'b' },
    ],
  });
  const waits = firstRun.vms.map((one) => one.waits);
  expect(waits[0]).toEqual([{ fromSeconds: 0, untilSeconds: 2 }]);
  const starts = firstRun.vms[1]?.moves.map(({ startSeconds }) => startSeconds);
  expect(starts).toHaveLength(2);
  expect(starts?.[0]).toBeGreaterThan(32);
  expect(waits[1]).toEqual([
    { fromSeconds: 1, untilSeconds: starts?.[0] },
    { fromSeconds: 50, untilSeconds: starts?.[1] },
  ]);
});

describe('a drain that leaves something behind says what', () => {
  it.each([
    [
      { client: 'cluster-autoscaler' },
      { end: 'failed', says: ['default/virt-launcher-a-00000 is not replicated'] },
    ],
    [
      { client: 'descheduler' },
      {
        end: 'done',
        says: ['leaves 1 of 1 pod alone: pod has local storage and is protected against eviction'],
      },
    ],
    [
      { client: 'capi', timeout: '1m' },
      {
        end: 'failed',
        says: ['the time for the drain was up with default/virt-launcher-a-00000 still there'],
      },
    ],
  ])('%j', async (drain, deed) => {
    const { firstRun } = await played({
      cluster: {
        nodes: ['n1', 'n2'],
        vms: [{ name: 'a', node: 'n1', migratable: 'DisksNotLiveMigratable', strategy: 'LiveMigrate' }],
      },
      timeline: [{ at: '0s', drain: { node: 'n1', ...drain } }],
    });
    expect(firstRun.deeds[0]).toMatchObject(deed);
  });
});

it('a node that boots for longer than Kubernetes bears its silence takes no pods until it is back', async () => {
  const { firstRun } = await played({
    cluster: {
      nodes: ['n1', 'n2'],
      vms: [{ name: 'a', node: 'n1', migratable: true, strategy: 'LiveMigrate' }],
    },
    settings: { reboot: '90s' },
    timeline: [
      { at: '0s', rebootNode: 'n2' },
      { at: '55s', migrate: 'a' },
    ],
  });
  const told = firstRun.events.filter(({ object }) => object === 'Node/n2' || object.startsWith('Pod/'));
  expect(told.map(({ seconds, reason }) => [Math.floor(seconds), reason])).toEqual([
    [50, 'NodeNotReady'],
    [55, 'FailedScheduling'],
    [90, 'Scheduled'],
  ]);
});
