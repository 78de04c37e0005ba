import { nameIn } from '../kubevirt/object-key.ts';
import type { Scenario } from '../scenario/schema.ts';
import { type ActionName, actionIn, type TimelineEntry } from '../scenario/timeline-schema.ts';
import type { Beginning } from './beginning/prepare.ts';
import { movesOf, type RunResult, type VmResult } from './result.ts';

/** One action in the words of the recorded histories. */
interface Action {
  readonly t: number;
  readonly action: string;
  readonly [detail: string]: unknown;
}

/** What was played, beside the objects of the dump: enough to play it again. */
export interface PlayedRun {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly startAt: number;
  readonly launcherImage: string;
}

/** The actions that recorded histories have words of their own for; of others the name stays. */
const ACTIONS: { readonly [Name in ActionName]?: (entry: TimelineEntry) => Omit<Action, 't'> } = {
  launcherImage: ({ launcherImage }) => ({ action: 'virt-controller', launcherImage }),
  drain: ({ drain }) => ({ action: 'drain', ...drain }),
  uncordon: ({ uncordon }) => ({ action: 'uncordon', node: uncordon }),
  config: ({ config }) => ({ action: 'kubevirt', spec: config }),
  edit: ({ edit }) => ({ action: 'edit', ...edit }),
  start: ({ start }) => ({ action: 'start', vm: start }),
};

/** What a recording of a run says besides its changes. */
export function factsOf(
  scenario: Scenario,
  { startAt, launcherImage }: Beginning,
  { vms, seed }: RunResult,
): {
  readonly timeline: readonly Action[];
  readonly outcomes: Readonly<Record<string, unknown>>;
  readonly drover: PlayedRun;
} {
  // The cluster is in the dump.
  const played = { ...scenario, cluster: { namespace: scenario.cluster.namespace, nodes: [], vms: [] } };
  return {
    timeline: scenario.timeline.map(actionOf),
    outcomes: Object.fromEntries(vms.map((vm) => [nameIn(vm.name), happened(vm)])),
    drover: { scenario: played, seed, startAt, launcherImage },
  };
}

function actionOf(entry: TimelineEntry): Action {
  const name = actionIn(entry);
  const action = ACTIONS[name]?.(entry) ?? { action: name, what: entry[name] };
  return { t: entry.at, ...action } as Action;
}

function happened(vm: VmResult) {
  const { outcome, restarts, fromNode, toNode } = vm;
  const moves = movesOf(vm);
  const stayed = moves > 0 ? 'LiveMigrated' : 'StayedWhereItWas';
  const restarted = restarts > 0 ? 'Restarted' : stayed;
  return {
    ...{ nodeBefore: fromNode, nodeAfter: toNode, moves, restarts },
    happened: toNode === undefined && fromNode !== undefined ? 'StoppedAndStayedOff' : restarted,
    forecast: [outcome],
  };
}
