import { podField } from '../../decide/evidence.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { isPodFinished } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { Trail } from '../trail.ts';
import { foreseeMigration } from './migration.ts';

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
  const cause = { reason: 'MigrationUnderWay', says: 'has a migration under way and' };
  if (!target || node === undefined) return foreseeMigration(context, vmi, trail, cause);
  const evidence = [podField(target, 'spec.nodeName', node)];
  trail.note('placement', 'TargetHasNode', `the target has a place on ${node}`, evidence);
  return { outcome: 'LiveMigrates', reason: cause.reason, says: `${cause.says} live-migrates to ${node}` };
}
