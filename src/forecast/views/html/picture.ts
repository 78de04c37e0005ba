import { OUTCOMES, type Outcome, type VmVerdict } from '../../forecast.ts';
import { isCalm, severityRank } from '../severity.ts';
import { html, NOTHING, type Safe } from './escape.ts';

type Counts = ReadonlyMap<Outcome, number>;

/** Light colours that take dark letters. */
const DARK_LETTERS: ReadonlySet<Outcome> = new Set(['Restarts', 'MayStayOff', 'Deferred', 'Untouched']);
/** A count is written where its segment has at least this share, in percent. */
const LABEL_FROM = 4;
/** So that one VM among thousands is still seen, in percent. */
const NARROWEST = 1.2;
const MOST_NODES = 40;

interface Segment {
  readonly outcome: Outcome;
  readonly count: number;
  /** Percent of the bar. */
  readonly start: number;
  readonly width: number;
}

/** One bar, cut into outcomes, worst first. Its words stand in the label for those who do not see it. */
export function stackedBar(counts: Counts, height: number, labels: boolean): Safe {
  const segments = segmentsOf(counts);
  const words = segments.map(({ outcome, count }) => `${count} ${outcome}`).join(', ');
  return html`<svg role="img" aria-label="${words}" width="100%" height="${height}">${segments.map((segment) => bar(segment, height, labels))}</svg>`;
}

function bar({ outcome, count, start, width }: Segment, height: number, labels: boolean): Safe {
  const percent = (value: number): string => `${value.toFixed(3)}%`;
  const letters = DARK_LETTERS.has(outcome) ? 'seg-label dark-label' : 'seg-label';
  const label =
    labels && width >= LABEL_FROM
      ? html`<text class="${letters}" x="${percent(start + width / 2)}" y="50%">${count}</text>`
      : NOTHING;
  return html`<rect class="seg" x="${percent(start)}" y="0" width="${percent(width)}" height="${height}" rx="4" fill="var(--${outcome})"><title>${count} ${outcome}</title></rect>${label}`;
}

/** Shares in percent that add up to 100; none is narrower than `NARROWEST`, the wide ones give way. */
export function segmentsOf(counts: Counts): Segment[] {
  const present = OUTCOMES.filter((outcome) => (counts.get(outcome) ?? 0) > 0);
  const total = present.reduce((sum, outcome) => sum + (counts.get(outcome) ?? 0), 0);
  const shares = present.map((outcome) => Math.max(NARROWEST, ((counts.get(outcome) ?? 0) / total) * 100));
  const scale = 100 / shares.reduce((sum, share) => sum + share, 0);
  let start = 0;
  return present.map((outcome, index) => {
    const width = (shares[index] ?? 0) * scale;
    const segment = { outcome, count: counts.get(outcome) ?? 0, start, width };
    start += width;
    return segment;
  });
}

export interface NodeStrip {
  readonly node: string;
  readonly counts: Counts;
  readonly total: number;
}

/** VMs by the node that they run on, the node with the worst VM first; VMs on no node come last under an empty name. */
export function nodeStrips(vms: readonly VmVerdict[]): NodeStrip[] {
  const byNode = new Map<string, Map<Outcome, number>>();
  for (const { node = '', outcome } of vms) {
    const counts = byNode.get(node) ?? new Map<Outcome, number>();
    byNode.set(node, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
  }
  return [...byNode]
    .map(([node, counts]) => ({ node, counts, total: sum(counts) }))
    .sort((a, b) => byDistress(a, b) || (a.node < b.node ? -1 : 1));
}

function sum(counts: Counts): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function byDistress(a: NodeStrip, b: NodeStrip): number {
  const placed = Number(a.node === '') - Number(b.node === '');
  return placed || worstRank(a) - worstRank(b) || interrupted(b) - interrupted(a);
}

function worstRank({ counts }: NodeStrip): number {
  return Math.min(...[...counts.keys()].map(severityRank));
}

function interrupted({ counts }: NodeStrip): number {
  return [...counts].reduce((total, [outcome, count]) => total + (isCalm(outcome) ? 0 : count), 0);
}

/** A bar for each node, as long as its share of VMs, so that full nodes stand out. At most 40 nodes. */
export function nodePicture(vms: readonly VmVerdict[]): Safe {
  const strips = nodeStrips(vms);
  const shown = strips.slice(0, MOST_NODES);
  const most = Math.max(...shown.map(({ total }) => total));
  const more = strips.length - shown.length;
  return html`<table class="nodes"><tbody>${shown.map((strip) => stripRow(strip, most))}</tbody></table>
${more > 0 ? html`<p class="asked">… and ${more} more nodes, none worse than these.</p>` : NOTHING}`;
}

function stripRow({ node, counts, total }: NodeStrip, most: number): Safe {
  const share = ((total / most) * 100).toFixed(2);
  return html`<tr><th scope="row">${node === '' ? '(on no node)' : node}</th><td><div style="width:${share}%">${stackedBar(counts, 14, false)}</div></td><td>${total}</td></tr>
`;
}
