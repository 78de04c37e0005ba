/** What `kubectl drain` prints, line by line: kubectl v0.37 pkg/cmd/drain/drain.go, pkg/drain/drain.go; recorded of 1.32. */
import type { Pod } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { formatDuration } from '../../kubevirt/time.ts';
import type { DrainClient, DrainFlags } from './clients.ts';
import { type SelectedPod, tellErrors, tellWarnings } from './select.ts';

type DryRun = DrainFlags['dryRun'];

const DRY_RUN_MARK: Readonly<Record<DryRun, string>> = {
  none: '',
  client: ' (dry run)',
  server: ' (server dry run)',
};

/** Of a node that there is not; nothing is done to the others then. */
export function tellNoNode(node: string): string {
  return `Error from server (NotFound): nodes ${JSON.stringify(node)} not found`;
}

export function tellCordon(node: string, wasCordoned: boolean, dryRun: DryRun): string {
  return `node/${node} ${wasCordoned ? 'already cordoned' : `cordoned${DRY_RUN_MARK[dryRun]}`}`;
}

export function tellDrained(node: string, dryRun: DryRun): string {
  return `node/${node} drained${DRY_RUN_MARK[dryRun]}`;
}

export function tellEvicting(pod: Pod, dryRun: DryRun): string {
  return `evicting pod ${keyOf(pod)}${DRY_RUN_MARK[dryRun]}`;
}

/** Once a pod that was waited for is gone. */
export function tellGone(pod: Pod, { flags }: DrainClient): string {
  return `pod/${pod.metadata.name} ${flags.disableEviction ? 'deleted' : 'evicted'}`;
}

/** For a pod that was accepted and is still there when the time is up. */
export function tellWaitedInVain({ timeoutSeconds = 0 }: DrainClient, pod: Pod): string {
  const { name, namespace } = pod.metadata;
  const limit = formatDuration(timeoutSeconds);
  return `error when waiting for pod ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace ?? '')} to terminate: global timeout reached: ${limit}`;
}

/** Several errors in one text, each once, as Go's aggregates print them. */
export function tellAggregate(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? `${unique[0]}` : `[${unique.join(', ')}]`;
}

/** The filters' errors, and their warnings as kubectl shows them; no warnings, no line. */
export function tellSelection(pods: readonly SelectedPod[]): {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
} {
  const warnings = tellWarnings(pods);
  return { errors: tellErrors(pods), warnings: warnings === '' ? [] : [`Warning: ${warnings}`] };
}

/** After a failure on a node: what is still to be evicted there. */
export function tellPendingPods(node: string, errors: readonly string[], pods: readonly Pod[]): string[] {
  if (pods.length === 0) return [];
  const heading = `There are pending pods in node ${JSON.stringify(node)} when an error occurred: ${tellAggregate(errors)}`;
  return [heading, ...pods.map(({ metadata }) => `pod/${metadata.name}`)];
}

export function tellNodeFailed(node: string, errors: readonly string[]): string {
  return `error: unable to drain node ${JSON.stringify(node)} due to error: ${tellAggregate(errors)}, continuing command...`;
}

/** The end of a drain that failed on some nodes. `errors` are those of each of them. */
export function tellFailure(nodes: readonly string[], errors: readonly (readonly string[])[]): string[] {
  if (nodes.length === 0) return [];
  const told = [...new Set(errors.flat())];
  return ['There are pending nodes to be drained:', ...nodes.map((node) => ` ${node}`), ...told];
}
