import { launcherEvictionTable } from '../../decide/eviction/launcher.ts';
import type { Lookup } from '../../decide/eviction/lookup.ts';
import { EVICTION_WEBHOOK, webhookDenied } from '../../decide/eviction/registration.ts';
import { GUARD_WEBHOOK, guardTable } from '../../decide/guard/guard.ts';
import { decide, type Evidence } from '../../decide/rules.ts';
import type { Kind, KindMap } from '../../fleet/fleet.ts';
import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { annotationOf, keyOf } from '../../kubevirt/predicates.ts';
import { askBudgets, askWebhook } from '../chains/eviction.ts';
import type { Context } from '../context.ts';
import type { EvictionAnswer } from '../forecast.ts';
import { Trail } from '../trail.ts';

/** What an eviction of a pod is expected to be answered, or what lacks to tell. */
export type Expectation = {
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  /** It is Drover's guard that refuses. */
  readonly byGuard?: boolean;
} & ({ readonly answer: EvictionAnswer } | { readonly missing: string });

const SUCCESS: EvictionAnswer = { code: 201, message: 'Success' };

/**
 * What the cluster answers to an eviction of a launcher pod as the context has it: the guard's word, then that of
 * KubeVirt's webhook, then that of the budgets. A dry run gets the same.
 */
export function expectationFor(context: Context, pod: Pod): Expectation {
  return byGuard(context, pod) ?? byKubevirt(context, pod);
}

/** Mutating webhooks, so the guard's, come before validating ones. Nothing where it has nothing to say. */
function byGuard(context: Context, pod: Pod): Expectation | undefined {
  const { namespace = '' } = pod.metadata;
  const vm = `${namespace}/${nameOfVm(pod)}`;
  const nodeName = pod.spec?.nodeName;
  const { result, reason, evidence } = decide(guardTable, {
    key: keyOf(pod),
    pod: { found: pod },
    now: context.now,
    around: {
      vm: held(context, 'VirtualMachine', vm),
      vmi: held(context, 'VirtualMachineInstance', vm),
      namespace: held(context, 'Namespace', namespace),
      node: nodeName === undefined ? undefined : held(context, 'Node', nodeName),
    },
  });
  if (result.refusal === undefined) return undefined;
  const answer = { code: 429, message: webhookDenied(GUARD_WEBHOOK, result.refusal) };
  return { answer, reason, evidence, byGuard: true };
}

function held<K extends Kind>({ fleet }: Context, kind: K, key: string): Lookup<KindMap[K]> {
  const found = fleet.get(kind, key);
  return found ? { found } : { missing: true, message: '' };
}

function byKubevirt(context: Context, pod: Pod): Expectation {
  const vmi = context.fleet.get('VirtualMachineInstance', `${pod.metadata.namespace}/${nameOfVm(pod)}`);
  if (!vmi) return withoutVmi(context, pod);
  const trail = new Trail(false);
  const { result, reason } = askWebhook(context, vmi, pod, trail);
  if (result.allowed) return byBudgets(context, vmi, pod, trail);
  const message = webhookDenied(EVICTION_WEBHOOK.launcher, result.message);
  return { answer: { code: 429, message }, reason, evidence: trail.evidence };
}

function byBudgets(context: Context, vmi: Vmi, pod: Pod, trail: Trail): Expectation {
  const { result, reason } = askBudgets(context, vmi, pod, trail);
  const { evidence } = trail;
  if (result.kind === 'Unknown') return { missing: result.missing, reason, evidence };
  if (result.kind === 'Evictable') return { answer: SUCCESS, reason, evidence };
  const { code, message } = result.refusal;
  return { answer: { code, message }, reason, evidence };
}

/** A launcher whose VMI is gone. Budgets are left out: they count pods of VMs that run. */
function withoutVmi({ settings, behavior }: Context, pod: Pod): Expectation {
  const message = `virtualmachineinstances.kubevirt.io "${nameOfVm(pod)}" not found`;
  const input = { pod, vmi: { missing: true as const, message }, settings, behavior };
  const { result, reason, evidence } = decide(launcherEvictionTable, input);
  const answer = result.allowed
    ? SUCCESS
    : { code: 429, message: webhookDenied(EVICTION_WEBHOOK.launcher, result.message) };
  return { answer, reason, evidence };
}

/** The VM that a launcher runs, by its name. */
export function nameOfVm(pod: Pod): string {
  return annotationOf(pod, ANNOTATION.domain) ?? '';
}
