import { describedNode } from '../../../scenario/cluster.ts';
import type { ScenarioVm } from '../../../scenario/schema.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

/** VMs that keep apart or together, want a kind of node, or bear a taint. */
export function neighbours(draws: Draws, trial: Trial): Trial {
  const nodes = trial.cluster.nodes.map((node, index) => {
    return {
      ...describedNode(node),
      labels: { zone: index % 2 === 0 ? 'a' : 'b', disk: draws.pick('ssd', 'ssd', 'hdd') },
    };
  });
  const vms = trial.cluster.vms.map((vm) => ({ ...vm, ...drawPlacement(draws, vm) }));
  return { ...trial, cluster: { ...trial.cluster, nodes, vms } };
}

type Placement = Readonly<Record<string, unknown>>;

const TOLERATIONS: readonly [Placement, ...Placement[]] = [
  { key: 'dedicated', operator: 'Equal', value: 'db', effect: 'NoSchedule' },
  { operator: 'Exists' },
];

function drawPlacement(draws: Draws, { labels, hotplugged }: ScenarioVm): Partial<ScenarioVm> {
  const affinity = draws.percent(60) ? drawAffinity(draws) : undefined;
  return {
    ...(affinity && { affinity }),
    // Who attaches volumes beside a target tolerates less than it may.
    ...(draws.percent(25) && !hotplugged && { tolerations: [draws.pick<Placement>(...TOLERATIONS)] }),
    ...(labels && draws.percent(20) && { topologySpreadConstraints: [drawSpread(draws, labels)] }),
  };
}

function drawAffinity(draws: Draws): Placement {
  const term = {
    labelSelector: { matchLabels: { pool: draws.pick('web', 'db') } },
    topologyKey: draws.pick('kubernetes.io/hostname', 'kubernetes.io/hostname', 'zone'),
  };
  const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const values = draws.pick(['ssd'], ['hdd'], ['ssd', 'hdd']);
  const wanted = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values }] }] };
  return draws.pick<Placement>(
    { podAntiAffinity: required },
    { podAntiAffinity: required },
    { podAffinity: required },
    { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: wanted } },
  );
}

function drawSpread(draws: Draws, matchLabels: Readonly<Record<string, string>>): Placement {
  const whenUnsatisfiable = draws.pick('DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway');
  const topologyKey = draws.pick('kubernetes.io/hostname', 'zone');
  return { maxSkew: draws.pick(1, 1, 2), topologyKey, whenUnsatisfiable, labelSelector: { matchLabels } };
}
