import { DRAIN_CLIENTS } from '../../decide/drain/clients.ts';
import { editedSpec, parseEdit } from '../../decide/live-edit/edit.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { ForecastOptions } from '../../forecast/context.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import { changedKubevirt } from '../../forecast/plans/config/changed-kubevirt.ts';
import { planConfig } from '../../forecast/plans/config.ts';
import { planDrain } from '../../forecast/plans/drain.ts';
import { planEdit } from '../../forecast/plans/edit.ts';
import { planEvict } from '../../forecast/plans/evict.ts';
import { planUpgrade } from '../../forecast/plans/upgrade.ts';
import { DRAIN_DEFAULTS } from '../../forecast/questions.ts';
import { describedNode } from '../../scenario/cluster.ts';
import type { ScenarioCluster } from '../../scenario/schema.ts';
import { NEXT_LAUNCHER, type Trial, type TrialAction } from './trial.ts';

/** How an action is done, and how it is asked about. */
interface Action {
  /** Entries of a timeline. */
  readonly timeline: (trial: Trial) => object[];
  /** What of it stands from the beginning; absent: nothing. What is under way already would be quicker here than in life. */
  readonly begins?: (trial: Trial) => ScenarioCluster;
  readonly foretell: (trial: Trial, fleet: Fleet, options: ForecastOptions) => Forecast;
}

const AT = '1s';

export const TRIAL_ACTIONS: Readonly<Record<TrialAction, Action>> = {
  drain: {
    begins: withCordons,
    timeline: (trial) => [{ at: AT, drain: drainOf(trial) }],
    foretell: ({ drain, nodes }, fleet, options) =>
      planDrain(fleet, { ...DRAIN_DEFAULTS, ...drain, nodes }, options),
  },
  upgrade: {
    timeline: () => [{ at: AT, launcherImage: NEXT_LAUNCHER }],
    foretell: (_, fleet, options) => planUpgrade(fleet, { launcherImage: NEXT_LAUNCHER }, options),
  },
  evict: {
    timeline: ({ vms = [] }) => vms.map((evict) => ({ at: '0s', evict })),
    foretell: ({ vms = [] }, fleet, options) => planEvict(fleet, { vms }, options),
  },
  config: {
    begins: withCaps,
    timeline: ({ set = [] }) => [{ at: AT, config: changedKubevirt(NO_KUBEVIRT, { set }).spec }],
    foretell: ({ set = [] }, fleet, options) => planConfig(fleet, { set }, options),
  },
  edit: {
    timeline: ({ vms: [vm] = [], set = [] }) => [{ at: AT, edit: { vm, patch: patchOf(set) } }],
    foretell: ({ vms: [vm = ''] = [], set = [] }, fleet, options) => planEdit(fleet, { vm, set }, options),
  },
};

function drainOf({ nodes: [node, ...then], drain }: Trial): object {
  const { client, timeoutSeconds, gracePeriodSeconds, podSelector, force, disableEviction } = drain ?? {};
  const timeout = timeoutSeconds === undefined ? undefined : `${timeoutSeconds}s`;
  const flags = { force, disableEviction, podSelector: podSelector?.matchLabels };
  const onwards = then.length > 0 ? { then } : {};
  return { node, ...onwards, client, timeout, graceSeconds: gracePeriodSeconds, ...flags };
}

/** A drain begins with them. */
function withCordons({ cluster, nodes, drain }: Trial): ScenarioCluster {
  if (!DRAIN_CLIENTS[drain?.client ?? 'kubectl'].cordons) return cluster;
  const known = cluster.nodes.map(describedNode);
  const cordoned = known.map((node) => (nodes.includes(node.name) ? { ...node, unschedulable: true } : node));
  return { ...cluster, nodes: cordoned };
}

/** Caps of migrations that the change sets. */
function withCaps({ cluster, set = [] }: Trial): ScenarioCluster {
  const { kubevirt = {} } = cluster;
  const caps = changedKubevirt(NO_KUBEVIRT, { set }).spec?.configuration?.migrations ?? {};
  const { nodeDrainTaintKey: _, ...migrations } = caps;
  return { ...cluster, kubevirt: { ...kubevirt, migrations: { ...kubevirt.migrations, ...migrations } } };
}

/** A merge patch of it is the change alone. */
const NO_KUBEVIRT = { kind: 'KubeVirt', metadata: { name: 'kubevirt' } } as const;

/** A merge patch of the VM. */
function patchOf(set: NonNullable<Trial['set']>): object {
  const spec = set.reduce<ReturnType<typeof editedSpec>>((edited, { path, value }) => {
    const edit = parseEdit(`${path}=${value}`);
    if ('error' in edit) throw new Error(edit.error);
    return editedSpec(edited, edit);
  }, {});
  return { spec: { template: { spec } } };
}
