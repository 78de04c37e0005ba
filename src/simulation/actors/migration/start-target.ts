/** A pending migration gets its target pod, or is told to wait. evacuation-and-migration §4.2–4.3, §5 of the spec. */
import { launcherPod } from '../../../decide/launcher/launcher-pod.ts';
import { backoffTable } from '../../../decide/migration/backoff.ts';
import { RUNNING_PRIORITY, type TargetPodDecision, targetPodTable } from '../../../decide/migration/queue.ts';
import { withRuntimeUser } from '../../../decide/migration/target/runtime-user.ts';
import {
  targetCreatedEvent,
  targetPod,
  targetRefusedEvent,
} from '../../../decide/migration/target/target-pod.ts';
import { resultOf } from '../../../decide/rules.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { readWhole } from '../read-whole.ts';
import type { Desk, Outcome, Pass } from './desk.ts';
import { withUserOf } from './writes.ts';

/** How long a migration that `mayStart` holds back waits at most before it is asked again. */
const HELD_BACK_SECONDS = 1;

/** Back-off, then the VMI is prepared, then the caps, then the pod: in this order. */
export async function startTarget(desk: Desk, pass: Pass): Promise<Outcome> {
  const { vmi, sourcePod } = pass;
  if (!vmi || !sourcePod || isBackingOff(desk, pass, vmi)) return {};
  // It goes with the hand-off otherwise, which is one write less; nobody needs it before.
  const error = desk.options.behavior === 'exact' ? await prepare(desk, vmi) : undefined;
  return error === undefined ? askForPlace(desk, pass, vmi, sourcePod) : { error };
}

function isBackingOff(desk: Desk, { key, migration, now }: Pass, vmi: Vmi): boolean {
  const migrations = desk.fleet.migrationsOf(vmi);
  const input = { vmi, migration, migrations, now, behavior: desk.options.behavior };
  const decision = resultOf(backoffTable, input);
  if (decision.action === 'Proceed') return false;
  desk.tell(decision.event);
  desk.queue.addAfter(key, decision.afterSeconds, decision.priority);
  return true;
}

async function prepare(desk: Desk, vmi: Vmi): Promise<string | undefined> {
  const prepared = withRuntimeUser(vmi, desk.settings());
  if (prepared === vmi) return undefined;
  const { cluster } = desk.context;
  const result = await cluster.modify('VirtualMachineInstance', keyOf(vmi), withUserOf(prepared));
  return result.ok ? undefined : `failed to set VMI RuntimeUser: ${result.message}`;
}

function askForPlace(desk: Desk, pass: Pass, vmi: Vmi, sourcePod: Pod): Promise<Outcome> | Outcome {
  const decision = placeFor(desk, pass, vmi);
  if (decision.action === 'Nothing') return {};
  if (decision.action === 'Retry') return retry(desk, pass, vmi, decision);
  if (desk.options.mayStart?.(pass.migration, vmi) === false) return holdBack(desk, pass.key);
  return create(desk, pass, vmi, sourcePod);
}

function placeFor(desk: Desk, { migration }: Pass, vmi: Vmi): TargetPodDecision {
  const input = {
    migration,
    vmi,
    taken: desk.picture.taken,
    pods: desk.fleet.podsOf(vmi),
    unseenCreations: desk.creations.unseen(),
    settings: desk.settings().migrations,
  };
  return resultOf(targetPodTable, input);
}

/**
 * Who waits for a place sleeps until there is one; what else stands in the way goes by itself. Where the course is known
 * beforehand, nobody sleeps through his turn because a pod of another is not seen yet.
 */
function retry(
  desk: Desk,
  { key, now }: Pass,
  vmi: Vmi,
  { afterSeconds, priority }: Extract<TargetPodDecision, { action: 'Retry' }>,
): Outcome {
  if (priority === RUNNING_PRIORITY && desk.options.mayStart) return holdBack(desk, key);
  if (priority === RUNNING_PRIORITY) {
    desk.queue.addAfter(key, afterSeconds, priority);
    return {};
  }
  desk.letSleep(key, vmi.status?.nodeName ?? '', afterSeconds, now);
  return { waits: true };
}

function holdBack(desk: Desk, key: string): Outcome {
  desk.heldBack.add(key);
  desk.queue.addAfter(key, HELD_BACK_SECONDS);
  return {};
}

async function create(desk: Desk, pass: Pass, vmi: Vmi, sourcePod: Pod): Promise<Outcome> {
  const { key, migration } = pass;
  const whole = await readWhole(desk.context.cluster, 'VirtualMachineInstance', keyOf(vmi));
  if (whole?.metadata.uid !== vmi.metadata.uid || whole === undefined) return {};
  const rendered = render(desk, pass, whole, sourcePod);
  if ('error' in rendered) return { error: `failed to render launch manifest: ${rendered.error}` };
  desk.creations.expect(key);
  const result = await desk.context.cluster.create('Pod', vmi.metadata.namespace, rendered.pod);
  if (!result.ok) {
    desk.creations.observe(key);
    desk.tell(targetRefusedEvent(vmi, result.message));
    const creationError = `failed to create vmi migration target pod: ${result.message}`;
    return { error: creationError, creationError };
  }
  desk.tell(targetCreatedEvent(migration, result.name));
  releaseHeldBack(desk);
  return {};
}

/** It may be somebody else's turn now. */
export function releaseHeldBack({ heldBack, queue }: Desk): void {
  const keys = [...heldBack];
  heldBack.clear();
  for (const key of keys) queue.add(key);
}

function render(desk: Desk, { migration }: Pass, vmi: Vmi, sourcePod: Pod): ReturnType<typeof targetPod> {
  const { fleet, options } = desk;
  const configuration = fleet.kubevirt()?.spec?.configuration;
  const prepared = withRuntimeUser(vmi, desk.settings());
  return targetPod({
    vmi: prepared,
    migration,
    template: launcherPod({ vmi: prepared, image: desk.imageAfter(sourcePod), configuration }),
    sourcePod,
    sourceNode: fleet.get('Node', vmi.status?.nodeName ?? ''),
    matchSELinuxLevel: configuration?.migrations?.matchSELinuxLevelOnMigration,
    behavior: options.behavior,
  });
}
