import { html, NOTHING, type Safe } from './escape.ts';

/** A part of a bar. The page's style has a colour of that name. */
export interface Part {
  readonly name: string;
  readonly count: number;
  /** The part in words, for a tooltip and for those who do not see it: `2 Restarts`. */
  readonly says: string;
}

export interface Segment extends Part {
  /** Percent of the bar. */
  readonly start: number;
  readonly width: number;
}

/** Light colours that take dark letters. */
const DARK_LETTERS: ReadonlySet<string> = new Set([
  'Restarts',
  'MayStayOff',
  'Deferred',
  'Untouched',
  'warning',
]);
/** A count is written where its segment has at least this share, in percent. */
const LABEL_FROM = 4;
/** So that one VM among thousands is still seen, in percent. */
const NARROWEST = 1.2;

/** One bar, cut into parts in the order given; parts of nothing are left out. */
export function stackedBar(parts: readonly Part[], height: number, labels: boolean): Safe {
  const segments = segmentsOf(parts);
  const words = segments.map(({ says }) => says).join(', ');
  return html`<svg role="img" aria-label="${words}" width="100%" height="${height}">${segments.map((segment) => bar(segment, height, labels))}</svg>`;
}

/** The class of letters that are written onto this colour. */
export function lettersOn(name: string): string {
  return DARK_LETTERS.has(name) ? 'seg-label dark-label' : 'seg-label';
}

function bar({ name, count, says, start, width }: Segment, height: number, labels: boolean): Safe {
  const percent = (value: number): string => `${value.toFixed(3)}%`;
  const label =
    labels && width >= LABEL_FROM
      ? html`<text class="${lettersOn(name)}" x="${percent(start + width / 2)}" y="50%">${count}</text>`
      : NOTHING;
  return html`<rect class="seg" x="${percent(start)}" y="0" width="${percent(width)}" height="${height}" rx="4" fill="var(--${name})"><title>${says}</title></rect>${label}`;
}

/** Shares in percent that add up to 100; none is narrower than `NARROWEST`, the wide ones give way. */
export function segmentsOf(parts: readonly Part[]): Segment[] {
  const present = parts.filter(({ count }) => count > 0);
  const total = present.reduce((sum, { count }) => sum + count, 0);
  const shares = present.map(({ count }) => Math.max(NARROWEST, (count / total) * 100));
  const scale = 100 / shares.reduce((sum, share) => sum + share, 0);
  let start = 0;
  return present.map((part, index) => {
    const width = (shares[index] ?? 0) * scale;
    const segment = { ...part, start, width };
    start += width;
    return segment;
  });
}
