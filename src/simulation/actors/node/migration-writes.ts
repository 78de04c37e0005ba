/**
 * What the virt-handlers of source and target write during a migration, step by step. evacuation-and-migration §6 of the spec.
 * Each write is bound to one migration by its UID: where the VMI has another one by then, or the step was made already, there is
 * nothing to write (undefined).
 */
import { type Domain, domainPhaseTable } from '../../../decide/domain-phase.ts';
import { ABORTED } from '../../../decide/migration/convergence.ts';
import { resultOf } from '../../../decide/rules.ts';
import { ANNOTATION, CONDITION, LABEL } from '../../../kubevirt/names.ts';
import type { MigrationState, Vmi } from '../../../kubevirt/objects.ts';
import { isConditionTrue } from '../../../kubevirt/predicates.ts';
import { extended } from '../../../kubevirt/shapes.ts';
import { formatInstant, type Instant } from '../../../kubevirt/time.ts';
import { inPhase, withStatus } from './vmi-writes.ts';

/** Where QEMU listens for the copy, by the port that the source connects to. */
const DIRECT_PORTS = { '38001': 49152 };

/** A domain whose memory is partly here and partly there, with nothing between. */
const LOST: Domain = { state: 'Paused', reason: 'PostcopyFailed' };

/** The state of the migration with that UID while it lasts. */
function stateOf(vmi: Vmi, uid: string): MigrationState | undefined {
  const state = vmi.status?.migrationState;
  return state?.migrationUid === uid && state.completed !== true ? state : undefined;
}

function withState(vmi: Vmi, change: MigrationState): Vmi {
  return withStatus(vmi, { migrationState: extended(vmi.status?.migrationState ?? {}, change) });
}

/** The target listens. */
export function targetPrepared(vmi: Vmi, uid: string, targetNodeAddress: string): Vmi | undefined {
  const state = stateOf(vmi, uid);
  if (!state || state.targetNodeAddress !== undefined) return undefined;
  return withState(vmi, { targetNodeAddress, targetDirectMigrationNodePorts: DIRECT_PORTS });
}

/** The source has begun to copy. */
export function copyStarted(vmi: Vmi, uid: string, now: Instant): Vmi | undefined {
  const state = stateOf(vmi, uid);
  if (!state || state.startTimestamp !== undefined) return undefined;
  return withState(vmi, { startTimestamp: formatInstant(now), mode: 'PreCopy' });
}

/** The source goes on in another way. */
export function copyMode(vmi: Vmi, uid: string, mode: string): Vmi | undefined {
  const state = stateOf(vmi, uid);
  return !state || state.mode === mode ? undefined : withState(vmi, { mode });
}

/** The domain has appeared on the target. */
export function domainSeen(vmi: Vmi, uid: string): Vmi | undefined {
  const state = stateOf(vmi, uid);
  if (!state || state.targetNodeDomainDetected) return undefined;
  return withState(vmi, { targetNodeDomainDetected: true });
}

/** The domain is active on the target. */
export function domainReady(vmi: Vmi, uid: string, now: Instant): Vmi | undefined {
  const state = stateOf(vmi, uid);
  if (!state || state.targetNodeDomainReadyTimestamp !== undefined) return undefined;
  const ready = withState(vmi, { targetNodeDomainReadyTimestamp: formatInstant(now) });
  return withoutConditions(ready, CONDITION.migrationRequired);
}

/** The VMI is the target's from now on: in one write, so that nobody ever sees half of it. */
export function handedOver(vmi: Vmi, uid: string, node: string, now: Instant): Vmi | undefined {
  const state = stateOf(vmi, uid);
  if (!state || state.endTimestamp !== undefined) return undefined;
  const { evacuationNodeName: _, launcherContainerImageVersion: __, ...status } = vmi.status ?? {};
  const moved = { nodeName: node, migrationTransport: 'Unix' };
  const { [LABEL.outdatedLauncherImage]: ___, ...labels } = vmi.metadata.labels ?? {};
  const metadata = {
    ...vmi.metadata,
    labels: { ...labels, [LABEL.nodeName]: node },
    ...(vmi.metadata.annotations && {
      annotations: without(vmi.metadata.annotations, ANNOTATION.evictionSource),
    }),
  };
  const handed: Vmi = { ...vmi, metadata, status: extended(status, moved) };
  return withState(withPluggedInterfaces(handed), { endTimestamp: formatInstant(now) });
}

