/** One look at a migration: does it fail, and if not, how far does it get. evacuation-and-migration §3.1–3.2 of the spec. */
import { migrationField } from '../evidence.ts';
import type { Rule, Table } from '../rules.ts';
import { failureRules } from './failures.ts';
import { pendingRules } from './progress-pending.ts';
import { startedRules } from './progress-started.ts';
import { NO_CHANGE, type StatusChange } from './status-change.ts';
import { CONTROLLER, isDecentralized, type MigrationSubject } from './subject.ts';

/** Drover does not know how migrations between clusters progress, so it lets them be. */
const decentralizedRule: Rule<MigrationSubject, StatusChange> = {
  name: 'Decentralized',
  asks: 'the migration leads to or from another cluster or namespace',
  source: `${CONTROLLER}:716-856`,
  when: isDecentralized,
  reads: ({ migration }) => [
    migrationField(migration, 'spec.sendTo', migration.spec?.sendTo),
    migrationField(migration, 'spec.receive', migration.spec?.receive),
  ],
  then: () => NO_CHANGE,
};

/** First whether the migration fails, in the order of the checks, then how it progresses; one transition a pass. */
export const migrationStatusTable: Table<MigrationSubject, StatusChange> = [
  ...failureRules,
  decentralizedRule,
  ...pendingRules,
  ...startedRules,
];
