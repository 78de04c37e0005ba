import type { Evidence } from '../../decide/rules.ts';
import { counted } from '../../kubevirt/words.ts';
import type { EvictionAnswer } from '../forecast.ts';

/** `Agrees`: the cluster answers as foretold, and nothing changed. `Differs`: it does not. `Unknown`: it cannot be told. */
export const CHECK_RESULTS = ['Differs', 'Unknown', 'Agrees'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** What came of one launcher pod. */
export interface CheckedPod {
  readonly namespace: string;
  readonly pod: string;
  /** The VM that it runs, by its name. */
  readonly vm: string;
  readonly node?: string | undefined;
  readonly result: CheckResult;
  /** Stable CamelCase. */
  readonly reason: string;
  /** One sentence that a person understands. */
  readonly message: string;
  /** What Drover expects, and the reason of the decision that it rests on. */
  readonly expected?: (EvictionAnswer & { readonly reason: string }) | undefined;
  /** What the cluster answered; no code where no answer came. */
  readonly answered?: { readonly code?: number | undefined; readonly message: string } | undefined;
  /** What the expectation rests on. */
  readonly evidence: readonly Evidence[];
}

export interface CheckReport {
  readonly apiVersion: 'drover.dev/v1alpha1';
  readonly kind: 'CheckReport';
  readonly spec: {
    readonly kubevirtVersion: string;
    /** Whose behaviour is expected. */
    readonly behavior: string;
  };
  readonly status: {
    /** The answer in one sentence. */
    readonly summary: string;
    readonly counts: Readonly<Record<CheckResult, number>>;
    /** By namespace and name of the pod. */
    readonly pods: readonly CheckedPod[];
    /** Pods that were gone when their turn came, `namespace/name`. */
    readonly gone: readonly string[];
  };
}

/** The report on pods in their order. */
export function reportOf(
  spec: CheckReport['spec'],
  pods: readonly CheckedPod[],
  gone: readonly string[],
): CheckReport {
  const count = (result: CheckResult): number => pods.filter((pod) => pod.result === result).length;
  const counts = { Differs: count('Differs'), Unknown: count('Unknown'), Agrees: count('Agrees') };
  const status = { summary: summaryOf(counts), counts, pods, gone };
  return { apiVersion: 'drover.dev/v1alpha1', kind: 'CheckReport', spec, status };
}

function summaryOf({ Differs, Unknown, Agrees }: CheckReport['status']['counts']): string {
  const all = counted(Differs + Unknown + Agrees, 'launcher pod');
  const rest = Unknown > 0 ? ` ${counted(Unknown, 'pod')} could not be judged.` : '';
  if (Differs > 0) return `The cluster does not do as foretold with ${Differs} of ${all}.${rest}`;
  if (Agrees > 0)
    return `The cluster answers an eviction of ${counted(Agrees, 'launcher pod')} as foretold, and nothing changed.${rest}`;
  return Unknown > 0 ? `None of ${all} could be judged.` : 'There is no launcher pod to ask about.';
}
