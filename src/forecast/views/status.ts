import { counted } from '../../kubevirt/words.ts';
import type { Outcome } from '../forecast.ts';
import { type RolloutStatus, STATES, type State, type VmStanding } from '../status/report.ts';
import { type Column, tableLines } from './columns.ts';
import type { ViewOptions } from './options.ts';
import { type Mark, type Paint, paintFor } from './paint.ts';
import { padEnd, paragraphs, printable, wrap } from './text.ts';

/** A list up to this long is shown whole. */
const SHOW_ALL_UP_TO = 30;
/** Of a longer one, so many of each state but stuck. */
const SHOWN = 5;
const WIDEST_BAR = 60;

/** The colours of outcomes that mean as much. */
const COLOUR: Readonly<Record<State, Outcome>> = {
  Stuck: 'Blocks',
  Moving: 'Restarts',
  Waiting: 'Deferred',
  Done: 'LiveMigrates',
};

/**
 * A roll-out for a terminal: the answer, a bar, the numbers, then the VMs, those first that stay where they are.
 *
 * Promise: every VM that is stuck has its row; those that are done have none; of others some are left out where the list is long,
 * and how many is said.
 */
export function statusView(report: RolloutStatus, options: ViewOptions): string {
  const paint = paintFor(options.colour);
  return paragraphs([
    headLines(report, options, paint),
    barLines(report, options, paint),
    countLines(report, paint),
    vmLines(report, options, paint),
  ]);
}

/** One line, for a log that follows a roll-out. */
export function statusLine({ spec, status }: RolloutStatus): string {
  const counts = [...STATES].reverse().map((state) => `${state} ${status.counts[state]}`);
  const ends = status.endsAt === undefined ? '' : `  until ${status.endsAt}`;
  return `${spec.at}  ${status.percentDone}%  ${counts.join('  ')}${ends}\n`;
}

export function markOfStatus({ counts, gate }: RolloutStatus['status']): Mark {
  if (counts.Stuck > 0) return '✗';
  const isLeft = counts.Moving + counts.Waiting > 0;
  return isLeft && !gate.open ? '!' : '✓';
}

function headLines({ spec, status }: RolloutStatus, options: ViewOptions, paint: Paint): string[] {
  const to = spec.launcherImage ?? 'the present launcher';
  const methods = spec.workloadUpdateMethods.join(' and ') || 'no method';
  const title = `roll-out of ${to} · KubeVirt ${spec.kubevirtVersion} · ${methods}`;
  const [first = '', ...rest] = wrap(printable(status.summary), options.width - 2);
  return [
    ...wrap(printable(title), options.width).map(paint.dim),
    `${paint.mark(markOfStatus(status))} ${paint.bold(first)}`,
    ...rest.map((line) => `  ${paint.bold(line)}`),
  ];
}

/** Done, then moving; what is not done at all stays light. */
function barLines(
  { status: { counts, percentDone } }: RolloutStatus,
  { width }: ViewOptions,
  paint: Paint,
): string[] {
  const all = STATES.reduce((sum, state) => sum + counts[state], 0);
  if (all === 0) return [];
  const columns = Math.min(WIDEST_BAR, width - 10);
  const done = Math.floor((counts.Done / all) * columns);
  const moving = Math.min(columns - done, Math.ceil((counts.Moving / all) * columns));
  const bar = [
    paint.outcome(COLOUR.Done, '█'.repeat(done)),
    paint.outcome(COLOUR.Moving, '▒'.repeat(moving)),
    paint.dim('░'.repeat(columns - done - moving)),
  ];
  return [`  ${bar.join('')}  ${percentDone} %`];
}

function countLines({ status }: RolloutStatus, paint: Paint): string[] {
  const most = Math.max(...STATES.map((state) => status.counts[state]));
  const lines = STATES.filter((state) => status.counts[state] > 0).map(
    (state) =>
      `  ${paint.outcome(COLOUR[state], padEnd(state, 7))}  ${String(status.counts[state]).padStart(String(most).length)}`,
  );
  const { notRunning } = status;
  if (notRunning === 0) return lines;
  const words =
    notRunning === 1 ? 'is not running, and counts when it does' : 'are not running, and count when they do';
  return [...lines, paint.dim(`  ${counted(notRunning, 'VM')} ${words}`)];
}

function vmLines({ status }: RolloutStatus, options: ViewOptions, paint: Paint): string[] {
  const left = STATES.flatMap((state) => status.vms.filter((vm) => vm.state === state && state !== 'Done'));
  const shown = left.length <= SHOW_ALL_UP_TO ? left : someOfEach(left);
  const more = left.length - shown.length;
  const columns: Column<VmStanding>[] = [
    { header: 'NAMESPACE/VM', cell: ({ namespace, name }) => `${namespace}/${name}` },
    {
      header: 'STATE',
      cell: ({ state }) => state,
      paint: ({ state }, text) => paint.outcome(COLOUR[state], text),
    },
    { header: 'REASON', cell: ({ reason }) => reason },
  ];
  const last = { header: 'WHY', cell: whyOf, width: options.width };
  return [
    ...tableLines({ columns, last, headers: true }, shown),
    ...(more > 0 ? [paint.dim(`… ${more} more (-o json lists them all)`)] : []),
  ];
}

function someOfEach(vms: readonly VmStanding[]): VmStanding[] {
  const seen = new Map<State, number>();
  return vms.filter(({ state }) => {
    const count = (seen.get(state) ?? 0) + 1;
    seen.set(state, count);
    return state === 'Stuck' || count <= SHOWN;
  });
}

/** The name stands in the first column already. */
function whyOf({ namespace, name, message }: VmStanding): string {
  const key = `${namespace}/${name} `;
  return message.startsWith(key) ? message.slice(key.length) : message;
}