/** The guest on the target has the networks of today's spec; where it has reported none, nothing is known. */
function withPluggedInterfaces(vmi: Vmi): Vmi {
  const reported = vmi.status?.interfaces;
  const wanted = vmi.spec?.domain?.devices?.interfaces?.filter(({ state }) => state !== 'absent') ?? [];
  if (reported === undefined || wanted.length === 0) return vmi;
  const kept = reported.filter(({ name }) => wanted.some((one) => one.name === name));
  const plugged = wanted.filter(({ name }) => !reported.some((one) => one.name === name));
  if (plugged.length === 0 && kept.length === reported.length) return vmi;
  return withStatus(vmi, { interfaces: [...kept, ...plugged.map(({ name }) => ({ name }))] });
}

function without(texts: Readonly<Record<string, string>>, key: string): Record<string, string> {
  const { [key]: _, ...rest } = texts;
  return rest;
}

/** What waited for a move is done, and the migration is complete. */
export function finalised(vmi: Vmi, uid: string): Vmi | undefined {
  if (!stateOf(vmi, uid)) return undefined;
  const { migratedVolumes: _, ...status } = vmi.status ?? {};
  const settled = withoutConditions(withHotplugged({ ...vmi, status }), CONDITION.volumesChange);
  return withState(settled, { completed: true });
}

/** CPU and memory that were plugged in before the move are there after it. */
function withHotplugged(vmi: Vmi): Vmi {
  const { cpu, memory } = vmi.spec?.domain ?? {};
  let plugged = vmi;
  if (isConditionTrue(vmi.status?.conditions, CONDITION.hotVcpuChange)) {
    const topology = { sockets: cpu?.sockets, cores: cpu?.cores, threads: cpu?.threads };
    const currentCPUTopology = { ...vmi.status?.currentCPUTopology, ...topology };
    plugged = withoutConditions(withStatus(plugged, { currentCPUTopology }), CONDITION.hotVcpuChange);
  }
  if (isConditionTrue(vmi.status?.conditions, CONDITION.hotMemoryChange)) {
    const now = { guestCurrent: memory?.guest, guestRequested: memory?.guest };
    const grown = withStatus(plugged, { memory: { ...vmi.status?.memory, ...now } });
    plugged = withoutConditions(grown, CONDITION.hotMemoryChange);
  }
  return plugged;
}

function withoutConditions(vmi: Vmi, type: string): Vmi {
  const held = vmi.status?.conditions;
  if (!held?.some((condition) => condition.type === type)) return vmi;
  return withStatus(vmi, { conditions: held.filter((condition) => condition.type !== type) });
}

/** The copy has failed: the guest runs on at the source or, in post-copy, is in halves and lost. */
export function copyFailed(vmi: Vmi, uid: string, failureReason: string, now: Instant): Vmi | undefined {
  const state = stateOf(vmi, uid);
  if (!state) return undefined;
  const over = { failed: true, completed: true, endTimestamp: formatInstant(now), failureReason };
  const failed = withState(vmi, failureReason === ABORTED ? { ...over, abortStatus: 'Succeeded' } : over);
  return state.mode === 'PostCopy'
    ? inPhase(failed, resultOf(domainPhaseTable, { vmi: failed, domain: LOST }), now)
    : failed;
}

/** The last trace of the target is gone. Whatever migration it was: it is over. */
export function targetReleased(vmi: Vmi, node: string): Vmi | undefined {
  const { [LABEL.migrationTargetNodeName]: target, ...labels } = vmi.metadata.labels ?? {};
  if (target !== node || vmi.status?.migrationState?.completed !== true) return undefined;
  return { ...vmi, metadata: { ...vmi.metadata, labels } };
}
