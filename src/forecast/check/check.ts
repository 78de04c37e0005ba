import type { Clock, EvictionCall } from '../../controllers/ports.ts';
import type { ApiResult } from '../../decide/api-result.ts';
import { foundIn, isMissing, type Lookup } from '../../decide/eviction/lookup.ts';
import { decide } from '../../decide/rules.ts';
import { formatVersion } from '../../decide/versions.ts';
import type { Fleet, Kind, KindMap } from '../../fleet/fleet.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { isLauncherPod, isPodFinished, keyOf } from '../../kubevirt/predicates.ts';
import { type Context, contextOf, type ForecastOptions } from '../context.ts';
import { isInScope } from '../scope.ts';
import { type Comparison, codeOf, comparisonTable, messageOf, type Pair } from './compare.ts';
import { type Expectation, expectationFor, nameOfVm } from './expected.ts';
import { inPace, type Pace } from './pace.ts';
import { type CheckedPod, type CheckReport, reportOf } from './report.ts';

/** What a check needs of the real cluster. */
export interface CheckCluster {
  get<K extends Kind>(kind: K, key: string): Promise<Lookup<KindMap[K]>>;
  evict(call: EvictionCall): Promise<ApiResult>;
}

export interface CheckOptions extends Omit<ForecastOptions, 'now'>, Pace {
  readonly clock: Clock;
  /** Called after each pod with how many are done, of how many. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

/** A pod that was gone when its turn came. */
interface Gone {
  readonly gone: string;
}

/**
 * Asks the real cluster about an eviction of every active launcher pod in scope, as a dry run, and compares the answer with
 * what is foretold from the live objects.
 *
 * Promise: nothing is changed; the fleet, which says which pods there are, gets the fresh objects. A pod and its VMI are read
 * right before and after. An answer that differs is tried for a second time, with everything read anew, since things move:
 * only what differs twice is told.
 */
export async function checkEvictions(
  fleet: Fleet,
  cluster: CheckCluster,
  options: CheckOptions,
): Promise<CheckReport> {
  const context = contextOf(fleet, { ...options, now: options.clock.now() });
  const check = new Check(context, cluster, options.clock);
  const pods = podsInScope(context);
  let done = 0;
  const tried = await inPace(
    pods,
    async (pod) => {
      const one = await check.pod(keyOf(pod));
      options.onProgress?.(++done, pods.length);
      return one;
    },
    options.clock,
    options,
  );
  return reportOf(
    { kubevirtVersion: formatVersion(context.settings.version), behavior: context.behavior },
    tried.flatMap((one) => ('gone' in one ? [] : one)),
    tried.flatMap((one) => ('gone' in one ? one.gone : [])),
  );
}

/** By namespace and name. A launcher without a VMI has no labels to be selected by. */
function podsInScope({ fleet, scope }: Context): Pod[] {
  const isAsked = (pod: Pod): boolean => {
    const vmi = fleet.vmiOfLauncher(pod);
    const { namespace, name } = pod.metadata;
    return isInScope(fleet, scope, vmi ?? { metadata: { namespace, name } });
  };
  return [...fleet.all('Pod')]
    .filter((pod) => isLauncherPod(pod) && !isPodFinished(pod) && isAsked(pod))
    .sort(byKey);
}

interface Fresh extends Pair {
  readonly pod: Pod;
}

/** Reasons that a second try could not undo: by then the change would look as if it had been there beforehand. */
const CHANGED: ReadonlySet<string> = new Set(['MarkAppeared', 'PodChanged']);

class Check {
  readonly #context: Context;
  readonly #cluster: CheckCluster;
  readonly #clock: Clock;

  constructor(context: Context, cluster: CheckCluster, clock: Clock) {
    this.#context = context;
    this.#cluster = cluster;
    this.#clock = clock;
  }

  async pod(key: string): Promise<CheckedPod | Gone> {
    const first = await this.#try(key);
    if ('gone' in first || first.result !== 'Differs' || CHANGED.has(first.reason)) return first;
    await this.#readBudgets(first.namespace);
    return this.#try(key);
  }

  async #try(key: string): Promise<CheckedPod | Gone> {
    const before = await this.#read(key);
    if (before === 'gone') return { gone: key };
    if ('problem' in before) return notReadable(key, before.problem);
    const { pod } = before;
    const expected = expectationFor({ ...this.#context, now: this.#clock.now() }, pod);
    const answered = await this.#cluster.evict(dryRunOf(pod));
    const after = await this.#read(key);
    if (after !== 'gone' && 'problem' in after) return notReadable(key, after.problem);
    if (after === 'gone' && codeOf(answered) === 404) return { gone: key };
    const then = after === 'gone' ? { pod: undefined, vmi: undefined } : after;
    return checked(pod, { expected, answered, before, after: then });
  }

  /** The pod and its VMI as they are now; the fleet gets them too. */
  async #read(key: string): Promise<Fresh | 'gone' | { readonly problem: string }> {
    const pod = await this.#fetch('Pod', key);
    if ('missing' in pod) return 'gone';
    if ('error' in pod) return { problem: pod.error };
    const vmiKey = `${pod.found.metadata.namespace}/${nameOfVm(pod.found)}`;
    const vmi = await this.#fetch('VirtualMachineInstance', vmiKey);
    return 'error' in vmi ? { problem: vmi.error } : { pod: pod.found, vmi: foundIn(vmi) };
  }

  async #readBudgets(namespace: string): Promise<void> {
    const budgets = this.#context.fleet.budgetsIn(namespace).map(keyOf);
    await Promise.all(budgets.map((key) => this.#fetch('PodDisruptionBudget', key)));
  }

  async #fetch<K extends Kind>(kind: K, key: string): Promise<Lookup<KindMap[K]>> {
    const lookup = await this.#cluster.get(kind, key);
    const found = foundIn(lookup);
    if (found) this.#context.fleet.apply(kind, found);
    else if (isMissing(lookup)) this.#context.fleet.remove(kind, key);
    return lookup;
  }
}

/** Says twice that it is a dry run: whatever lies on the way to the API server may lose one. */
function dryRunOf(pod: Pod): EvictionCall {
  const { namespace = '', name } = pod.metadata;
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { namespace, name },
    deleteOptions: { dryRun: ['All'] },
  };
  return { namespace, pod: name, body, dryRun: true };
}

function checked(pod: Pod, comparison: Comparison): CheckedPod {
  const { result, reason, evidence } = decide(comparisonTable, comparison);
  const { expected, answered } = comparison;
  return {
    ...naming(pod),
    result: result.result,
    reason,
    message: result.message,
    expected: answerOf(expected),
    answered: { code: codeOf(answered), message: messageOf(answered) },
    evidence,
  };
}

function answerOf(expected: Expectation): CheckedPod['expected'] {
  return 'answer' in expected ? { ...expected.answer, reason: expected.reason } : undefined;
}

function naming(pod: Pod): Pick<CheckedPod, 'namespace' | 'pod' | 'vm' | 'node'> {
  const { namespace = '', name } = pod.metadata;
  return { namespace, pod: name, vm: nameOfVm(pod), node: pod.spec?.nodeName };
}

function notReadable(key: string, problem: string): CheckedPod {
  const [namespace = '', pod = ''] = key.split('/');
  const message = `the pod or its VMI cannot be read: ${problem}`;
  return { namespace, pod, vm: '', result: 'Unknown', reason: 'NotReadable', message, evidence: [] };
}
