import { effectiveStrategy } from '../../decide/eviction-strategy.ts';
import { capkTerminalTable } from '../../decide/external/capk-terminal.ts';
import type { ExternalInput } from '../../decide/external/external-input.ts';
import { externalOutcomeTable, wouldBeReplaced } from '../../decide/external/external-outcome.ts';
import { type ClusterApiObjects, workerOf } from '../../decide/external/worker.ts';
import { decide, resultOf } from '../../decide/rules.ts';
import { afterEndTable } from '../../decide/run-strategy/after-end.ts';
import type { Fleet, Kind, KindMap } from '../../fleet/fleet.ts';
import { STRATEGY } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { isMarked, isMigratable, keyOf } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import { type Ending, ledBy, orElse } from '../ending.ts';
import type { Trail } from '../trail.ts';
import { foreseeCapksMigration } from './capk-migration.ts';
import { STAYS_OFF_WORDS } from './shutdown.ts';

/** Follows the mark on a VMI with strategy External: KubeVirt leaves it to another controller. */
export function foreseeExternal(context: Context, vmi: Vmi, trail: Trail): Ending {
  const input = inputOf(context, vmi);
  const decided = trail.ask('external controller', externalOutcomeTable, input, ({ result }) => result.says);
  const { outcome, says, remedies } = decided.result;
  const isDeleted = outcome === 'HandedOver' && !KEPT.has(decided.reason);
  const goesAway = isDeleted && (input.staysOff !== undefined || decided.reason === 'MachineReplaced');
  const ending: Ending = { outcome, reason: decided.reason, says, remedies, goesAway };
  const told =
    decided.reason === 'CapkMigrates' ? foreseeCapksMigration(context, trail, ending, input) : ending;
  const isBegunAnew =
    told.outcome === 'HandedOver' && !KEPT.has(told.reason) && told.reason !== 'MachineReplaced';
  if (KEPT_BY_OTHERS.has(told.reason) && isReplacedIfFirst(context, input)) {
    return orElse(told, 'Replaced', FAILS_FIRST);
  }
  return isBegunAnew ? orSeenEnded(context, input, told) : told;
}

/** What becomes of a VM whose VMI is being deleted, where CAPK looks after it. */
export function orReplacedMeanwhile(context: Context, vmi: Vmi, ending: Ending): Ending {
  return isCapk(context) ? orSeenEnded(context, inputOf(context, vmi), ending) : ending;
}

/** What is said of a VM whose Machine is not replaced, it may be for others that fail too. */
const KEPT_BY_OTHERS: ReadonlySet<string> = new Set(['RemediationHeldBack', 'CapkOverlooksMark']);

/**
 * Machines of the other nodes that a drain comes to may fail later, as those may whose VMs are evicted in other batches, and those of
 * VMs that are being deleted not at all.
 */
function isReplacedIfFirst(context: Context, input: ExternalInput): boolean {
  const node = input.vmi.status?.nodeName;
  const isAtOnce = (other: Vmi) => isMarked(other) || context.world.cordoned.has(node ?? '');
  const isSure = (other: Vmi) =>
    other.metadata.deletionTimestamp === undefined && other.status?.nodeName === node && isAtOnce(other);
  const alsoFailing = failingBeside(context, input).filter(isSure).length;
  return decide(externalOutcomeTable, { ...input, alsoFailing }).reason === 'MachineReplaced';
}

const FAILS_FIRST =
  'should its Machine fail before those of others do, it is replaced, and the VM goes with it';

/**
 * A VMI that is deleted is there for a moment with its guest at an end. CAPK, should it look just then, takes that for the end of
 * its machine where the run strategy starts no guest again that has ended by itself.
 */
function orSeenEnded({ fleet }: Context, input: ExternalInput, ending: Ending): Ending {
  const vmi = { ...input.vmi, status: { ...input.vmi.status, phase: 'Succeeded' } };
  const { terminal } = resultOf(capkTerminalTable, { vm: fleet.vmOf(vmi), vmi });
  return terminal && wouldBeReplaced(input) ? orElse(ending, 'Replaced', SEEN_ENDED) : ending;
}

