import { describedNode } from '../../../scenario/cluster.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

const PLAIN = { force: false, disableEviction: false } as const;

/** More nodes that the same kubectl drains, one after another, in any order, now and then with a limit of time. */
export function several(draws: Draws, trial: Trial): Trial {
  const client = trial.drain?.client ?? 'kubectl';
  if (client !== 'kubectl') return trial;
  const names = trial.cluster.nodes.map((node) => describedNode(node).name);
  const others = names.filter((name) => name !== 'n1' && draws.percent(60));
  const timeoutSeconds = draws.percent(50) ? draws.pick(60, 600) : trial.drain?.timeoutSeconds;
  const nodes = draws.percent(50) ? (['n1', ...others] as const) : ([...others, 'n1'] as [string]);
  return { ...trial, nodes, drain: { ...PLAIN, ...trial.drain, client, timeoutSeconds } };
}
