/**
 * The back-off after VMIs that ended without ever having run. A VMI that had run restarts at once.
 * vm-lifecycle §5 of the spec; kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go:1477-1603.
 */
import { RUN_STRATEGY } from '../kubevirt/names.ts';
import type { VirtualMachine, Vmi } from '../kubevirt/objects.ts';
import { isFinal } from '../kubevirt/predicates.ts';
import { formatInstant, type Instant, parseInstant } from '../kubevirt/time.ts';
import { resolveRunStrategy } from './run-strategy/resolve.ts';

/** `status.startFailure` of a VM. */
export type StartFailure = NonNullable<NonNullable<VirtualMachine['status']>['startFailure']>;

const START_DELAY_CAP_SECONDS = 300;

const AUTO_RESTARTS: ReadonlySet<string> = new Set([
  RUN_STRATEGY.always,
  RUN_STRATEGY.rerunOnFailure,
  RUN_STRATEGY.once,
]);

/** Whether a VM of this strategy is started again on its own, so that its failures count. */
export function restartsOnItsOwn(strategy: string): boolean {
  return AUTO_RESTARTS.has(strategy);
}

/**
 * Seconds to wait before the next start after `failCount` failures in a row: 10·n² plus up to half as much again.
 *
 * Promise: whole seconds, never more than `capSeconds`; a count below one counts as one. With a cap above 300 the step
 * grows with it, to a thirtieth of the cap. `chance` in [0, 1) picks among the possible seconds evenly.
 */
export function startDelaySeconds(
  failCount: number,
  chance: number,
  capSeconds = START_DELAY_CAP_SECONDS,
): number {
  const stepSeconds = Math.max(10, Math.floor(capSeconds / 30));
  const leastSeconds = stepSeconds * Math.max(1, failCount) ** 2;
  const choices = Math.floor(leastSeconds / 2) + 1;
  return Math.min(capSeconds, leastSeconds + Math.floor(chance * choices));
}

/** Seconds until the VM may be started again, by whole seconds of the clock; 0 when it may now. */
export function startBackoffSecondsLeft(vm: VirtualMachine, now: Instant): number {
  const retryAt = parseInstant(vm.status?.startFailure?.retryAfterTimestamp);
  if (retryAt === undefined) return 0;
  return Math.max(0, Math.floor(retryAt / 1000) - Math.floor(now / 1000));
}

/** Whether the VMI was ever in phase Running, by its own record of phases. */
export function everRan(vmi: Vmi | undefined): boolean {
  return vmi?.status?.phaseTransitionTimestamps?.some(({ phase }) => phase === 'Running') ?? false;
}

/**
 * `status.startFailure` as it stands after the VM controller has looked at the VM and its VMI.
 *
 * Promise: `undefined` clears it. Each VMI is counted once, by UID. A VM whose strategy does not resolve keeps its count.
 */
export function startFailureAfter(
  vm: VirtualMachine,
  vmi: Vmi | undefined,
  now: Instant,
  chance: number,
): StartFailure | undefined {
  const before = vm.status?.startFailure;
  if (isForgiven(vm, vmi)) return undefined;
  if (!vmi || !isFinal(vmi) || before?.lastFailedVMIUID === vmi.metadata.uid) return before;
  const consecutiveFailCount = (before?.consecutiveFailCount ?? 0) + 1;
  const retryAt = now + startDelaySeconds(consecutiveFailCount, chance) * 1000;
  return {
    consecutiveFailCount,
    lastFailedVMIUID: vmi.metadata.uid,
    retryAfterTimestamp: formatInstant(retryAt),
  };
}

function isForgiven(vm: VirtualMachine, vmi: Vmi | undefined): boolean {
  if (everRan(vmi)) return true;
  const { strategy, error } = resolveRunStrategy(vm);
  return error === undefined && !restartsOnItsOwn(strategy);
}
