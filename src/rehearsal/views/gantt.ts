import { html, NOTHING, type Safe } from '../../forecast/views/html/escape.ts';
import { groupBy } from '../../kubevirt/group-by.ts';
import { compareText } from '../../kubevirt/order.ts';
import { counted } from '../../kubevirt/words.ts';
import type { MoveResult, OutageResult, RunResult, VmResult, WaitResult } from '../result.ts';
import { type Axis, axisTo, LABELS, round, ticks, WIDTH } from './axis.ts';
import { timeText } from './words.ts';

const ROW = 16;
const TOP = 20;
/** A page with more rows than this is slow to open. */
const MOST_ROWS = 600;
/** What is shorter can be seen all the same. */
const NARROWEST = 2;

/** A table of nodes, each with a bar chart of what happened to the VMs that began there, as far as something did. */
export function ganttOf(run: RunResult): Safe {
  const concerned = run.vms.filter(
    ({ moves, outages, waits }) => moves.length + outages.length + waits.length > 0,
  );
  if (concerned.length === 0) return NOTHING;
  const axis = axisTo(concerned.reduce((last, vm) => Math.max(last, lastSecond(vm)), run.seconds));
  const shown = concerned.slice(0, MOST_ROWS);
  const more = concerned.length - shown.length;
  return html`<section><h2>VMs over time <small>by the node that they began on</small></h2>
<ul class="legend kinds"><li><span class="swatch waiting"></span><b></b><span>waits for its copy</span></li><li><span class="swatch move"></span><b></b><span>moves</span></li><li><span class="swatch failed"></span><b></b><span>a move that failed</span></li><li><span class="swatch outage"></span><b></b><span>without a guest, until it is back, or with one that stands still</span></li><li><span class="swatch gone"></span><b></b><span>without a guest to the end</span></li></ul>
${[...byNode(shown)].map(([node, vms]) => nodeChart(node, vms, axis))}${more > 0 ? html`<p>… and ${counted(more, 'VM')} more.</p>` : NOTHING}</section>`;
}

function byNode(vms: readonly VmResult[]): [string, VmResult[]][] {
  return [...groupBy(vms, ({ fromNode = '' }) => fromNode)].sort(([a], [b]) => compareText(a, b));
}

function nodeChart(node: string, vms: readonly VmResult[], axis: Axis): Safe {
  const height = TOP + vms.length * ROW;
  return html`<h3>${node || 'on no node'} <small>${counted(vms.length, 'VM')}</small></h3>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Moves and outages of the VMs on ${node}">
${ticks(axis, height)}${vms.map((vm, i) => vmRow(vm, TOP + i * ROW, axis))}</svg>
`;
}

function vmRow(vm: VmResult, y: number, axis: Axis): Safe {
  const short = vm.name.length > 28 ? `…${vm.name.slice(-27)}` : vm.name;
  return html`<g><title>${vm.name}: ${vm.outcome}${vm.toNode === undefined ? '' : `, ${timeText(vm.downtimeSeconds)} down`}</title><text class="vm" x="${LABELS - 8}" y="${y + ROW / 2}">${short}</text>${vm.waits.map((wait) => waitBar(vm, wait, y, axis))}${vm.moves.map((move) => moveBar(vm, move, y, axis))}${vm.outages.map((outage) => outageBar(vm, outage, y, axis))}</g>
`;
}

function lastSecond({ endSeconds = 0, waits }: VmResult): number {
  const { fromSeconds = 0, untilSeconds = fromSeconds } = waits.at(-1) ?? {};
  return Math.max(endSeconds, untilSeconds);
}

function waitBar({ name }: VmResult, { fromSeconds, untilSeconds }: WaitResult, y: number, axis: Axis): Safe {
  const until = untilSeconds === undefined ? 'to the end' : `to ${timeText(untilSeconds)}`;
  const says = `${name}: has a migration and waits for its copy, ${timeText(fromSeconds)} ${until}`;
  return bar('waiting', fromSeconds, untilSeconds ?? axis.endSeconds, says, y, axis);
}

function moveBar({ name }: VmResult, move: MoveResult, y: number, axis: Axis): Safe {
  const { startSeconds, endSeconds = axis.endSeconds, failed, from, to, stoppedSeconds } = move;
  const says = `${name}: ${from} → ${to}, ${timeText(startSeconds)} to ${timeText(endSeconds)}${failed === undefined ? '' : `, failed: ${failed}`}`;
  const moves = bar(failed === undefined ? 'move' : 'failed', startSeconds, endSeconds, says, y, axis);
  if (stoppedSeconds === undefined) return moves;
  const stands = `${name}: stands still from ${timeText(stoppedSeconds)} to ${timeText(endSeconds)}, so that its copy ends`;
  return html`${moves}${bar('outage', stoppedSeconds, endSeconds, stands, y, axis)}`;
}

function outageBar(
  { name, outcome }: VmResult,
  { downSeconds, upSeconds, how }: OutageResult,
  y: number,
  axis: Axis,
): Safe {
  const open = outcome === 'Restarts' ? 'and is not back' : 'and stays off';
  const until = upSeconds === undefined ? open : `back at ${timeText(upSeconds)}`;
  const says = `${name}: ${how} at ${timeText(downSeconds)}, ${until}`;
  return bar(
    upSeconds === undefined ? 'gone' : 'outage',
    downSeconds,
    upSeconds ?? axis.endSeconds,
    says,
    y,
    axis,
  );
}

function bar(kind: string, start: number, end: number, says: string, y: number, { x }: Axis): Safe {
  const width = Math.max(NARROWEST, round(x(end) - x(start)));
  return html`<rect class="${kind}" x="${x(start)}" y="${y + 2}" width="${width}" height="${ROW - 4}"><title>${says}</title></rect>`;
}
