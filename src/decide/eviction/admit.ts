import type { JsonPatchOperation } from '../../kubevirt/json-patch.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import type { Behavior, Decision, Evidence, Table } from '../rules.ts';
import { decide } from '../rules.ts';
import type { Settings } from '../settings.ts';
import { isDryRun } from './dry-run.ts';
import { domainOf, hotplugEvictionTable, hotplugOwnerRules, hotplugPodRules } from './hotplug.ts';
import { launcherEvictionTable, launcherPodRules } from './launcher.ts';
import { foundIn, type Lookup } from './lookup.ts';
import { markPatch, type PatchOutcome, readEviction } from './mark.ts';
import { podDispatchTable } from './pod.ts';
import { ALLOWED, type EvictionVerdict } from './verdict.ts';

/** An eviction as the API server hands it to the webhook. */
export interface EvictionRequest {
  readonly namespace: string;
  /** Of the pod. */
  readonly name: string;
  readonly dryRun?: boolean | undefined;
  /** The Eviction object, unread. */
  readonly object?: unknown;
}

/** What is known of one eviction so far. The facts that must be fetched are absent until they have been. */
export interface EvictionFacts {
  readonly request: EvictionRequest;
  readonly settings: Pick<Settings, 'evictionStrategy' | 'rules' | 'version'>;
  readonly behavior: Behavior;
  readonly pod?: Lookup<Pod> | undefined;
  /** The pod that owns an attachment pod. */
  readonly owner?: Lookup<Pod> | undefined;
  readonly vmi?: Lookup<Vmi> | undefined;
  readonly patch?: PatchOutcome | undefined;
}

/** What to fetch, or to send, before the eviction can be decided. `need` is the name of the fact that is lacking. */
export type EvictionNeed =
  | { readonly need: 'pod' | 'owner' | 'vmi'; readonly namespace: string; readonly name: string }
  | {
      /** A JSON patch of the VMI. */
      readonly need: 'patch';
      readonly namespace: string;
      readonly name: string;
      readonly patch: readonly JsonPatchOperation[];
      readonly dryRun: boolean;
    };

export interface EvictionAnswer {
  readonly allowed: boolean;
  /** HTTP code of a refusal. */
  readonly code?: number | undefined;
  readonly message?: string | undefined;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
}

export type EvictionStep = EvictionNeed | EvictionAnswer;

/** KubeVirt refuses every eviction with "too many requests", on which drain clients try again. */
const TOO_MANY_REQUESTS = 429;

/**
 * Decides one eviction, as far as the facts go: either the answer, or the one thing to fetch or send next. Put what
 * came of it into the facts under the name `need`, and ask again.
 *
 * Promise: at most pod, owner, VMI and patch are asked for, in this order, each once, and none that the answer does
 * not depend on. The same facts always give the same step. Eviction-webhook §2 of the spec.
 */
export function admitEviction(facts: EvictionFacts): EvictionStep {
  const { request, pod: lookup } = facts;
  const { namespace, name } = request;
  if (!lookup) return { need: 'pod', namespace, name };
  const dispatch = decide(podDispatchTable, { namespace, name, pod: lookup });
  const pod = foundIn(lookup);
  if (!pod || dispatch.result === 'allow') return answer({ ...dispatch, result: ALLOWED });
  return dispatch.result === 'hotplug' ? admitHotplug(facts, pod) : admitLauncher(facts, pod);
}

/** It is decided, and nothing more need be read. */
export function isEvictionAnswer(step: EvictionStep): step is EvictionAnswer {
  return 'allowed' in step;
}

function admitHotplug(facts: EvictionFacts, pod: Pod): EvictionStep {
  const { settings, owner, vmi, request } = facts;
  const { namespace } = request;
  const byPod = decideEarly(hotplugPodRules, { pod, settings });
  if (byPod) return answer(byPod);
  if (!owner) return { need: 'owner', namespace, name: pod.metadata.ownerReferences?.[0]?.name ?? '' };
  const byOwner = decideEarly(hotplugOwnerRules, { pod, settings, owner });
  if (byOwner) return answer(byOwner);
  if (!vmi) return { need: 'vmi', namespace, name: domainOf(foundIn(owner)) ?? '' };
  return answer(decide(hotplugEvictionTable, { pod, settings, owner, vmi }));
}

function admitLauncher(facts: EvictionFacts, pod: Pod): EvictionStep {
  const { settings, behavior, vmi, patch, request } = facts;
  const byPod = decideEarly(launcherPodRules, { pod });
  if (byPod) return answer(byPod);
  if (!vmi) return { need: 'vmi', namespace: request.namespace, name: domainOf(pod) ?? '' };
  const eviction = readEviction(request.object);
  const decision = decide(launcherEvictionTable, { pod, vmi, settings, behavior, eviction, patch });
  const marks = !decision.result.allowed && decision.result.mark && !patch;
  return (marks && markStep(facts, pod)) || answer(decision);
}

function markStep({ request, vmi: lookup, behavior }: EvictionFacts, pod: Pod): EvictionNeed | undefined {
  const vmi = lookup && foundIn(lookup);
  const reading = readEviction(request.object);
  if (!vmi || 'error' in reading) return undefined;
  const { eviction } = reading;
  return {
    need: 'patch',
    namespace: request.namespace,
    name: vmi.metadata.name,
    patch: markPatch({ pod, vmi, eviction, behavior }),
    dryRun: isDryRun(request.dryRun, eviction),
  };
}

/** The decision of the first rule that holds, if any of these does. */
function decideEarly<Input, Result>(rules: Table<Input, Result>, input: Input): Decision<Result> | undefined {
  return rules.some((rule) => rule.when(input)) ? decide(rules, input) : undefined;
}

function answer({ result, reason, evidence }: Decision<EvictionVerdict>): EvictionAnswer {
  if (result.allowed) return { allowed: true, reason, evidence };
  return { allowed: false, code: TOO_MANY_REQUESTS, message: result.message, reason, evidence };
}
