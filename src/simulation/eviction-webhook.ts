import type { EvictionCall } from '../controllers/ports.ts';
import type { ApiFailure, ApiResult } from '../decide/api-result.ts';
import {
  admitEviction,
  type EvictionFacts,
  type EvictionNeed,
  isEvictionAnswer,
} from '../decide/eviction/admit.ts';
import type { Behavior } from '../decide/rules.ts';
import { resolveSettings } from '../decide/settings.ts';
import type { Kind } from '../fleet/fleet.ts';
import { project } from '../kubevirt/projection.ts';
import type { MemoryApi } from './memory-api.ts';
import type { EvictionWebhook } from './memory-eviction.ts';

const WEBHOOK = {
  'virt-launcher': 'virt-launcher-eviction-interceptor.kubevirt.io',
  'hp-volume-': 'hotplug-pod-eviction-interceptor.kubevirt.io',
} as const;

/**
 * virt-api's webhooks for evictions: asked about pods whose names begin as KubeVirt's do; what they mark is written before they
 * answer. The cluster's strategy is that of the KubeVirt CR.
 */
export function evictionWebhook(api: MemoryApi, behavior: Behavior): EvictionWebhook {
  return (call) => {
    const name = Object.entries(WEBHOOK).find(([prefix]) => call.pod.startsWith(prefix))?.[1];
    if (name === undefined) return undefined;
    const [kubevirt] = api.list('KubeVirt');
    const settings = resolveSettings(kubevirt && project('KubeVirt', kubevirt));
    return admit(api, { request: requestOf(call), settings, behavior }, name);
  };
}

function requestOf({ namespace, pod, dryRun, body }: EvictionCall): EvictionFacts['request'] {
  return { namespace, name: pod, dryRun, object: body };
}

function admit(api: MemoryApi, facts: EvictionFacts, webhook: string): ApiFailure | undefined {
  const step = admitEviction(facts);
  if (!isEvictionAnswer(step)) return admit(api, { ...facts, [step.need]: serve(api, step) }, webhook);
  if (step.allowed) return undefined;
  const message = `admission webhook "${webhook}" denied the request: ${step.message}`;
  return { ok: false, code: step.code, message };
}

/** What the webhook asks for of the API server. */
function serve(api: MemoryApi, need: EvictionNeed): object {
  const key = `${need.namespace}/${need.name}`;
  if (need.need === 'patch') {
    const result: ApiResult = api.patch('VirtualMachineInstance', key, need.patch, { dryRun: need.dryRun });
    return result.ok ? { patched: true } : { error: result.message };
  }
  const kind: Kind = need.need === 'vmi' ? 'VirtualMachineInstance' : 'Pod';
  const stored = api.get(kind, key);
  return stored ? { found: project(kind, stored) } : { missing: true, message: `${need.name} not found` };
}
