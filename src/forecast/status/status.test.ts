import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { agoAt, current, NEW, old, statusOf, stubborn } from './test-status.ts';

describe('the whole roll-out', () => {
  it('counts, sorts, and leaves out what does not run', () => {
    const vmis = [old('c').build(), current('a').build(), current('b').build()];
    const others = [aVmi('starts').phase('Scheduling').build(), aVmi('gone').phase('Succeeded').build()];
    const { kind, spec, status } = statusOf({ vmis, others });
    expect([kind, spec]).toEqual([
      'RolloutStatus',
      {
        kubevirtVersion: '1.9',
        behavior: 'exact',
        launcherImage: NEW,
        workloadUpdateMethods: ['LiveMigrate', 'Evict'],
        at: '2026-03-01T12:00:00Z',
      },
    ]);
    expect(status).toMatchObject({
      counts: { Done: 2, Moving: 0, Waiting: 1, Stuck: 0 },
      gate: { open: true, reason: 'GateOpen' },
      notRunning: 1,
      percentDone: 66,
      pace: undefined,
      secondsLeft: undefined,
    });
    expect(status.vms.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('is the same whatever the order of the objects', () => {
    const vmis = [old('c').build(), current('a').build(), stubborn('b').build(), old('d').build()];
    const others = ['c', 'd', 'c', 'c'].map((vmi, i) =>
      aMigration(`m${i}`, vmi)
        .meta({ creationTimestamp: agoAt(60 - (i % 3)) })
        .phase(i >= 2 ? 'Running' : 'Failed')
        .build(),
    );
    const reversed = statusOf({ vmis: [...vmis].reverse(), others: [...others].reverse() });
    expect(reversed).toEqual(statusOf({ vmis, others }));
    expect(reversed.status.vms.map(({ reason }) => reason)).toEqual([
      'UpToDate',
      'WaitsForBatch',
      'MigrationCreated',
      'LastMigrationFailed',
    ]);
  });

  it('has nothing left to do without VMs', () => {
    expect(statusOf({ vmis: [] }).status).toMatchObject({
      percentDone: 100,
      secondsLeft: 0,
      endsAt: agoAt(0),
    });
  });

  it('tells the time by the pace of migrations and by batches', () => {
    const ended = (name: string, seconds: number) =>
      aMigration(name, name)
        .meta({ uid: name })
        .phase('Succeeded')
        .status({ phase: 'Succeeded', migrationState: { endTimestamp: agoAt(seconds) } })
        .build();
    const others = [ended('x', 60), ended('y', 30)];
    const left = (vmis: Vmi[]) => statusOf({ vmis, others }).status;
    expect(left([old('a').build(), old('b').build()])).toMatchObject({
      pace: { migrations: 2, perMinute: 1 },
      secondsLeft: 120,
      endsAt: agoAt(-120),
    });
    expect(left(['a', 'b', 'c'].map((name) => stubborn(name).build())).secondsLeft).toBe(120);
    expect(left([stubborn('a').strategy('LiveMigrate').build()]).secondsLeft).toBe(0);
  });

  it('tells no time while the updater may not act', () => {
    const kubevirt = aKubeVirt().methods('Evict').status({ phase: 'Deploying' }).build();
    const { status } = statusOf({ kubevirt, vmis: [stubborn().build()] });
    expect([status.gate, status.secondsLeft, status.endsAt]).toEqual([
      { open: false, reason: 'GateNotDeployed' },
      undefined,
      undefined,
    ]);
  });

  it("goes by Drover's own strategy where it is given", () => {
    const kubevirt = aKubeVirt().build();
    const strategy = {
      kind: 'own' as const,
      methods: ['Evict'],
      batchEvictionSize: 1,
      batchEvictionIntervalSeconds: 90,
    };
    const { spec, status } = statusOf({
      kubevirt,
      vmis: [stubborn().build()],
      question: { launcherImage: NEW, strategy },
    });
    expect(spec.workloadUpdateMethods).toEqual(['Evict']);
    expect(status.vms[0]?.message).toBe('shop/db waits to be evicted: 1 at once, every 90 s');
  });

  it('goes by the labels of VMIs where nothing names the image, and by the Deployment where it does', () => {
    const vmis = [old('a').outdated().build(), old('b').build()];
    expect(statusOf({ vmis, question: {} }).status.vms.map(({ state }) => state)).toEqual([
      'Waiting',
      'Done',
    ]);
    const containers = [{ name: 'c', args: ['--launcher-image', 'launcher:v3'] }];
    const deployment = {
      kind: 'Deployment',
      metadata: { name: 'virt-controller', namespace: 'kubevirt' },
      spec: { template: { spec: { containers } } },
    };
    const { spec, status } = statusOf({ vmis, others: [deployment], question: {} });
    expect(spec.launcherImage).toBe('launcher:v3');
    expect(status.counts.Waiting).toBe(2);
  });
});
