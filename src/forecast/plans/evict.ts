import type { Fleet } from '../../fleet/fleet.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { counted } from '../../kubevirt/words.ts';
import { assemble } from '../assemble.ts';
import { foreseeEviction } from '../chains/eviction.ts';
import { foreseeIfPresent } from '../chains/presence.ts';
import { type Context, contextOf, type ForecastOptions } from '../context.ts';
import { type Ending, orElse, withMore } from '../ending.ts';
import type { Forecast } from '../forecast.ts';
import { type Foreseen, foreseeEach, verdictsOf } from '../foreseen.ts';
import { afterOthers } from '../others/after-others.ts';
import { withNodesAhead } from '../others/nodes-ahead.ts';
import { QuestionError } from '../question-error.ts';
import type { EvictQuestion } from '../questions.ts';
import { isInScope } from '../scope.ts';
import { summarizeEvictions } from '../summary.ts';
import { Trail } from '../trail.ts';

/**
 * What one eviction request for each VM does, and what it is answered.
 *
 * Promise: VMs that are named are asked about and no others; without names, those that the scope takes. A name that the
 * fleet does not have is an error.
 */
export function planEvict(fleet: Fleet, question: EvictQuestion, options: ForecastOptions): Forecast {
  const context = contextOf(fleet, options);
  const vmis =
    question.vms.length > 0
      ? question.vms.map((vm) => vmiNamed(fleet, vm))
      : [...fleet.all('VirtualMachineInstance')];
  const inScope = vmis.filter((vmi) => isInScope(fleet, context.scope, vmi));
  const asked = new Set(inScope);
  const one: Context = { ...context, evicts: (vmi) => asked.has(vmi) };
  const foreseen = withNodesAhead(one, afterOthers(one, foreseeEach(one, inScope, foreseeAsked), []));
  return assemble(context, {
    action: 'evict',
    title: `evict ${counted(inScope.length, 'VM')} · one request each`,
    parameters: { vms: inScope.map(keyOf).sort() },
    verdicts: verdictsOf(foreseen),
    summarize: summarizeEvictions,
    notes: [dryRunNote(foreseen)],
  });
}

/** A launcher that has no guest yet, or none for long, is asked for like any other. */
function foreseeAsked(context: Context, vmi: Vmi, trail: Trail): Ending {
  const ending = foreseeIfPresent(context, vmi, trail, () => foreseeEviction(context, vmi, trail, {}));
  if (ending.outcome !== 'Untouched') return ending;
  const asked = foreseeEviction(context, vmi, new Trail(false), {});
  const { answer } = asked;
  if (!answer) return ending;
  const told =
    answer.code === 201
      ? 'its launcher is evicted all the same'
      : `the request is refused: ${answer.message}`;
  const answered = { ...withMore(ending, `; ${told}`), answer };
  return asked.reason === 'MachineReplaced' ? orElse(answered, 'Replaced', BEFORE_IT_IS_GONE) : answered;
}

const BEFORE_IT_IS_GONE =
  'should CAPK act on the mark before it is gone, its Machine is replaced, and the VM goes with it';

/** The API server asks the budget in a dry run too, and takes nothing from it. */
function dryRunNote(foreseen: readonly Foreseen[]): string {
  const spent = foreseen.filter(({ ending }) => ending.reason === 'BudgetSpent').length;
  const same =
    'A dry run (dryRun=All) of the same requests is answered the same, and nothing is marked or deleted';
  return spent === 0
    ? `${same}.`
    : `${same}; but it uses up no budget, so that ${counted(spent, 'eviction')} refused here for that (BudgetSpent) would be let go in it.`;
}

/** The VMI of a VM that a user named. Throws a `QuestionError` for one that is not there or does not run. */
export function vmiNamed(fleet: Fleet, vm: string): Vmi {
  const vmi = fleet.get('VirtualMachineInstance', vm);
  if (vmi) return vmi;
  const exists = fleet.get('VirtualMachine', vm) !== undefined;
  const message = exists ? `VM ${vm} has no VMI: it does not run` : `no VM ${vm} in the input`;
  const cure = exists
    ? 'Name a VM that runs.'
    : 'Name it as NAMESPACE/NAME, as the first column of the table shows it.';
  throw new QuestionError('UnknownVm', message, cure);
}
