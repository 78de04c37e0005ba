/** Maintenance rounds in a few words. */
import type { RoundInput, RoundNode, RoundVm } from './round.ts';

const memory = (amount: number) => new Map([['memory', amount]]);

interface Sketch {
  /** Amounts of memory by node; with `!` behind the name: not part of the round. */
  readonly nodes: Readonly<Record<string, number>>;
  /** `name@node`: how much it asks for. */
  readonly vms: Readonly<Record<string, number>>;
  readonly change?: Readonly<Record<string, Partial<RoundVm>>>;
}

export function inputOf({ nodes, vms, change = {} }: Sketch): RoundInput {
  const names = Object.keys(nodes).map((name) => name.replace('!', ''));
  const placed = Object.entries(vms).map(([place, asks]): RoundVm => {
    const [key = '', node = ''] = place.split('@');
    const plain = { key, node, requests: memory(asks), mayGoTo: new Set(names), apart: [] };
    return { ...plain, fate: 'Goes', ...change[key] };
  });
  const loadOn = (name: string) =>
    placed
      .filter(({ node }) => node === name)
      .reduce((sum, { requests }) => sum + (requests.get('memory') ?? 0), 0);
  const listed = Object.entries(nodes).map(([marked, amount]): RoundNode => {
    const name = marked.replace('!', '');
    return {
      name,
      isDue: !marked.endsWith('!'),
      allocatable: memory(amount),
      load: memory(loadOn(name)),
    };
  });
  return { nodes: listed, vms: placed };
}