const SEEN_ENDED =
  'should CAPK look at it when its guest has ended and its VMI is not gone yet, its Machine fails and is replaced, and the VM goes with it';

/** Who acts is not known, or migrates. */
const KEPT: ReadonlySet<string> = new Set(['ExternalControllerUnknown', 'CapkBuildUnknown', 'CapkMigrates']);

/**
 * What CAPK makes of a mark that is there already, whatever else is done meanwhile; nothing where nobody acts on it for sure.
 * Of another strategy than External it takes no notice, but for the Machine that fails and takes the VM along.
 */
export function foreseeMarkedBefore(context: Context, vmi: Vmi, trail: Trail): Ending | undefined {
  if (!isMarked(vmi) || context.external === 'unknown') return undefined;
  const isExternal = effectiveStrategy(vmi, context.settings) === STRATEGY.external;
  const { result, reason } = decide(externalOutcomeTable, inputOf(context, vmi));
  if (!isExternal && reason !== 'MachineReplaced') return undefined;
  if (result.outcome !== 'HandedOver') return undefined;
  return ledBy('carries a mark already and', foreseeExternal(context, vmi, trail));
}

/** What comes of an eviction of a VM that carries a mark of another strategy: its Machine may fail before those of others do. */
export function orReplacedIfFirst(context: Context, vmi: Vmi, ending: Ending): Ending {
  if (!isMarked(vmi) || !isCapk(context) || ending.outcome === 'HandedOver') return ending;
  return isReplacedIfFirst(context, inputOf(context, vmi)) ? orElse(ending, 'Replaced', FAILS_FIRST) : ending;
}

function isCapk({ external }: Context): boolean {
  return external !== 'none' && external !== 'unknown';
}

function inputOf(context: Context, vmi: Vmi): ExternalInput {
  const objects = clusterApiOf(context.fleet);
  const worker = workerOf(vmi, objects);
  const alsoFailing = failingBeside(context, { vmi, worker, objects }).length;
  const { external: controller, now, behavior } = context;
  const staysOff = whyStaysOff(context, vmi);
  return { controller, vmi, worker, objects, now, behavior, alsoFailing, staysOff };
}

/** Whatever the guest does: to a run strategy the end of a VMI that is deleted is always the same. */
function whyStaysOff({ fleet }: Context, vmi: Vmi): string | undefined {
  const deleted = { ...vmi, metadata: { ...vmi.metadata, deletionTimestamp: 'now' } };
  const { result, reason } = decide(afterEndTable, { vm: fleet.vmOf(vmi), vmi: deleted, end: 'Succeeded' });
  return result === 'StaysOff'
    ? (STAYS_OFF_WORDS[reason] ?? `of the run strategy rule ${reason}`)
    : undefined;
}

/** Workers under the same health check whose Machines fail too: they cannot migrate, and are marked already or by the same action. */
function failingBeside(
  context: Context,
  { vmi, worker: { healthCheck }, objects }: Pick<ExternalInput, 'vmi' | 'worker' | 'objects'>,
): Vmi[] {
  if (!healthCheck) return [];
  const { fleet, settings, evicts = () => false } = context;
  const isMarkedToo = (other: Vmi) =>
    isMarked(other) || (effectiveStrategy(other, settings) === STRATEGY.external && evicts(other));
  return [...fleet.all('VirtualMachineInstance')].filter(
    (other) =>
      keyOf(other) !== keyOf(vmi) &&
      !isMigratable(other) &&
      isMarkedToo(other) &&
      workerOf(other, objects).healthCheck === healthCheck,
  );
}

/** A kind that the input does not list at all stays absent: unknown is not empty. */
function clusterApiOf(fleet: Fleet): ClusterApiObjects {
  return {
    kubevirtMachines: listed(fleet, 'KubevirtMachine'),
    machines: listed(fleet, 'Machine'),
    healthChecks: listed(fleet, 'MachineHealthCheck'),
  };
}

function listed<K extends Kind>(fleet: Fleet, kind: K): KindMap[K][] | undefined {
  return fleet.isKnown(kind) ? [...fleet.all(kind)] : undefined;
}
