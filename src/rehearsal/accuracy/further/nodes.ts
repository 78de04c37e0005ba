import type { ScenarioNode } from '../../../scenario/schema.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

/** One more node, which would have room: few VMs may use it. */
export function nodes(draws: Draws, trial: Trial): Trial {
  const { cluster } = trial;
  const more = draws.pick<ScenarioNode>(...UNUSABLE);
  const drained = draws.percent(20) ? [DRAIN_TAINT] : [];
  const known = cluster.nodes.map((node) =>
    typeof node !== 'string' && node.name === 'n1'
      ? { ...node, taints: [...(node.taints ?? []), ...drained] }
      : node,
  );
  return { ...trial, cluster: { ...cluster, nodes: [...known, more] } };
}

/** By which nodes were given up before there was the API for evictions. */
const DRAIN_TAINT = { key: 'kubevirt.io/drain', effect: 'NoSchedule' };

const UNUSABLE: readonly [ScenarioNode, ...ScenarioNode[]] = [
  { name: 'n9', labels: { 'kubevirt.io/schedulable': 'false' } },
  { name: 'n9', labels: { 'kubernetes.io/arch': 'arm64' } },
  { name: 'n9', taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }] },
  { name: 'n9', taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }] },
  { name: 'n9', taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] },
  { name: 'n9', taints: [{ key: 'flavour', effect: 'PreferNoSchedule' }] },
];
