import { field, migrationField, vmiField } from '../../decide/evidence.ts';
import type { Decision, Evidence, Table } from '../../decide/rules.ts';
import type { Settings } from '../../decide/settings.ts';
import type { Category } from '../../decide/workload-update/categorise.ts';
import type { Migration, Vmi } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import type { Outcome, VmVerdict } from '../forecast.ts';
import type { State } from './report.ts';

/** A running VMI in a roll-out. */
export interface StandingInput {
  readonly vmi: Vmi;
  readonly category: Decision<Category>;
  /** Its pod has been evicted, or its guest has ended. */
  readonly isLeaving: boolean;
  /** The unfinished migration of the VMI, the newest of several. */
  readonly unfinished?: Migration | undefined;
  /** Its newest migration, if that has failed. */
  readonly failed?: Migration | undefined;
  /** What will become of it, where the updater has to act; absent otherwise. */
  readonly verdict?: VmVerdict | undefined;
  /** Places for further migrations in the cluster. */
  readonly places: number;
  readonly settings: Settings;
}

export interface Standing {
  readonly state: State;
  /** In place of the rule's name: why the forecast says so. */
  readonly reason?: string | undefined;
  /** Goes on from the VM's name. */
  readonly says: string;
}

const SOURCE = 'drover: what is seen of a roll-out';

/** Whether somebody has to do something before such a VM gets on. */
const STUCK: ReadonlySet<Outcome> = new Set([
  'Blocks',
  'NeverCompletes',
  'Unknown',
  'HandedOver',
  'Deferred',
  'Untouched',
]);

const moving = (says: string): Standing => ({ state: 'Moving', says });
const waiting = (says: string, reason?: string): Standing => ({ state: 'Waiting', says, reason });

