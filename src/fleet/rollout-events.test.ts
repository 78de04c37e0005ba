import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Survey, surveyVmis } from '../decide/workload-update/survey.ts';
import { aMigration, aVmi } from '../kubevirt/builders.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { Instant } from '../kubevirt/time.ts';
import { Fleet } from './fleet.ts';
import { Rollout, type RolloutSettings } from './rollout.ts';
import { told } from './test-rollout.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const SECOND = 1000;
const SETTINGS: RolloutSettings = { launcherImage: 'v2', methods: [], behavior: 'exact' };
const secondsOn = (seconds: number) => new Date(NOW + seconds * SECOND).toISOString().replace('.000Z', 'Z');

function surveyOf(fleet: Fleet, settings: RolloutSettings, now: Instant): Survey {
  const vmis = fleet.all('VirtualMachineInstance');
  const migrations = fleet.all('VirtualMachineInstanceMigration');
  return surveyVmis({ vmis, migrations, ...settings, now });
}

describe('after any events', () => {
  const second = fc.integer({ min: -3, max: 12 });
  const name = fc.constantFrom('db', 'web', 'ci');
  const namespace = fc.constantFrom('shop', 'lab');
  const state = fc.record(
    { startTimestamp: second.map(secondsOn), endTimestamp: second.map(secondsOn) },
    { requiredKeys: [] },
  );
  const condition = fc.record({
    type: fc.constantFrom('LiveMigratable', 'HotVCPUChange', 'HotMemoryChange', 'VolumesChange', 'Ready'),
    status: fc.constantFrom('True', 'False'),
  });
  const vmi = fc.record({
    name,
    namespace,
    status: fc.record(
      {
        phase: fc.constantFrom('Running', 'Running', 'Running', 'Scheduled', 'Failed'),
        launcherContainerImageVersion: fc.constantFrom('v1', 'v2', ''),
        conditions: fc.array(condition, { maxLength: 3 }),
        migrationState: state,
      },
      { requiredKeys: ['phase'] },
    ),
  });
  const migration = fc.record({
    name: fc.constantFrom('m1', 'm2', 'm3'),
    vmiName: name,
    namespace,
    own: fc.boolean(),
    phase: fc.constantFrom('', 'Pending', 'Scheduling', 'Running', 'Succeeded', 'Failed'),
    isRefused: fc.boolean(),
  });
  const settings = fc.record({
    launcherImage: fc.constantFrom('v1', 'v2'),
    methods: fc.subarray(['LiveMigrate', 'Evict']),
    behavior: fc.constantFrom('exact' as const, 'intended' as const),
  });
  const event = fc.oneof(
    fc.record({ vmi }),
    fc.record({ migration }),
    fc.record({ removedVmi: fc.tuple(namespace, name) }),
    fc.record({ removedMigration: fc.tuple(namespace, fc.constantFrom('m1', 'm2', 'm3')) }),
    fc.record({ settings }),
    fc.record({ second }),
  );
  type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

  function play(happened: Event, fleet: Fleet): void {
    if ('vmi' in happened) {
      const built = aVmi(happened.vmi.name, happened.vmi.namespace).status(happened.vmi.status);
      fleet.apply('VirtualMachineInstance', built.build());
    } else if ('migration' in happened) {
      const { name: own, vmiName, namespace: where, phase, isRefused } = happened.migration;
      const built = aMigration(own, vmiName, where).phase(phase);
      if (isRefused) built.condition('migrationRejectedByResourceQuota');
      const made = happened.migration.own ? built.workloadUpdate() : built;
      fleet.apply('VirtualMachineInstanceMigration', made.build());
    } else if ('removedVmi' in happened) {
      fleet.remove('VirtualMachineInstance', happened.removedVmi.join('/'));
    } else if ('removedMigration' in happened) {
      fleet.remove('VirtualMachineInstanceMigration', happened.removedMigration.join('/'));
    }
  }

  it('shows what a look at every VMI shows', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.boolean()), { maxLength: 40 }), (events) => {
        const fleet = new Fleet();
        const picture = new Rollout(fleet, SETTINGS, NOW);
        let [current, now] = [SETTINGS, NOW];
        for (const [happened, isRead] of events) {
          play(happened, fleet);
          if ('settings' in happened) current = happened.settings;
          if ('second' in happened) now = NOW + happened.second * SECOND;
          picture.configure(current);
          if (!isRead) continue;
          expect(told(picture.survey(now))).toEqual(told(surveyOf(fleet, current, now)));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('comes to the same order by the same events', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        const [one, other] = [0, 0].map(() => {
          const fleet = new Fleet();
          const picture = new Rollout(fleet, SETTINGS, NOW);
          for (const happened of events) play(happened, fleet);
          const { outdated, migratable, evictable, abortable } = picture.survey(NOW);
          return [outdated, migratable, evictable, abortable].map((list) => list.map(keyOf));
        });
        expect(one).toEqual(other);
      }),
      { numRuns: 50 },
    );
  });

  it('stays as it is once closed', () => {
    const fleet = new Fleet();
    const picture = new Rollout(fleet, SETTINGS, NOW);
    picture.close();
    fleet.apply('VirtualMachineInstance', aVmi('db').launcher('old').build());
    fleet.apply('VirtualMachineInstanceMigration', aMigration('m', 'db').build());
    const { outdated, pendingMigrations } = picture.survey(NOW);
    expect([outdated.length, pendingMigrations]).toEqual([0, 0]);
  });
});
