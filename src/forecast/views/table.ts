import { someOf } from '../../kubevirt/words.ts';
import type { Forecast, VmVerdict } from '../forecast.ts';
import { type Column, tableLines } from './columns.ts';
import { remedyLines } from './cure.ts';
import { groupLater, type LaterGroup } from './later.ts';
import { markOf } from './mark.ts';
import type { ViewOptions } from './options.ts';
import { outcomesOf, sorted } from './order.ts';
import { type Paint, paintFor } from './paint.ts';
import { groupRemedies, keyOfVm, whom, whyOf } from './remedies.ts';
import { isBreaking, isCalm } from './severity.ts';
import { hanging, padEnd, paragraphs, printable, wrap } from './text.ts';
import { timeColumns } from './time-columns.ts';

/** A list up to this long is shown whole. */
const SHOW_ALL_UP_TO = 30;
/** Of a longer one, so many VMs of each outcome that interrupts nothing. */
const CALM_SHOWN = 3;
const LONGEST_BAR = 40;

/**
 * The default view: the answer, the numbers, then the VMs, worst first, then what would help.
 *
 * Promise: every VM that is interrupted has its row; VMs that only migrate or stay are summed up where the list is long,
 * and the last line says how to see them. Without headers there are only rows, all of them.
 */
export function tableView(forecast: Forecast, options: ViewOptions): string {
  const paint = paintFor(options.colour);
  const worstFirst = sorted(forecast.status.vms);
  const ordered = options.sortBy === 'outcome' ? worstFirst : sorted(worstFirst, options.sortBy);
  if (!options.headers) return paragraphs([rows(ordered, options, paint)]);
  const { shown, more } = pick(ordered);
  return paragraphs([
    answerLines(forecast, options, paint),
    counts(forecast, paint),
    [...rows(shown, options, paint), ...more.map((line) => paint.dim(line))],
    laterLines(forecast, options, paint),
    remedies(worstFirst, options, paint),
    section('Good to know', forecast.status.notes, options, paint),
    section('Warnings', forecast.status.warnings, options, paint),
    section('Not in the input', forecast.status.missing, options, paint),
    pointers(worstFirst[0], options, paint),
  ]);
}

/** What was asked, and the answer with its mark. */
export function answerLines(forecast: Forecast, options: ViewOptions, paint: Paint): string[] {
  const title = wrap(printable(forecast.spec.title), options.width);
  const [first = '', ...rest] = wrap(printable(forecast.status.summary), options.width - 2);
  return [
    ...title.map(paint.dim),
    `${paint.mark(markOf(forecast))} ${paint.bold(first)}`,
    ...rest.map((line) => `  ${paint.bold(line)}`),
  ];
}

function counts(forecast: Forecast, paint: Paint): string[] {
  const outcomes = outcomesOf(forecast);
  const most = Math.max(...outcomes.map((outcome) => forecast.status.counts[outcome]));
  const nameWidth = Math.max(0, ...outcomes.map((outcome) => outcome.length));
  return outcomes.map((outcome) => {
    const count = forecast.status.counts[outcome];
    const bar = '▇'.repeat(barLength(count, most));
    return `  ${padEnd(outcome, nameWidth)}  ${String(count).padStart(String(most).length)}  ${paint.outcome(outcome, bar)}`;
  });
}

/** At least one block for something, and in proportion once the longest would not fit. */
function barLength(count: number, most: number): number {
  return most <= LONGEST_BAR ? count : Math.max(1, Math.round((count / most) * LONGEST_BAR));
}

function rows(vms: readonly VmVerdict[], options: ViewOptions, paint: Paint): string[] {
  const columns: Column<VmVerdict>[] = [
    { header: 'NAMESPACE/VM', cell: keyOfVm },
    { header: 'OUTCOME', cell: (vm) => vm.outcome, paint: (vm, text) => paint.outcome(vm.outcome, text) },
    { header: 'REASON', cell: (vm) => vm.reason },
    ...timeColumns(vms),
  ];
  const last = { header: 'WHY', cell: whyOf, width: options.width };
  return tableLines({ columns, last, headers: options.headers }, vms);
}

interface Picked {
  readonly shown: readonly VmVerdict[];
  readonly more: readonly string[];
}

function pick(vms: readonly VmVerdict[]): Picked {
  if (vms.length <= SHOW_ALL_UP_TO) return { shown: vms, more: [] };
  const seen = { LiveMigrates: 0, Untouched: 0 };
  const shown = vms.filter(({ outcome }) => {
    if (outcome !== 'LiveMigrates' && outcome !== 'Untouched') return true;
    seen[outcome] += 1;
    return seen[outcome] <= CALM_SHOWN;
  });
  const more = (['LiveMigrates', 'Untouched'] as const)
    .filter((outcome) => seen[outcome] > CALM_SHOWN)
    .map((outcome) => `… ${seen[outcome] - CALM_SHOWN} more ${outcome} (-o wide lists them all)`);
  return { shown, more };
}

/** What a change of the configuration makes different on later occasions. */
function laterLines(forecast: Forecast, options: ViewOptions, paint: Paint): string[] {
  const groups = groupLater(forecast.status.vms);
  if (groups.length === 0) return [];
  const columns: Column<LaterGroup>[] = [
    { header: '  WHEN', cell: ({ when }) => `  ${when}` },
    { header: 'WITHOUT THE CHANGE', cell: ({ before }) => before },
    { header: 'WITH IT', cell: ({ after }) => after, paint: ({ after }, text) => paint.outcome(after, text) },
    { header: 'VMS', cell: ({ vms }) => String(vms.length) },
  ];
  const last = { header: 'WHICH', cell: ({ vms }: LaterGroup) => someOf(vms), width: options.width };
  return [paint.bold('What differs later'), ...tableLines({ columns, last, headers: true }, groups)];
}

function remedies(vms: readonly VmVerdict[], options: ViewOptions, paint: Paint): string[] {
  const lines = groupRemedies(vms).flatMap((group) => [
    ...hanging('  ', printable(`${whom(group)}:`), options.width),
    ...group.remedies.flatMap((remedy) => remedyLines('    - ', remedy, options.width)),
  ]);
  return lines.length === 0 ? [] : [paint.bold('What would help'), ...lines];
}

function section(title: string, texts: readonly string[], options: ViewOptions, paint: Paint): string[] {
  if (texts.length === 0) return [];
  return [paint.bold(title), ...texts.flatMap((text) => remedyLines('  - ', text, options.width))];
}

/** Commands for the next step, about the worst VM. */
function pointers(worst: VmVerdict | undefined, options: ViewOptions, paint: Paint): string[] {
  if (worst === undefined || isCalm(worst.outcome)) return [];
  const command = (words: string): string =>
    [options.program, words, options.source].filter(Boolean).join(' ');
  const lines = [`One VM in full:   ${command(`explain vmi ${keyOfVm(worst)}`)}`];
  if (isBreaking(worst.outcome)) lines.push(`Traps, all kinds: ${command('lint')}`);
  return lines.map((line) => paint.dim(printable(line)));
}
