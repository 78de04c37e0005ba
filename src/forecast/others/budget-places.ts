import { VIOLATES_BUDGET } from '../../decide/budget/answer.ts';
import { isPodReady, selectsPod } from '../../decide/budget/controller.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { addToGroup } from '../../kubevirt/group-by.ts';
import { nameIn } from '../../kubevirt/object-key.ts';
import type { Pod, PodDisruptionBudget, Vmi } from '../../kubevirt/objects.ts';
import { isMarked, keyOf } from '../../kubevirt/predicates.ts';
import { someOf } from '../../kubevirt/words.ts';
import { foreseeAnyway } from '../chains/anyway.ts';
import type { Context } from '../context.ts';
import { type Ending, GOES_DOWN, isTakenAway, orElse } from '../ending.ts';
import type { Outcome } from '../forecast.ts';
import type { Foreseen } from '../foreseen.ts';
import { Trail } from '../trail.ts';

/**
 * Who uses up places of disruption budgets in the course of one action, over all its nodes.
 *
 * A budget that allows n evictions at once lets one VM after another go if each comes back; a VM that is not back up uses its
 * place up. Once all places are used up the rest is refused: in the order of the turns here, by chance in life.
 */
export class BudgetPlaces {
  /** VMs that are not back up, by namespace and name of the budget that let them go. */
  readonly #down = new Map<string, string[]>();
  /**
   * VMs that go whatever the action does, and pods of no VM that it takes away: they may be back up, or there still, by the time that
   * the budget is asked.
   */
  readonly #leaving = new Map<string, string[]>();

  readonly #fleet: Fleet;

  constructor(context: Context) {
    this.#fleet = context.fleet;
    for (const vmi of context.fleet.all('VirtualMachineInstance'))
      if (vmi.metadata.deletionTimestamp !== undefined || isMarked(vmi)) this.#readGoing(context, vmi);
  }

  /** Pods of no VM are taken away, and may be made anew. */
  leave(pods: Iterable<Pod>): void {
    for (const pod of pods) if (isPodReady(pod)) this.#use(this.#leaving, pod, `pod ${keyOf(pod)}`);
  }

  /** What becomes of the VM whose turn it is, after those that had theirs. */
  take(one: Foreseen): Foreseen {
    const { budget } = one.ending;
    if (!budget) return one;
    const key = `${one.vmi.metadata.namespace ?? ''}/${budget.name}`;
    const isOther = (vm: string) => vm !== keyOf(one.vmi);
    const down = (this.#down.get(key) ?? []).filter(isOther);
    if (down.length >= budget.allowed) return refused(one, key, down);
    if (staysDown(one.ending)) this.#down.set(key, [...down, keyOf(one.vmi)]);
    const leaving = (this.#leaving.get(key) ?? []).filter(isOther);
    return down.length + leaving.length < budget.allowed ? one : unlessLeft(one, leaving);
  }

  /** Its launcher and its attachment pods, which are counted as healthy still, go by themselves. */
  #readGoing(context: Context, vmi: Vmi): void {
    const { fleet } = context;
    const pod = fleet.launcherPodOf(vmi);
    if (!pod || pod.metadata.deletionTimestamp !== undefined || !isPodReady(pod)) return;
    const gone = [pod, ...fleet.hotplugPodsOf(pod)];
    // What becomes of it is asked only where a budget counts it.
    if (!gone.some((one) => this.#budgetsOf(one).length > 0)) return;
    const ending = foreseeAnyway(context, vmi, new Trail(false));
    if (!ending || !goesDown(ending)) return;
    const places = ending.outcome === 'StaysOff' ? this.#down : this.#leaving;
    for (const one of gone) this.#use(places, one, keyOf(vmi));
  }

  #use(places: Map<string, string[]>, gone: Pod, name: string): void {
    for (const budget of this.#budgetsOf(gone)) addToGroup(places, keyOf(budget), name);
  }

  #budgetsOf(pod: Pod): readonly PodDisruptionBudget[] {
    return this.#fleet.budgetsIn(pod.metadata.namespace ?? '').filter((budget) => selectsPod(budget, pod));
  }
}

/** Its guest is shut down, be it by a controller that acts on its mark. */
function goesDown(ending: Ending): boolean {
  return GOES_DOWN.has(ending.outcome) || (isTakenAway(ending) && ending.reason !== 'CapkMigrates');
}

function unlessLeft(one: Foreseen, leaving: readonly string[]): Foreseen {
  const when = `should ${someOf(leaving)} not be back up by then, it is refused instead`;
  return { ...one, ending: orElse(one.ending, 'Refused', when) };
}

/** Outcomes after which the VM's pod no longer counts as healthy for its budget. */
const GONE: ReadonlySet<Outcome> = new Set(['StaysOff', 'MayStayOff']);
/** So do those that would start again, if only a node took them. */
const WAITS: ReadonlySet<string> = new Set(['WaitsForRoom', 'WaitsForUncordon']);

function staysDown({ outcome, reason }: Ending): boolean {
  return GONE.has(outcome) || WAITS.has(reason);
}

function refused({ vmi, trail }: Foreseen, budget: string, places: readonly string[]): Foreseen {
  const down = [...new Set(places)];
  const name = nameIn(budget);
  const use = down.length === 1 ? 'uses' : 'use';
  const why = `${someOf(down)}, gone before it and not back up by then, ${use} up disruption budget "${name}"`;
  trail.note('disruption budget after others', 'BudgetSpent', why, [
    { object: `PodDisruptionBudget ${budget}`, path: 'gone and not back up', value: down },
  ]);
  const ending: Ending = {
    outcome: 'Blocks',
    reason: 'BudgetSpent',
    says: `refuses eviction: ${why}`,
    remedies: [`Bring the other VMs of budget ${name} up again, then evict ${keyOf(vmi)}.`],
    answer: { code: 429, message: VIOLATES_BUDGET },
    spentBy: down,
  };
  return { vmi, ending, trail };
}
