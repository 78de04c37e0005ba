/** What a pass does beside writing the migration's status. evacuation-and-migration §3, §3.2–3.3, §4.4, §5 of the spec. */
import { type ApiResult, isNotFound } from '../../../decide/api-result.ts';
import type { EventDraft } from '../../../decide/events.ts';
import { type MigrationAction, migrationActionTable } from '../../../decide/migration/actions.ts';
import { migrationConfiguration } from '../../../decide/migration/configuration.ts';
import { handOff } from '../../../decide/migration/hand-off.ts';
import { RUNNING_PRIORITY } from '../../../decide/migration/queue.ts';
import { targetAttachmentPod } from '../../../decide/migration/target/attachment-pod.ts';
import { hostModelAlert } from '../../../decide/migration/target/host-model-alert.ts';
import { withRuntimeUser } from '../../../decide/migration/target/runtime-user.ts';
import {
  attachmentCreatedEvent,
  attachmentRefusedEvent,
} from '../../../decide/migration/target/target-pod.ts';
import { isUnschedulable, targetTimeoutTable } from '../../../decide/migration/target/target-timeouts.ts';
import { resultOf } from '../../../decide/rules.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import type { Desk, Outcome, Pass } from './desk.ts';
import { startTarget } from './start-target.ts';
import { handedOff, withAccount } from './writes.ts';

/** Asks what is to be done, and does it. Most passes have nothing to do, and nothing to wait for. */
export function act(desk: Desk, pass: Pass): Outcome | Promise<Outcome> {
  const action = resultOf(migrationActionTable, pass);
  switch (action.action) {
    case 'CreateTargetPod':
      return startTarget(desk, pass);
    case 'CreateAttachmentPod':
      return createAttachmentPod(desk, pass);
    case 'WatchTargetPod':
      return watchTargetPod(desk, pass);
    case 'DeleteTargetPod':
      return deletePod(desk, pass.targetPod, action.afterDeletion);
    case 'HandOff':
      return handOver(desk, pass);
    case 'PatchState':
      return patchState(desk, pass, action);
    default:
      return {};
  }
}

async function createAttachmentPod(desk: Desk, { key, migration, vmi, targetPod }: Pass): Promise<Outcome> {
  if (!vmi || !targetPod) return {};
  const pod = targetAttachmentPod({ migration, vmi, targetPod, image: desk.imageAfter(targetPod) });
  desk.creations.expect(key);
  const result = await desk.context.cluster.create('Pod', vmi.metadata.namespace, pod);
  if (result.ok) {
    desk.tell(attachmentCreatedEvent(migration, result.name));
    return {};
  }
  desk.creations.observe(key);
  desk.tell(attachmentRefusedEvent(vmi, result.message));
  return { error: `failed to create attachment pod: ${result.message}` };
}

function watchTargetPod(
  desk: Desk,
  { key, migration, vmi, targetPod: pod, now }: Pass,
): Outcome | Promise<Outcome> {
  if (!vmi || !pod) return {};
  const input = { migration, vmi, pod, now };
  const decision = resultOf(targetTimeoutTable, input);
  const isAlarming = decision.events.length > 0 && isUnschedulable(pod);
  const alert = isAlarming ? hostModelAlert(vmi, pod, desk.fleet.all('Node')) : undefined;
  desk.tell(...(alert ? [alert] : []), ...decision.events);
  const { requeueAfterSeconds } = decision;
  if (requeueAfterSeconds !== undefined) desk.queue.addAfter(key, requeueAfterSeconds, RUNNING_PRIORITY);
  return decision.deletePod ? deletePod(desk, pod, decision.afterDeletion) : {};
}

async function deletePod(desk: Desk, pod: Pod | undefined, event: EventDraft | undefined): Promise<Outcome> {
  if (!pod || pod.metadata.deletionTimestamp !== undefined) return {};
  const result = await desk.context.cluster.delete('Pod', keyOf(pod), { uid: pod.metadata.uid });
  if (result.ok && event) desk.tell(event);
  return failureOf(result);
}

async function handOver(
  desk: Desk,
  { key, migration, vmi, targetPod, attachmentPod }: Pass,
): Promise<Outcome> {
  if (!vmi || !targetPod) return {};
  const { fleet } = desk;
  const handing = handOff({
    migration,
    vmi,
    targetPod,
    attachmentPod,
    behavior: desk.options.behavior,
    configuration: migrationConfiguration(fleet.kubevirt()?.spec?.configuration?.migrations),
    policies: [...fleet.all('MigrationPolicy')],
    namespaceLabels: fleet.get('Namespace', vmi.metadata.namespace ?? '')?.metadata.labels,
  });
  if ('error' in handing) return { error: handing.error };
  const change = handedOff(withRuntimeUser(vmi, desk.settings()), handing);
  const result = await desk.context.cluster.modify('VirtualMachineInstance', keyOf(vmi), change);
  if (!result.ok) return failureOf(result);
  desk.handedOff.add(key);
  desk.tell(handing.event);
  return {};
}

async function patchState(
  desk: Desk,
  { vmi }: Pass,
  { state, event }: Extract<MigrationAction, { action: 'PatchState' }>,
): Promise<Outcome> {
  if (!vmi) return {};
  const change = withAccount(vmi.status?.migrationState, state);
  const result = await desk.context.cluster.modify('VirtualMachineInstance', keyOf(vmi), change);
  if (result.ok) desk.tell(event);
  return failureOf(result);
}

/** What is gone needs nothing more. */
export function failureOf(result: ApiResult): Outcome {
  return result.ok || isNotFound(result) ? {} : { error: result.message };
}
