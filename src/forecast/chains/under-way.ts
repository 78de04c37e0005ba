import { podField } from '../../decide/evidence.ts';
import { resultOf } from '../../decide/rules.ts';
import { categoryTable } from '../../decide/workload-update/categorise.ts';
import { gateTable } from '../../decide/workload-update/gates.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { isMigratable, isMigrationRunning, isPodFinished } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import { type Ending, GOES_DOWN, orElse, withMore } from '../ending.ts';
import type { Outcome } from '../forecast.ts';
import { launcherImageToday } from '../launcher-image.ts';
import type { Trail } from '../trail.ts';
import { closedCap, foreseeMigration } from './migration.ts';

/** A migration of it has its place already, whatever the caps are now. */
export function hasBegun(fleet: Fleet, vmi: Vmi): boolean {
  return fleet.unfinishedMigrationsOf(vmi).some(isMigrationRunning);
}

/** The launcher that an unfinished migration of the VMI has made as its target, if it has one that stays. */
export function targetPodOf({ fleet }: Context, vmi: Vmi): Pod | undefined {
  const uids = new Set(fleet.unfinishedMigrationsOf(vmi).map(({ metadata }) => metadata.uid));
  const stays = (pod: Pod) => !isPodFinished(pod) && pod.metadata.deletionTimestamp === undefined;
  return fleet
    .podsOf(vmi)
    .find((pod) => uids.has(pod.metadata.labels?.[LABEL.migrationJobUid]) && stays(pod));
}

/** Follows a migration that was begun before: a target that has a node needs no other, and is in nobody's way. */
export function foreseeUnderWay(context: Context, vmi: Vmi, trail: Trail): Ending {
  const target = targetPodOf(context, vmi);
  const node = target?.spec?.nodeName;
  const cause = { reason: 'MigrationUnderWay', lead: 'has a migration under way and' };
  if (!target || node === undefined) return foreseeMigration(context, vmi, trail, cause);
  const evidence = [podField(target, 'spec.nodeName', node)];
  trail.note('placement', 'TargetHasNode', `the target has a place on ${node}`, evidence);
  return { ...cause, outcome: 'LiveMigrates', says: `live-migrates to ${node}` };
}

/**
 * What comes of an eviction of a VM that a migration is to move meanwhile, whoever has asked for that: it goes although it is refused, and
 * may have gone before it is shut down. Of a migration that leads nowhere as things stand, a refusal tells why.
 */
export function withMoveUnderWay(context: Context, vmi: Vmi, trail: Trail, ending: Ending): Ending {
  const stays = STAYS.has(ending.outcome) && !mayBeTakenAway(ending);
  if (!stays && !GOES_DOWN.has(ending.outcome) && !mayBeTakenAway(ending)) return ending;
  if (isTakenBack(context, vmi)) return orDoneBefore(context, vmi, ending);
  const move = moveUnderWay(context, vmi, trail);
  if (!move) return ending;
  if (move.outcome !== 'LiveMigrates') {
    return stays || move.reason !== 'NoNodeFits' ? besideStuckMove(ending, move) : ending;
  }
  if (stays) return { ...move, answer: ending.answer };
  return orElse(ending, 'Moves', 'should the migration that is under way be done before, it moves');
}

/** Of a migration that the updater takes back: it may be quicker, unless it stands in line for ever. */
export function orDoneBefore({ settings, fleet }: Context, vmi: Vmi, ending: Ending): Ending {
  const standsInLine = closedCap(settings) !== undefined && !hasBegun(fleet, vmi);
  return standsInLine ? ending : orElse(ending, 'Moves', UNLESS_DONE);
}

const UNLESS_DONE =
  'should the migration that is under way be done before the updater takes it back, it moves';

/** The updater deletes a migration of its own that has lost its purpose, within seconds. */
export function isTakenBack({ fleet, kubevirt, settings, now, behavior }: Context, vmi: Vmi): boolean {
  const unfinishedMigrations = fleet.unfinishedMigrationsOf(vmi);
  if (unfinishedMigrations.length === 0) return false;
  const methods = settings.workloadUpdateMethods;
  const launcherImage = launcherImageToday(fleet, vmi);
  const input = { vmi, launcherImage, methods, unfinishedMigrations, now, behavior };
  return resultOf(categoryTable, input).action === 'abort' && resultOf(gateTable, { kubevirt, now }).open;
}

const STAYS: ReadonlySet<Outcome> = new Set(['Blocks', 'HandedOver']);

/** By another controller, which does not wait for the migration. */
function mayBeTakenAway({ outcome, reason }: Ending): boolean {
  return outcome === 'HandedOver' && reason !== 'ExternalControllerUnknown';
}

/** How a migration that was begun before ends; absent: there is none, or it is taken back, or waits in line for ever. */
export function moveUnderWay(context: Context, vmi: Vmi, trail: Trail): Ending | undefined {
  if (!isMigratable(vmi) || context.fleet.unfinishedMigrationsOf(vmi).length === 0) return undefined;
  if (closedCap(context.settings) !== undefined && !hasBegun(context.fleet, vmi)) return undefined;
  if (isTakenBack(context, vmi)) return undefined;
  return foreseeUnderWay(context, vmi, trail);
}

/** A migration that was asked for before and waits in line for ever; absent: there is none. */
export function foreseeInLine({ fleet, settings }: Context, vmi: Vmi): Ending | undefined {
  const cap = closedCap(settings);
  if (!cap || fleet.unfinishedMigrationsOf(vmi).length === 0 || hasBegun(fleet, vmi)) return undefined;
  return {
    outcome: 'NeverCompletes',
    reason: 'NoMigrationPlaces',
    says: `has a migration under way that waits for ever: ${cap} lets none begin`,
    remedies: [`Set ${cap} of the KubeVirt CR to more than 0.`],
  };
}

function besideStuckMove(ending: Ending, { reason }: Ending): Ending {
  if (reason === 'NoNodeFits') return withMore(ending, '; the migration that is under way finds no node');
  const when = STUCK_WORDS[reason];
  return when === undefined ? ending : orElse(ending, 'Moves', when);
}

const STUCK_WORDS: Readonly<Record<string, string>> = {
  NoRoom: 'should others leave room in time for the migration that is under way, it moves',
  QuotaExceeded: 'should a quota get room for the migration that is under way, it moves',
  BackupInProgress: 'should its backup end and make way for the migration that is under way, it moves',
};
