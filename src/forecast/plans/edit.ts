import { vmiRef } from '../../decide/evidence.ts';
import { applyLiveEdit } from '../../decide/live-edit/apply.ts';
import { type LiveEdit, parseEdit } from '../../decide/live-edit/edit.ts';
import { liveEditTable } from '../../decide/live-edit/live-edit.ts';
import type { LiveEditInput, LiveEditResult } from '../../decide/live-edit/result.ts';
import type { Decision } from '../../decide/rules.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { assemble } from '../assemble.ts';
import { foreseeAnyway } from '../chains/anyway.ts';
import { startedAnew } from '../chains/later-vmi.ts';
import { foreseeRefusedStart } from '../chains/next-vmi.ts';
import { foreseeUpdate } from '../chains/update.ts';
import { type Context, contextOf, type ForecastOptions } from '../context.ts';
import { type Ending, ledBy, orElse, verdictOf } from '../ending.ts';
import type { Forecast } from '../forecast.ts';
import { launcherImageToday } from '../launcher-image.ts';
import { afterOthers } from '../others/after-others.ts';
import { QuestionError } from '../question-error.ts';
import type { EditQuestion, Setting } from '../questions.ts';
import { summarizeEdit } from '../summary.ts';
import { Trail } from '../trail.ts';

/** What editing the template of a VM does to it while it runs. Throws a `QuestionError` for an edit that cannot be judged. */
export function planEdit(fleet: Fleet, question: EditQuestion, options: ForecastOptions): Forecast {
  const context = contextOf(fleet, options);
  const vm = fleet.get('VirtualMachine', question.vm);
  if (!vm) {
    const cure = 'Name it as NAMESPACE/NAME, and dump virtualmachines too.';
    throw new QuestionError('UnknownVm', `no VirtualMachine ${question.vm} in the input`, cure);
  }
  const edits = question.set.map(readEdit);
  const trail = new Trail(context.explain);
  const vmi = fleet.get('VirtualMachineInstance', question.vm);
  const applied = (to: Vmi): Edited =>
    edits.reduce<Edited>((so, edit) => applyOne(context, so, edit, trail), { vm, vmi: to, decisions: [] });
  const edited = vmi && applied(vmi);
  const ending = edited
    ? whileDeleted(context, vmi, foreseeEdited(context, edited, trail), applied)
    : notRunning();
  const subject = edited?.vmi ?? { metadata: vm.metadata };
  // Others that go anyway leave room for it, or take it.
  const [settled] = afterOthers(context, [{ vmi: subject, ending, trail }], []);
  const final = settled?.ending ?? ending;
  const told = question.set.map(({ path, value }) => `${path}=${value}`).join(', ');
  return assemble(context, {
    action: 'edit',
    title: `edit ${question.vm} · ${told}`,
    parameters: { vm: question.vm, set: question.set },
    verdicts: [verdictOf(subject, final, trail)],
    summarize: (counts) => summarizeEdit(final, counts),
  });
}

function readEdit({ path, value }: Setting): LiveEdit {
  const edit = parseEdit(`${path}=${value}`);
  if ('error' in edit)
    throw new QuestionError('WrongSetting', edit.error, 'Write --set path=value, cpu.sockets=4 say.');
  return edit;
}

function notRunning(): Ending {
  return {
    outcome: 'Untouched',
    reason: 'NotRunning',
    says: 'does not run: the edit counts from its next start',
  };
}

interface Edited {
  readonly vm: VirtualMachine;
  readonly vmi: Vmi;
  readonly decisions: readonly Decision<LiveEditResult>[];
}

/** What the hot-plug conditions that edits lead to make the workload updater do is followed to its end. */
function foreseeEdited(context: Context, edited: Edited, trail: Trail): Ending {
  const { decisions } = edited;
  const refused = decisions.find(({ result }) => result.effect === 'Refused');
  if (refused)
    return {
      outcome: 'Deferred',
      reason: refused.reason,
      says: `is not changed for now: ${refused.result.message}`,
    };
  const restart = decisions.find(({ result }) => result.effect === 'RestartRequired');
  const hotPlug = decisions.find(({ result }) => result.effect === 'HotPlug');
  if (hotPlug) return followHotPlug(context, edited.vmi, trail);
  if (restart) return untilRestarted(context, edited, restart, trail);
  return {
    outcome: 'Untouched',
    reason: 'NoChange',
    says: `is not changed: ${decisions[0]?.result.message ?? 'nothing was set'}`,
  };
}

/** It may have started again before the edit is made. */
function whileDeleted(context: Context, vmi: Vmi, ending: Ending, applied: (vmi: Vmi) => Edited): Ending {
  if (vmi.metadata.deletionTimestamp === undefined) return ending;
  const after = foreseeAnyway(context, vmi, new Trail(false));
  if (after?.outcome !== 'Restarts' && after?.outcome !== 'MayStayOff') return ending;
  const next = foreseeEdited(context, applied(startedAnew(context, vmi)), new Trail(false));
  if (next.outcome === 'Untouched') return ending;
  return orElse(ending, 'MetAgain', `should it have started again before, it ${next.says}`);
}

/** A restart helps, unless virt-api refuses the VMI that comes of it. */
function untilRestarted(
  context: Context,
  { vm, vmi }: Pick<Edited, 'vm' | 'vmi'>,
  { result }: Decision<LiveEditResult>,
  trail: Trail,
): Ending {
  const says = `keeps running as it is; its VM gets RestartRequired: ${result.message}`;
  const refused = foreseeRefusedStart(context, vmi, trail, `${says}; restarted, it is shut down`, vm);
  const remedies = [
    `Restart it when it suits: virtctl restart ${vm.metadata.name} -n ${vm.metadata.namespace}`,
  ];
  const ending = refused ?? { says, remedies };
  return { ...ending, outcome: 'Untouched', reason: 'RestartRequired' };
}

function applyOne(context: Context, { vm, vmi, decisions }: Edited, edit: LiveEdit, trail: Trail): Edited {
  const input: LiveEditInput = {
    vm,
    vmi,
    edit,
    rolloutStrategy: context.settings.vmRolloutStrategy,
    now: context.now,
  };
  const decision = trail.ask(
    `edit of ${edit.path}`,
    liveEditTable(edit.path),
    input,
    ({ result }) => result.message,
  );
  const applied = applyLiveEdit({ vm, vmi }, edit, decision.result);
  return { vm: applied.vm, vmi: applied.vmi ?? vmi, decisions: [...decisions, decision] };
}

function followHotPlug(context: Context, vmi: Vmi, trail: Trail): Ending {
  const ending = foreseeUpdate(context, vmi, launcherImageToday(context.fleet, vmi), trail);
  const remedies =
    ending.outcome === 'Restarts' || ending.outcome === 'StaysOff' || ending.outcome === 'MayStayOff'
      ? [
          `The edit itself shuts ${vmiRef(vmi)} down, within the next eviction batch: make it when that suits.`,
          ...(ending.remedies ?? []),
        ]
      : ending.remedies;
  return { ...ledBy('takes the change while it runs and', ending), remedies };
}