/** How it stands with a VMI: what is under way comes before what is foretold. */
export const standingTable: Table<StandingInput, Standing> = [
  {
    name: 'Leaving',
    asks: 'the VMI or its launcher pod is going',
    source: SOURCE,
    when: ({ vmi, isLeaving }) => isLeaving || vmi.metadata.deletionTimestamp !== undefined,
    reads: ({ vmi }) => [vmiField(vmi, 'metadata.deletionTimestamp', vmi.metadata.deletionTimestamp)],
    then: () => moving('is shutting down'),
  },
  {
    name: 'Migrating',
    asks: 'a migration of the VMI is under way',
    source: SOURCE,
    when: ({ category }) => waitsFor(category) === 'migration',
    reads: ({ category }) => category.evidence,
    then: ({ vmi }) => moving(migrationWords(vmi)),
  },
  {
    name: 'MigrationCreated',
    asks: 'there is an unfinished migration object for the VMI',
    source: SOURCE,
    when: ({ category }) => waitsFor(category) === 'unfinishedMigration',
    reads: ({ category }) => category.evidence,
    then: ({ unfinished }) => moving(`has migration ${unfinished?.metadata.name}, ${phaseOf(unfinished)}`),
  },
  {
    name: 'ChangeWithdrawn',
    asks: 'its migration has lost its purpose',
    source: SOURCE,
    when: ({ category }) => category.result.action === 'abort',
    reads: ({ category }) => category.evidence,
    then: () => moving('is up to date; the migration that it does not need any more is taken back'),
  },
  {
    name: 'LauncherImageUnknown',
    asks: 'the image of its launcher is not known yet',
    source: SOURCE,
    when: ({ category }) => category.reason === 'LauncherImageUnknown',
    reads: ({ category }) => category.evidence,
    then: () => moving('has just arrived: which launcher it runs is not known yet'),
  },
  {
    name: 'UpToDate',
    asks: 'nothing is left to do for the VMI',
    source: SOURCE,
    when: ({ category }) => !category.result.counted,
    reads: ({ category }) => category.evidence,
    then: () => ({ state: 'Done', says: 'is up to date' }),
  },
  {
    name: 'GateClosed',
    asks: 'the updater may not act now',
    source: SOURCE,
    when: ({ verdict }) => verdict?.outcome === 'Deferred' && verdict.reason.startsWith('Gate'),
    reads: (input) => foretold(input),
    then: ({ vmi, verdict }) => waiting(saysOf(vmi, verdict), verdict?.reason),
  },
  {
    name: 'Stuck',
    asks: 'the forecast sees no way on for the VMI as things are',
    source: SOURCE,
    when: ({ verdict }) => verdict !== undefined && STUCK.has(verdict.outcome),
    reads: (input) => foretold(input),
    then: ({ vmi, verdict }) => ({ state: 'Stuck', says: saysOf(vmi, verdict), reason: verdict?.reason }),
  },
  {
    name: 'LastMigrationFailed',
    asks: 'it is to migrate, and its last migration has failed',
    source: SOURCE,
    when: ({ category, failed }) => category.result.action === 'migrate' && failed !== undefined,
    reads: ({ failed }) => failedEvidence(failed),
    then: ({ failed }) => waiting(failureWords(failed)),
  },
  {
    name: 'WaitsForPlace',
    asks: 'it is to migrate, and the cluster has as many migrations as it may',
    source: SOURCE,
    when: ({ category, places }) => category.result.action === 'migrate' && places <= 0,
    reads: ({ settings }) => [
      {
        object: 'KubeVirt',
        path: 'spec.configuration.migrations.parallelMigrationsPerCluster',
        value: settings.migrations.parallelMigrationsPerCluster,
      },
    ],
    then: ({ settings: { migrations } }) =>
      waiting(
        `waits to migrate: the cluster has as many migrations as it may, ${migrations.parallelMigrationsPerCluster}`,
      ),
  },
  {
    name: 'WaitsForTurn',
    asks: 'it is to migrate, and gets its migration with one of the next passes',
    source: SOURCE,
    when: ({ category }) => category.result.action === 'migrate',
    reads: ({ category }) => category.evidence,
    then: () => waiting('gets its migration with one of the next passes'),
  },
  {
    name: 'WaitsForBatch',
    asks: 'otherwise it is to be evicted, in one of the batches to come',
    source: SOURCE,
    when: () => true,
    reads: ({ category }) => category.evidence,
    then: ({ settings: { batchEvictionSize: size, batchEvictionIntervalSeconds: interval } }) =>
      waiting(`waits to be evicted: ${size} at once, every ${interval} s`),
  },
];

function waitsFor({ result }: Decision<Category>): string | undefined {
  return result.action === 'wait' ? result.waitsFor : undefined;
}

function migrationWords(vmi: Vmi): string {
  const { targetNode, startTimestamp } = vmi.status?.migrationState ?? {};
  return `migrates${targetNode ? ` to ${targetNode}` : ''} since ${startTimestamp}`;
}

function phaseOf(migration: Migration | undefined): string {
  return migration?.status?.phase || 'not looked at yet';
}

function saysOf(vmi: Vmi, verdict: VmVerdict | undefined): string {
  return (verdict?.message ?? '').replace(`${keyOf(vmi)} `, '');
}

function foretold({ verdict }: StandingInput): readonly Evidence[] {
  return verdict?.evidence ?? [];
}

function failureWords(failed: Migration | undefined): string {
  const why = failed?.status?.migrationState?.failureReason;
  return `waits for another migration: ${failed?.metadata.name} has failed${why ? `: ${why}` : ''}`;
}

function failedEvidence(failed: Migration | undefined): Evidence[] {
  if (!failed) return [];
  const { phase, migrationState } = failed.status ?? {};
  return [
    migrationField(failed, 'status.phase', phase),
    field(
      failed,
      'status.migrationState.failureReason',
      migrationState?.failureReason,
      failed.kind ?? 'VirtualMachineInstanceMigration',
    ),
  ];
}
