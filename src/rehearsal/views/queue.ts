import { html, NOTHING, type Safe } from '../../forecast/views/html/escape.ts';
import type { QueuePoint, RunResult } from '../result.ts';
import { type Axis, axisTo, LABELS, round, ticks, WIDTH } from './axis.ts';
import { timeText } from './words.ts';

const TOP = 20;
const HEIGHT = 140;
/** More points than this make no difference to the eye. */
const MOST_POINTS = 1500;

/** Migrations that wait and those under way, over time, one on top of the other. */
export function queueOf({ queue, seconds, mostWaiting, mostUnderWay }: RunResult): Safe {
  if (queue.length === 0) return NOTHING;
  const axis = axisTo(Math.max(seconds, queue.at(-1)?.seconds ?? 0));
  const points = thinned(queue);
  const most = Math.max(1, ...points.map(({ waiting, underWay }) => waiting + underWay));
  const y = (count: number): number => round(HEIGHT - (count / most) * (HEIGHT - TOP));
  return html`<section><h2>Migrations over time <small>at most ${mostUnderWay} under way, ${mostWaiting} waiting</small></h2>
<ul class="legend kinds"><li><span class="swatch underway"></span><b></b><span>under way</span></li><li><span class="swatch waiting"></span><b></b><span>waiting for a place</span></li></ul>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 4}" role="img" aria-label="Migrations that wait and that are under way, over time">
${ticks(axis, HEIGHT)}<text class="vm" x="${LABELS - 8}" y="${TOP + 4}">${most}</text><text class="vm" x="${LABELS - 8}" y="${HEIGHT - 2}">0</text>
<path class="waiting" d="${stepsOf(points, axis, y, ({ waiting, underWay }) => waiting + underWay)}"/><path class="underway" d="${stepsOf(points, axis, y, ({ underWay }) => underWay)}"/>
${points.map((point, i) => hover(point, points[i + 1]?.seconds ?? axis.endSeconds, axis))}</svg></section>`;
}

/** The highest of its neighbours stands for them. */
function thinned(queue: readonly QueuePoint[]): readonly QueuePoint[] {
  const step = Math.ceil(queue.length / MOST_POINTS);
  if (step === 1) return queue;
  return Array.from({ length: Math.ceil(queue.length / step) }, (_, i) =>
    queue
      .slice(i * step, (i + 1) * step)
      .reduce((high, point) =>
        point.waiting + point.underWay > high.waiting + high.underWay ? point : high,
      ),
  );
}

function stepsOf(
  points: readonly QueuePoint[],
  { x, endSeconds }: Axis,
  y: (count: number) => number,
  of: (point: QueuePoint) => number,
): string {
  const steps = points.map((point) => `H${x(point.seconds)}V${y(of(point))}`);
  return `M${x(0)} ${y(0)}${steps.join('')}H${x(endSeconds)}V${y(0)}Z`;
}

function hover({ seconds, waiting, underWay }: QueuePoint, until: number, { x }: Axis): Safe {
  const says = `${timeText(seconds)}: ${underWay} under way, ${waiting} waiting`;
  return html`<rect class="hover" x="${x(seconds)}" y="${TOP}" width="${Math.max(1, round(x(until) - x(seconds)))}" height="${HEIGHT - TOP}"><title>${says}</title></rect>
`;
}
