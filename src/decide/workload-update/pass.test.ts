import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { KubeVirt, Migration, Pod, Vmi } from '../../kubevirt/objects.ts';
import type { Behavior } from '../rules.ts';
import { resolveSettings } from '../settings.ts';
import { NO_BATCH } from './batch.ts';
import { type PassInput, planEvictions, planPass } from './pass.ts';
import { surveyVmis } from './survey.ts';

const NOW = Date.UTC(2026, 2, 1, 12);

interface Cluster {
  readonly kubevirt?: KubeVirt;
  readonly vmis?: readonly Vmi[];
  readonly migrations?: readonly Migration[];
  readonly pods?: readonly Pod[];
  readonly behavior?: Behavior;
}

const plan = (cluster: Cluster, change: Partial<PassInput> = {}) => {
  const { vmis = [], migrations = [], pods = [], behavior = 'exact' } = cluster;
  const kubevirt = cluster.kubevirt ?? aKubeVirt().methods('LiveMigrate', 'Evict').build();
  const settings = resolveSettings(kubevirt);
  const methods = settings.workloadUpdateMethods;
  return planPass({
    kubevirt,
    settings,
    survey: surveyVmis({ vmis, migrations, launcherImage: 'v2', methods, now: NOW, behavior }),
    podsOf: () => pods,
    state: { batch: NO_BATCH },
    shuffle: (list) => list,
    now: NOW,
    behavior,
    ...change,
  });
};
const told = ({ commands }: ReturnType<typeof plan>) =>
  commands.map(({ kind, vmi }) => `${kind} ${vmi.metadata.name}`);

const stale = (name: string) => aVmi(name).on('n1').launcher('v1');
const migratable = (...names: string[]) => names.map((name) => stale(name).migratable().build());
const stuck = (...names: string[]) => names.map((name) => stale(name).build());
const podsOf = (...vmis: readonly Vmi[]) =>
  vmis.map((vmi) => aPod(`pod-${vmi.metadata.name}`).launcherOf(vmi).on('n1').build());
const running = (count: number) =>
  Array.from({ length: count }, (_, i) => aMigration(`r${i}`, 'other').phase('Running').build());

describe('a pass', () => {
  it('with nothing to do counts, expects nothing, and waits for an event', () => {
    expect(plan({})).toStrictEqual({
      outdatedCount: 0,
      statusPatch: expect.objectContaining({ name: 'kubevirt' }),
      state: { batch: NO_BATCH, expectation: { pending: 0, setAt: NOW } },
      requeueAfterSeconds: undefined,
      commands: [],
      withoutPod: [],
    });
  });

  it('counts also those that it leaves alone', () => {
    const vmis = [...stuck('a'), ...migratable('b')];
    const kubevirt = aKubeVirt().status({ outdatedVirtualMachineInstanceWorkloads: 2 }).build();
    const pass = plan({ kubevirt, vmis });
    expect(pass).toMatchObject({ outdatedCount: 2, statusPatch: undefined, commands: [] });
    expect(pass.requeueAfterSeconds).toBeUndefined();
  });

  it('writes the count where it differs', () => {
    expect(plan({ vmis: migratable('a') }).statusPatch?.patch).toEqual([
      { op: 'add', path: '/status/outdatedVirtualMachineInstanceWorkloads', value: 1 },
    ]);
  });

  it.each([
    ['something to migrate', { vmis: migratable('a') }],
    ['something to evict', { vmis: stuck('a') }],
    [
      'something to abort',
      { vmis: [aVmi('db').launcher('v2').build()], migrations: [aMigration().workloadUpdate().build()] },
    ],
  ])('with %s comes back: after 30 seconds, which v1.9.0 takes for nanoseconds', (_, cluster) => {
    expect(plan({ ...cluster, behavior: 'intended' }).requeueAfterSeconds).toBe(30);
    expect(plan({ ...cluster, behavior: 'exact' }).requeueAfterSeconds).toBe(30e-9);
  });

  it('comes back also when there is no place', () => {
    expect(plan({ vmis: migratable('a'), migrations: running(5) })).toMatchObject({
      commands: [],
      requeueAfterSeconds: 30e-9,
    });
  });

  it('keeps the rest of what it remembers', () => {
    const state = { batch: { ...NO_BATCH, lastAt: NOW - 1000 }, expectation: { pending: 0, setAt: 1 } };
    expect(plan({ vmis: migratable('a') }, { state }).state).toEqual({
      batch: state.batch,
      expectation: { pending: 1, setAt: NOW },
    });
  });
});

