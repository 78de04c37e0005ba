import { compareText } from '../../../kubevirt/order.ts';
import { OUTCOMES, type Outcome, type VmVerdict } from '../../forecast.ts';
import { isCalm, severityRank } from '../severity.ts';
import { stackedBar } from './bar.ts';
import { html, NOTHING, type Safe } from './escape.ts';

type Counts = ReadonlyMap<Outcome, number>;

const MOST_NODES = 40;

/** One bar, cut into outcomes, worst first. */
export function outcomeBar(counts: Counts, height: number, labels: boolean): Safe {
  const parts = OUTCOMES.map((name) => {
    const count = counts.get(name) ?? 0;
    return { name, count, says: `${count} ${name}` };
  });
  return stackedBar(parts, height, labels);
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
    .sort((a, b) => byDistress(a, b) || compareText(a.node, b.node));
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
  return html`<tr><th scope="row">${node === '' ? '(on no node)' : node}</th><td><div style="width:${share}%">${outcomeBar(counts, 14, false)}</div></td><td>${total}</td></tr>
`;
}
