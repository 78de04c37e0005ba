import { expect, it } from 'vitest';
import { Fleet } from '../../fleet/fleet.ts';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import { scenarioSchema } from '../../scenario/schema.ts';
import { runScenario } from '../run.ts';
import { beginningOfScenario, beginningOfSnapshot } from './prepare.ts';
import { lastInstantIn } from './snapshot-instant.ts';

const EARLY = '2026-11-20T09:00:00Z';
const LATE = '2026-11-20T10:30:00Z';
const reached = { phase: 'Running', phaseTransitionTimestamp: LATE };

it.each([
  ['nothing', aVmi(), undefined],
  ['a creation', aVmi().createdAt(LATE), LATE],
  ['a deletion to come', aVmi().createdAt(EARLY).meta({ deletionTimestamp: LATE }), EARLY],
  [
    'a condition',
    aVmi().status({ conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: LATE }] }),
    LATE,
  ],
  ['a start', aVmi().migrationState({ startTimestamp: LATE }), LATE],
  ['an end', aVmi().migrationState({ startTimestamp: EARLY, endTimestamp: LATE }), LATE],
  ['a phase', aVmi().status({ phaseTransitionTimestamps: [reached] }), LATE],
])('the last instant of a snapshot that tells %s', (_, vmi, last) => {
  const fleet = new Fleet();
  fleet.apply('VirtualMachineInstance', vmi.build());
  expect(lastInstantIn(fleet)).toBe(last === undefined ? undefined : Date.parse(last));
});

it('a snapshot in the middle of a back-off is 20 s away from the next try, whatever its dates', async () => {
  const scenario = scenarioSchema.parse({
    title: 'A move has failed, and the next one backs off',
    cluster: {
      namespace: 'shop',
      nodes: ['n1', 'n2'],
      vms: [{ name: 'db', node: 'n1', migratable: true, strategy: 'LiveMigrate', marked: 'n1' }],
      objects: [
        aMigration('first').evacuation().createdAt(EARLY).reached('Failed', LATE).build(),
        aMigration('second').evacuation().createdAt(LATE).phase('Pending').build(),
      ],
    },
  });
  const fleet = new Fleet();
  for (const object of beginningOfScenario(scenario).objects as { kind: 'Node' }[])
    fleet.apply(object.kind, object as never);
  const { events } = await runScenario(scenario, beginningOfSnapshot({ fleet }, scenario), { seed: 1 });
  expect(events.find(({ message }) => message.startsWith('Created migration target pod'))?.seconds).toBe(20);
});