describe('the migrations of a pass', () => {
  it('are as many as the cap leaves places, five by default', () => {
    const vmis = migratable('a', 'b', 'c', 'd', 'e', 'f');
    expect(told(plan({ vmis }))).toHaveLength(5);
    expect(told(plan({ vmis, migrations: running(3) }))).toEqual(['createMigration a', 'createMigration b']);
    expect(told(plan({ vmis, migrations: running(7) }))).toEqual([]);
    expect(plan({ vmis }).state.expectation?.pending).toBe(5);
  });

  it('follow the draw', () => {
    const kubevirt = aKubeVirt()
      .methods('LiveMigrate')
      .spec({
        workloadUpdateStrategy: { workloadUpdateMethods: ['LiveMigrate'] },
        configuration: { migrations: { parallelMigrationsPerCluster: 2 } },
      })
      .build();
    const shuffle = (list: readonly Vmi[]) => list.toReversed();
    expect(told(plan({ kubevirt, vmis: migratable('a', 'b', 'c') }, { shuffle }))).toEqual([
      'createMigration c',
      'createMigration b',
    ]);
  });

  it('leave pending ones out of the cap as v1.9.0 does, unless told otherwise', () => {
    const pending = [1, 2, 3, 4].map((i) => aMigration(`p${i}`, 'other').phase('Pending').build());
    const cluster = { vmis: migratable('a', 'b'), migrations: pending };
    expect(told(plan(cluster))).toHaveLength(2);
    expect(told(plan({ ...cluster, behavior: 'intended' }))).toHaveLength(2);
    expect(told(plan(cluster, { countsPending: true }))).toHaveLength(1);
    expect(told(plan(cluster, { countsPending: false }))).toHaveLength(2);
  });

  it('have a priority if the version has them and the sender may', () => {
    const priority = (change: Partial<PassInput> = {}) => {
      const [command] = plan({ vmis: migratable('a') }, change).commands;
      return command?.kind === 'createMigration' ? command.migration.spec.priority : 'none made';
    };
    expect(priority()).toBe('system-critical');
    expect(priority({ sendsPriority: true })).toBe('system-critical');
    expect(priority({ sendsPriority: false })).toBeUndefined();
    expect(priority({ settings: resolveSettings(undefined, { major: 1, minor: 6 }) })).toBeUndefined();
  });

  it('read hot-plug by behaviour', () => {
    const vmis = [stale('a').condition('HotVCPUChange', 'False').migratable().build()];
    const prioritised = (priority: string) => [{ migration: { spec: { priority } } }];
    expect(plan({ vmis, behavior: 'exact' }).commands).toMatchObject(prioritised('user-triggered'));
    expect(plan({ vmis, behavior: 'intended' }).commands).toMatchObject(prioritised('system-critical'));
  });
});

describe('the evictions of a pass', () => {
  const vmis = stuck('a', 'b', 'c');
  const pods = podsOf(...vmis);
  const kubevirt = aKubeVirt().methods('Evict').batches(2, '30s').build();

  it('are a batch of the current pods', () => {
    const pass = plan({ kubevirt, vmis, pods });
    expect(told(pass)).toEqual(['evictPod a', 'evictPod b']);
    expect(pass.commands[0]).toMatchObject({ eviction: { metadata: { name: 'pod-a', namespace: 'shop' } } });
    expect(pass.state.batch).toEqual({ ...NO_BATCH, lastAt: NOW });
  });

  it.each([
    ['exactly the interval', 30, 0],
    ['a millisecond more', 30.001, 2],
  ])('wait for %s', (_, seconds, count) => {
    const state = { batch: { ...NO_BATCH, lastAt: NOW - seconds * 1000 } };
    expect(told(plan({ kubevirt, vmis, pods }, { state }))).toHaveLength(count);
  });

  it('are ten a minute by default', () => {
    const many = stuck(...'abcdefghijkl');
    const cluster = { vmis: many, pods: podsOf(...many) };
    const rested = (seconds: number) => ({ state: { batch: { ...NO_BATCH, lastAt: NOW - seconds * 1000 } } });
    expect(told(plan(cluster))).toHaveLength(10);
    expect(told(plan(cluster, rested(60)))).toHaveLength(0);
    expect(told(plan(cluster, rested(60.001)))).toHaveLength(10);
  });

  it('as intended do not use the batch up beforehand, and begin with others than those refused', () => {
    const state = { batch: { ...NO_BATCH, refused: ['shop/a'] } };
    const pass = plan({ kubevirt, vmis, pods, behavior: 'intended' }, { state });
    expect(told(pass)).toEqual(['evictPod b', 'evictPod c']);
    expect(pass.state.batch).toEqual(state.batch);
  });

  it('of a VMI without pod: nothing is sent, and v1.9.0 would crash', () => {
    const pass = plan({ kubevirt, vmis, pods: podsOf(...vmis.slice(1)) });
    expect(told(pass)).toEqual(['evictPod b']);
    expect(pass.withoutPod).toEqual([vmis[0]]);
  });

  it('as intended give the place of a VMI without pod to the next', () => {
    const pass = plan({ kubevirt, vmis, pods: podsOf(...vmis.slice(1)), behavior: 'intended' });
    expect(told(pass)).toEqual(['evictPod b', 'evictPod c']);
    expect(pass.withoutPod).toEqual([]);
  });
});

