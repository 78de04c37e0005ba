import { html, type Safe } from '../../forecast/views/html/escape.ts';
import { timeText } from './words.ts';

/** Columns of the pictures, in their own units: names on the left, time on the right. */
export const LABELS = 190;
const TIME = 800;
export const WIDTH = LABELS + TIME + 10;

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
const MOST_TICKS = 10;

/** Seconds on the x axis. */
export interface Axis {
  readonly endSeconds: number;
  readonly x: (seconds: number) => number;
}

export function axisTo(seconds: number): Axis {
  const endSeconds = Math.max(1, seconds);
  const x = (at: number): number => round(LABELS + (Math.min(at, endSeconds) / endSeconds) * TIME);
  return { endSeconds, x };
}

/** A line and a time every so often, from the top to the bottom of a picture. */
export function ticks({ endSeconds, x }: Axis, height: number): Safe[] {
  const step = STEPS.find((seconds) => endSeconds / seconds <= MOST_TICKS) ?? endSeconds;
  const count = Math.floor(endSeconds / step);
  return Array.from({ length: count + 1 }, (_, i) => i * step).map(
    (
      at,
    ) => html`<line class="tick" x1="${x(at)}" x2="${x(at)}" y1="14" y2="${height}"/><text class="time" x="${x(at)}" y="10">${timeText(at)}</text>
`,
  );
}

/** Pictures need no more than a tenth of a unit. */
export function round(units: number): number {
  return Math.round(units * 10) / 10;
}
