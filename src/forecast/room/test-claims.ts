import { PlacementWorld } from '../../decide/placement/world.ts';
import type { Node } from '../../kubevirt/objects.ts';
import type { Outcome } from '../forecast.ts';
import type { Claim, Claims } from './claims.ts';
import type { ClaimKind } from './kinds.ts';
import type { Manner } from './manner.ts';

export const NAMES = ['n1', 'n2', 'n3'] as const;

function worldOf(cpus: readonly number[]): PlacementWorld {
  const nodes = cpus.map((cpu, index): Node => {
    const name = NAMES[index] ?? `n${index + 1}`;
    return { kind: 'Node', metadata: { name }, status: { allocatable: { cpu } } };
  });
  return new PlacementWorld({ nodes, podsOn: () => [] });
}

export interface Drawn {
  readonly vm: string;
  readonly home: string;
  readonly manner?: Manner;
  readonly cpu: number;
  readonly nodes?: readonly string[];
  readonly outcome?: Outcome;
  readonly budget?: string;
  readonly mayReturn?: boolean;
}

/** Claims on nodes with so many CPUs; those of the same size and the same nodes are of one kind. */
export function claimsOn(cpus: readonly number[], drawn: readonly Drawn[]): Claims {
  const world = worldOf(cpus);
  const kinds = new Map<string, ClaimKind>();
  const all = drawn.map(
    ({ vm, home, manner = 'moves', cpu, nodes, outcome, budget, mayReturn = false }): Claim => {
      const open = (nodes ?? NAMES.slice(0, cpus.length)).filter(
        (node) => Number(cpus[NAMES.indexOf(node as 'n1')]) >= cpu,
      );
      const key = `${cpu} ${open.join()}`;
      const kind = kinds.get(key) ?? { amounts: new Map([['cpu', cpu * 1000]]), nodes: new Set(open) };
      kinds.set(key, kind);
      const told =
        outcome ?? ({ moves: 'LiveMigrates', restarts: 'Restarts', leaves: 'StaysOff' } as const)[manner];
      const ending = { outcome: told, budget: budget && { name: budget, allowed: 1 } };
      const pod = { kind: 'Pod', metadata: { name: vm } } as const;
      return { one: { ending } as Claim['one'], pod, vm, home, manner, kind, mayReturn };
    },
  );
  return { all, world };
}