describe('who may get a turn', () => {
  const kubevirt = aKubeVirt().methods('LiveMigrate', 'Evict').batches(2, '1m').build();
  const vmis = [...migratable('a', 'b', 'c', 'd', 'e', 'f', 'g'), ...stuck('h', 'i', 'j')];
  const cluster = { kubevirt, vmis, pods: podsOf(...vmis), behavior: 'intended' } as const;
  const isNot =
    (...names: string[]) =>
    ({ metadata: { name } }: Vmi) =>
      !names.includes(name);

  it('others migrate in the place of those who may not, and only as many are asked about', () => {
    const asked: string[] = [];
    const mayMigrate = (vmi: Vmi) => {
      asked.push(vmi.metadata.name);
      return isNot('a', 'c')(vmi);
    };
    const pass = plan({ ...cluster, behavior: 'exact' }, { mayMigrate });
    expect(told(pass).slice(0, 5)).toEqual(
      ['b', 'd', 'e', 'f', 'g'].map((name) => `createMigration ${name}`),
    );
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    asked.length = 0;
    plan(cluster, { mayMigrate: (vmi) => asked.push(vmi.metadata.name) > 0 });
    expect(asked).toHaveLength(5);
  });

  it('others are evicted in the place of those who may not', () => {
    const pass = plan(cluster, { mayMigrate: () => false, mayEvict: isNot('h') });
    expect(told(pass)).toEqual(['evictPod i', 'evictPod j']);
    expect(pass.state.expectation).toEqual({ pending: 0, setAt: NOW });
    expect(pass.requeueAfterSeconds).toBe(30);
  });

  it('v1.9.0 asks nobody about evictions', () => {
    const pass = plan({ ...cluster, behavior: 'exact' }, { mayMigrate: () => false, mayEvict: () => false });
    expect(told(pass)).toEqual(['evictPod h', 'evictPod i']);
  });

  it('refused ones leave their places to others in the same pass', () => {
    const survey = surveyVmis({
      vmis,
      migrations: [],
      launcherImage: 'v2',
      methods: ['Evict'],
      now: NOW,
      behavior: 'intended',
    });
    const input = {
      ...{ kubevirt, settings: resolveSettings(kubevirt), survey, podsOf: () => cluster.pods, now: NOW },
      ...{ shuffle: (list: readonly Vmi[]) => list, behavior: 'intended' as const },
      state: { batch: { lastAt: NOW, accepted: 1, refused: ['shop/a'] } },
      mayEvict: isNot('a', 'b'),
    };
    const { commands, batch } = planEvictions(input);
    expect(commands.map(({ vmi }) => vmi.metadata.name)).toEqual(['c']);
    expect(batch).toEqual(input.state.batch);
  });
});

describe('the aborts of a pass', () => {
  it("delete every unfinished migration of the updater's own, and no other", () => {
    const migrations = [
      aMigration('own-1').workloadUpdate().phase('Running').build(),
      aMigration('evacuation').evacuation().build(),
      aMigration('own-2').workloadUpdate().build(),
      aMigration('own-0').workloadUpdate().phase('Failed').build(),
    ];
    const pass = plan({ vmis: [aVmi('db').launcher('v2').build()], migrations });
    expect(pass.commands.map((command) => command.kind === 'deleteMigration' && command.migration)).toEqual([
      migrations[0],
      migrations[2],
    ]);
  });

  it('happen without any method, beside nothing else', () => {
    const vmis = [aVmi('db').launcher('v2').build(), ...migratable('a'), ...stuck('b')];
    const migrations = [aMigration('own').workloadUpdate().build()];
    expect(told(plan({ kubevirt: aKubeVirt().build(), vmis, migrations }))).toEqual(['deleteMigration db']);
  });
});
