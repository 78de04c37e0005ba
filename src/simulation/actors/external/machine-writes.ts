/** What Cluster API and CAPK make of their objects; whoever else writes to them keeps what is his. */
import { type CapkMarks, DRAINING } from '../../../decide/external/capk-drain.ts';
import { TERMINAL_REASON } from '../../../decide/external/capk-terminal.ts';
import { machineFailureMessage } from '../../../decide/external/worker.ts';
import { ANNOTATION, CONDITION } from '../../../kubevirt/names.ts';
import type { Condition, KubevirtMachine, Machine } from '../../../kubevirt/objects.ts';
import { findCondition } from '../../../kubevirt/predicates.ts';
import { formatInstant, type Instant } from '../../../kubevirt/time.ts';

/** With CAPK's bookkeeping as a step leaves it. `cordons`: the guest's node has been cordoned on the way. */
export function withMarks(
  machine: KubevirtMachine,
  marks: CapkMarks,
  cordons = false,
): KubevirtMachine | undefined {
  const before = machine.metadata.annotations ?? {};
  const kept = Object.entries(before).filter(([name]) => !marks.removes.includes(name));
  const annotations = { ...Object.fromEntries(kept), ...writtenBy(marks, cordons) };
  const isSame =
    Object.keys(annotations).length === Object.keys(before).length &&
    Object.entries(annotations).every(([name, value]) => before[name] === value);
  return isSame ? undefined : { ...machine, metadata: { ...machine.metadata, annotations } };
}

function writtenBy(
  { graceUntil, submittedUntil, draining }: CapkMarks,
  cordons: boolean,
): Record<string, string> {
  return {
    ...(graceUntil !== undefined && { [ANNOTATION.capkDeletionGraceTime]: formatInstant(graceUntil) }),
    ...(submittedUntil !== undefined && {
      [ANNOTATION.capkMigrationSubmitted]: formatInstant(submittedUntil),
    }),
    ...(draining && { [ANNOTATION.capkMigrationSubmitted]: DRAINING }),
    ...(cordons && { [ANNOTATION.capkNodeCordoned]: 'true' }),
  };
}

/** A failure stays for good; `ready` follows the VMI. */
export function withInfraStatus(
  machine: KubevirtMachine,
  ready: boolean,
  failure: string | undefined,
): KubevirtMachine | undefined {
  const { status } = machine;
  const failed = failure === undefined ? {} : { failureReason: TERMINAL_REASON, failureMessage: failure };
  const isSame =
    (status?.ready ?? false) === ready && (failure === undefined || status?.failureMessage === failure);
  return isSame ? undefined : { ...machine, status: { ...status, ready, ...failed } };
}

/** The failure of a Machine's infrastructure, copied once and never taken back. */
export function withFailureOf(machine: Machine, infra: KubevirtMachine): Machine | undefined {
  const { failureReason, failureMessage } = infra.status ?? {};
  if (!failureReason && !failureMessage) return undefined;
  const message = machineFailureMessage(infra, failureMessage ?? '');
  if (machine.status?.phase === 'Failed' && machine.status.failureMessage === message) return undefined;
  return {
    ...machine,
    status: { ...machine.status, phase: 'Failed', failureReason, failureMessage: message },
  };
}

/** The node that a Machine has become. */
export function withNode(machine: Machine, name: string): Machine | undefined {
  if (machine.status?.nodeRef?.name) return undefined;
  const phase = machine.status?.phase === 'Failed' ? 'Failed' : 'Running';
  return { ...machine, status: { ...machine.status, phase, nodeRef: { name } } };
}

type Conditioned = { readonly status?: { readonly conditions?: Condition[] | undefined } | undefined };

/** With a condition in the place of the one of its type; its time is when its status changed last. */
export function withCondition<T extends Conditioned>(
  object: T,
  wanted: Omit<Condition, 'lastTransitionTime'>,
  now: Instant,
): T | undefined {
  const conditions = object.status?.conditions ?? [];
  const held = findCondition(conditions, wanted.type);
  const isSame = held?.reason === wanted.reason && held?.message === wanted.message;
  if (held?.status === wanted.status && isSame) return undefined;
  const lastTransitionTime = held?.status === wanted.status ? held.lastTransitionTime : formatInstant(now);
  const others = conditions.filter(({ type }) => type !== wanted.type);
  return {
    ...object,
    status: { ...object.status, conditions: [...others, { ...wanted, lastTransitionTime }] },
  };
}

/** A Machine that its health check wants remediated by whoever owns it. */
export function waitingForRemediation(machine: Machine, now: Instant): Machine | undefined {
  const unhealthy = { type: CONDITION.healthCheckSucceeded, status: 'False', reason: 'UnhealthyNode' };
  const waiting = { type: CONDITION.ownerRemediated, status: 'False', reason: 'WaitingForRemediation' };
  const first = withCondition(machine, unhealthy, now);
  return withCondition(first ?? machine, waiting, now) ?? first;
}
