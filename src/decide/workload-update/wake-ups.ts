/**
 * What else may bring an updater forward, besides the events that wake KubeVirt's own. Drover sleeps when nothing can move, so
 * it must know what could change that.
 */
import { isSameJson } from '../../kubevirt/json.ts';
import type { ChangeOf } from '../../kubevirt/kinds.ts';
import { ANNOTATION, CONDITION } from '../../kubevirt/names.ts';
import type { Deployment, Node, Vmi } from '../../kubevirt/objects.ts';
import { annotationOf, findCondition, isMigrationFinal, isPodFinished } from '../../kubevirt/predicates.ts';
import { isChangePending } from './staleness.ts';

/** A change that may bring an updater forward. */
export type WakeUp = ChangeOf<
  | 'Node'
  | 'ResourceQuota'
  | 'Deployment'
  | 'VirtualMachineInstance'
  | 'Pod'
  | 'VirtualMachineInstanceMigration'
>;

/** Whether a target pod may find a place now that found none: a node or a quota is another one. Heartbeats of nodes do not count. */
export function changesPlacement(change: WakeUp): boolean {
  switch (change.kind) {
    case 'Node':
      return !isSameJson(placementOf(change.before), placementOf(change.after));
    case 'ResourceQuota':
      return !isSameJson(change.before?.status, change.after?.status);
    default:
      return false;
  }
}

/** Whether there may be more room on a node: a pod on it has ended, or a migration for which a place was kept. */
export function freesRoom(change: WakeUp): boolean {
  switch (change.kind) {
    case 'Pod':
      return (
        change.before?.spec?.nodeName !== undefined && hasEnded(change.before, change.after, isPodFinished)
      );
    case 'VirtualMachineInstanceMigration':
      return change.before !== undefined && hasEnded(change.before, change.after, isMigrationFinal);
    default:
      return false;
  }
}

function hasEnded<T>(before: T, after: T | undefined, isOver: (object: T) => boolean): boolean {
  return !isOver(before) && (after === undefined || isOver(after));
}

/** Whether an updater has reason to look again. */
export function wakesUpdater(change: WakeUp): boolean {
  switch (change.kind) {
    case 'Deployment':
      return isVirtController(change) && !isSameJson(deployedOf(change.before), deployedOf(change.after));
    case 'VirtualMachineInstance':
      return change.after !== undefined && !isSameJson(standingOf(change.before), standingOf(change.after));
    default:
      return changesPlacement(change);
  }
}

function placementOf(node: Node | undefined): unknown {
  return node && [node.metadata.labels, node.spec, node.status?.allocatable];
}

/** Its arguments, and whether it runs. */
function deployedOf(deployment: Deployment | undefined): unknown {
  return deployment && [deployment.spec, (deployment.status?.readyReplicas ?? 0) > 0];
}

/** Its arguments name the launcher image. */
function isVirtController({ before, after }: Extract<WakeUp, { kind: 'Deployment' }>): boolean {
  return (after ?? before)?.metadata.name === 'virt-controller';
}

/** What of a VMI may put it in another category. That a change begins to wait is KubeVirt's own event, that it is withdrawn is not. */
function standingOf(vmi: Vmi | undefined): unknown {
  if (!vmi) return undefined;
  const { phase, launcherContainerImageVersion: image, conditions, migrationState } = vmi.status ?? {};
  const migratable = findCondition(conditions, CONDITION.liveMigratable)?.status;
  const abortAsked = annotationOf(vmi, ANNOTATION.abortWorkloadUpdate) !== undefined;
  const changing = isChangePending(vmi, 'intended');
  return [phase, image, migratable, changing, abortAsked, migrationState?.endTimestamp];
}
