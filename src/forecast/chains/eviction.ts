import { withOwnBudget } from '../../decide/budget/own-budget.ts';
import { type BudgetAnswer, budgetTable } from '../../decide/disruption-budget.ts';
import { launcherEvictionTable } from '../../decide/eviction/launcher.ts';
import { EVICTION_WEBHOOK, webhookDenied } from '../../decide/eviction/registration.ts';
import type { EvictionVerdict } from '../../decide/eviction/verdict.ts';
import { effectiveStrategy } from '../../decide/eviction-strategy.ts';
import type { Decision } from '../../decide/rules.ts';
import { STRATEGY } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { isMigrating, isPodFinished } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import { type Ending, ledBy, unknown } from '../ending.ts';
import type { Trail } from '../trail.ts';
import { refusedByBudget } from './budget.ts';
import { foreseeEvacuation } from './evacuation.ts';
import { foreseeExternal, foreseeMarkedBefore, orReplacedIfFirst } from './external.ts';
import { refusedByWebhook } from './refusal.ts';
import { foreseeShutdown } from './shutdown.ts';
import { withMoveUnderWay } from './under-way.ts';

/** One request to evict a VMI's launcher pod, by whoever sends it. */
export interface EvictionRequest {
  /** Shortened period that the body asks for; absent: the pod's own. */
  readonly podGraceSeconds?: number | undefined;
  /** The request deletes the pod instead of evicting it: no webhook and no budget is asked. */
  readonly deletes?: boolean | undefined;
  /** It comes when a migration that is under way has moved the VM. */
  readonly isMoved?: boolean | undefined;
}

/** Follows an eviction to what becomes of the guest; where its Machine is to be replaced anyway, that is what becomes of it. */
export function foreseeEviction(context: Context, vmi: Vmi, trail: Trail, request: EvictionRequest): Ending {
  const asked = foreseeAsked(context, vmi, trail, request);
  const ending = request.isMoved ? asked : withMoveUnderWay(context, vmi, trail, asked);
  const before = ending.outcome === 'HandedOver' ? undefined : foreseeMarkedBefore(context, vmi, trail);
  if (!before) return orReplacedIfFirst(context, vmi, ending);
  return { ...before, answer: ending.answer, budget: ending.budget };
}

/** Through webhook and budget. */
function foreseeAsked(context: Context, vmi: Vmi, trail: Trail, request: EvictionRequest): Ending {
  const pod = context.fleet.launcherPodOf(vmi);
  if (!pod || isPodFinished(pod)) {
    return unknown(
      trail,
      `the launcher pod of ${vmi.metadata.namespace}/${vmi.metadata.name}`,
      'Dump pods too.',
    );
  }
  if (request.deletes) {
    return foreseeShutdown(context, vmi, trail, {
      says: 'is deleted past every protection',
      ...request,
    });
  }
  const answer = askWebhook(context, vmi, pod, trail);
  if (answer.result.allowed) return foreseeBudget(context, vmi, pod, trail, request);
  const message = webhookDenied(EVICTION_WEBHOOK.launcher, answer.result.message);
  const ending = isMarkedBy(answer)
    ? followMark(context, vmi, trail)
    : refusedByWebhook(context, vmi, answer);
  return { ...ending, answer: { code: 429, message } };
}

/** What the webhook says to an eviction of this pod, as things stand. */
export function askWebhook(context: Context, vmi: Vmi, pod: Pod, trail: Trail): Decision<EvictionVerdict> {
  const { settings, behavior } = context;
  const input = { pod, vmi: { found: vmi }, settings, behavior };
  return trail.ask('eviction webhook', launcherEvictionTable, input, ({ result }) =>
    result.allowed ? 'the eviction is allowed' : `429: ${result.message}`,
  );
}

/** The refusal leaves a mark, or finds one: somebody is to act on it. */
function isMarkedBy({ result, reason }: Decision<EvictionVerdict>): boolean {
  return reason === 'EvacuationInProgress' || (!result.allowed && result.mark);
}

function followMark(context: Context, vmi: Vmi, trail: Trail): Ending {
  const isExternal = effectiveStrategy(vmi, context.settings) === STRATEGY.external;
  if (isExternal) return foreseeExternal(context, vmi, trail);
  const ending = foreseeEvacuation(context, vmi, trail);
  return ending.outcome === 'Blocks' ? ledBy('refuses eviction: it', ending) : ending;
}

/** What the budgets say to an eviction of this pod that the webhook has let through. */
export function askBudgets(context: Context, vmi: Vmi, pod: Pod, trail: Trail): Decision<BudgetAnswer> {
  const namespace = vmi.metadata.namespace ?? '';
  const { fleet, settings } = context;
  const budgets = withOwnBudget(fleet.budgetsIn(namespace), {
    vmi,
    settings,
    isMigrating: isMigrating(vmi, context.now),
  });
  const input = { pod, budgets, pods: budgets.length > 0 ? fleet.podsIn(namespace) : [] };
  return trail.ask('pod disruption budget', budgetTable, input, ({ result }) => result.message);
}

function foreseeBudget(context: Context, vmi: Vmi, pod: Pod, trail: Trail, request: EvictionRequest): Ending {
  const answer = askBudgets(context, vmi, pod, trail);
  const refused = refusedByBudget(answer, trail);
  if (refused) return refused;
  const ending = foreseeShutdown(context, vmi, trail, {
    says: 'is evicted',
    podGraceSeconds: request.podGraceSeconds,
  });
  return { ...ending, budget: budgetIn(answer.result), answer: { code: 201, message: 'Success' } };
}

function budgetIn(answer: BudgetAnswer): Ending['budget'] {
  if (answer.kind !== 'Evictable' || answer.budget === undefined) return undefined;
  return { name: answer.budget, allowed: answer.disruptionsAllowed ?? 1 };
}
