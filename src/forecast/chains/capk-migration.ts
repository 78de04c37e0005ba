import { afterDeletion, type ExternalInput } from '../../decide/external/external-input.ts';
import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { Trail } from '../trail.ts';
import { closedCap, foreseeMigration } from './migration.ts';

/** CAPK's migration of a VMI stands in line and looks for a node like any other; `ending`: nothing is in its way. */
export function foreseeCapksMigration(
  context: Context,
  trail: Trail,
  ending: Ending,
  input: ExternalInput,
): Ending {
  const { vmi } = input;
  const cap = closedCap(context.settings);
  const { reason, remedies } = foreseeMigration(context, vmi, trail, ending);
  const beside = isRefusedBesideAnother(context, input) ? BESIDE_ANOTHER : TRY_WORDS[reason];
  const why = cap === undefined ? beside : `${cap} lets no migration begin`;
  if (why === undefined) return ending;
  const isLasting = cap !== undefined || reason === 'NoNodeFits';
  const then = `CAPK drains the guest's node and deletes the VMI, and ${afterDeletion(input)}`;
  return {
    ...ending,
    reason: isLasting ? 'CapkMigrationFails' : 'CapkMayMigrate',
    goesAway: input.staysOff !== undefined,
    says: `is handed over to CAPK, which tries to live-migrate it, though ${why}; ${isLasting ? 'when it gives up' : 'should that fail'}, ${then}`,
    remedies: cap === undefined ? remedies : [`Set ${cap} of the KubeVirt CR to more than 0.`],
  };
}

/**
 * virt-api lets no second migration of a VMI in, and CAPK gives up at once then. One that has been handed to the nodes, or that CAPK has
 * asked for itself, it waits for.
 */
function isRefusedBesideAnother({ fleet }: Context, { vmi, worker }: ExternalInput): boolean {
  const { migrationState } = vmi.status ?? {};
  const isAwaited =
    (migrationState !== undefined && !migrationState.completed) ||
    worker.kubevirtMachine?.metadata.annotations?.[ANNOTATION.capkMigrationSubmitted] !== undefined;
  return !isAwaited && fleet.unfinishedMigrationsOf(vmi).length > 0;
}

const BESIDE_ANOTHER = 'virt-api lets no migration in beside the one that is under way';

const TRY_WORDS: Readonly<Record<string, string>> = {
  NoNodeFits: 'no other node can take it',
  NoRoom: 'no other node has room for it now',
  QuotaExceeded: 'a quota has no room for its target now',
  BackupInProgress: 'a backup is running',
};
