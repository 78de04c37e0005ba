import { formatDuration } from '../kubevirt/time.ts';
import { ScenarioError } from '../scenario/errors.ts';
import type { Scenario } from '../scenario/schema.ts';
import { ACTION_NAMES, type ActionName, type TimelineEntry } from '../scenario/timeline-schema.ts';
import type { RunResult, VmResult } from './result.ts';

/** One action in the words of the recorded histories. */
interface Action {
  readonly t: number;
  readonly action: string;
  readonly [detail: string]: unknown;
}

/** The actions that a recorded history knows, and what it calls them. */
const ACTIONS: { readonly [Name in ActionName]?: (entry: TimelineEntry) => Omit<Action, 't'> | undefined } = {
  upgrade: ({ upgrade }) => ({ action: 'upgrade', ...upgrade }),
  launcherImage: ({ launcherImage }) => ({ action: 'virt-controller', launcherImage }),
  drain: ({ drain }) =>
    drain?.client === 'kubectl'
      ? { action: 'drain', node: drain.node, timeout: drain.timeout ?? 0 }
      : undefined,
  uncordon: ({ uncordon }) => ({ action: 'uncordon', node: uncordon }),
  config: ({ config }) => ({ action: 'kubevirt', spec: config }),
  edit: ({ edit }) => ({ action: 'edit', ...edit }),
  start: ({ start }) => ({ action: 'start', vm: start }),
};

/** What a recording of a run says besides its changes. An action that no history knows is a `ScenarioError`. */
export function factsOf({ cluster, timeline, settings, guests }: Scenario, { vms }: RunResult) {
  return {
    namespace: cluster.namespace ?? 'default',
    timeline: timeline.map(actionOf),
    outcomes: Object.fromEntries(vms.map((vm) => [vm.name.slice(vm.name.indexOf('/') + 1), happened(vm)])),
    world: { settings, guests },
  };
}

function actionOf(entry: TimelineEntry): Action {
  const name = ACTION_NAMES.find((action) => entry[action] !== undefined);
  const action = name && ACTIONS[name]?.(entry);
  if (action) return { t: entry.at, ...action } as Action;
  throw new ScenarioError(
    'RunNotRecordable',
    `no history knows what is done at ${formatDuration(entry.at)}: ${name}`,
  );
}

function happened({ outcome, moves, restarts, toNode }: VmResult) {
  const moved = moves.some(({ endSeconds, failed }) => endSeconds !== undefined && failed === undefined);
  const stays = toNode === undefined ? 'StoppedAndStayedOff' : moved ? 'LiveMigrated' : 'StayedWhereItWas';
  return {
    what: restarts > 0 && toNode !== undefined ? 'Restarted' : stays,
    forecast: [outcome],
    moves: moves.length,
    restarts,
  };
}
