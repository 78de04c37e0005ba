import type { EvictionReview } from '../decide/eviction/review.ts';
import { strategyStampTable } from '../decide/eviction-strategy.ts';
import {
  type DefaultStrategy,
  defaultStrategyTable,
  needsNamespace,
} from '../decide/guard/default-strategy.ts';
import { decide } from '../decide/rules.ts';
import type { Settings } from '../decide/settings.ts';
import { isJsonObject, objectAt } from '../kubevirt/json.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { ProjectionError, project } from '../kubevirt/projection.ts';
import type { AdmissionCluster, AdmissionDecision, AdmissionWebhook } from './ports.ts';

/** As KubeVirt calls it. kubevirt v1.9.0 pkg/virt-operator/resource/generate/components/webhooks.go */
export const VMI_MUTATOR_PATH = '/virtualmachineinstances-mutate';
export const DEFAULT_STRATEGY_PATH = '/default-eviction-strategy';

/** Gives new VMIs the cluster's eviction strategy, as KubeVirt's mutator does; all of its other defaults are left out. */
export function clusterStrategyStamp(settings: () => Settings): AdmissionWebhook {
  return {
    name: 'vmi-create',
    path: VMI_MUTATOR_PATH,
    decide: async (review) => {
      const vmi = newVmiOf(review);
      if (!vmi) return NOT_READABLE;
      const { result, reason, evidence } = decide(strategyStampTable, { vmi, settings: settings() });
      return { allowed: true, reason, evidence, patch: stamped(vmi, result) };
    },
    late: () => NOT_STAMPED_IN_TIME,
  };
}

export interface DefaultStrategyOptions {
  readonly cluster: AdmissionCluster;
  readonly defaults: readonly DefaultStrategy[];
}

/** Gives new VMIs the default of their labels or their namespace, before KubeVirt gives them the cluster's. */
export function defaultStrategyStamp({ cluster, defaults }: DefaultStrategyOptions): AdmissionWebhook {
  return {
    name: 'default-eviction-strategy',
    path: DEFAULT_STRATEGY_PATH,
    decide: async (review) => {
      const vmi = newVmiOf(review);
      if (!vmi) return NOT_READABLE;
      const name = review.request.namespace;
      const namespace = needsNamespace({ vmi, defaults })
        ? await cluster.get('Namespace', name)
        : { found: { metadata: { name } } };
      const { result, reason, evidence } = decide(defaultStrategyTable, { vmi, namespace, defaults });
      const warnings = result.warning === undefined ? undefined : [`drover: ${result.warning}`];
      const patch = result.stamp === undefined ? undefined : stamped(vmi, result.stamp);
      return { allowed: true, reason, evidence, warnings, patch };
    },
    late: () => NOT_STAMPED_IN_TIME,
  };
}

/** Such a VMI is for the API server and KubeVirt to refuse, in their own words. */
const NOT_READABLE: AdmissionDecision = { allowed: true, reason: 'VmiNotReadable', evidence: [] };

const NOT_STAMPED_IN_TIME: AdmissionDecision = {
  allowed: true,
  reason: 'Late',
  warnings: ["drover had no answer from the API server in time, so the cluster's eviction strategy counts"],
  evidence: [],
};

/** The VMI of a review. Its name may still be for the API server to make up. */
function newVmiOf({ request: { object, namespace } }: EvictionReview): Vmi | undefined {
  if (!isJsonObject(object)) return undefined;
  const metadata = { name: '', ...objectAt(object, 'metadata'), namespace };
  try {
    return project('VirtualMachineInstance', { ...object, metadata });
  } catch (error) {
    if (error instanceof ProjectionError) return undefined;
    throw error;
  }
}

/** A VMI without a spec has no place for a strategy, and KubeVirt refuses it. */
function stamped(vmi: Vmi, strategy: string): AdmissionDecision['patch'] {
  if (!vmi.spec || vmi.spec.evictionStrategy !== undefined) return undefined;
  return [{ op: 'add', path: '/spec/evictionStrategy', value: strategy }];
}
