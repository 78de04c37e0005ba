import { domainOf } from '../decide/eviction/hotplug.ts';
import { foundIn } from '../decide/eviction/lookup.ts';
import { isActiveLauncher } from '../decide/eviction/pod.ts';
import { guardTable } from '../decide/guard/guard.ts';
import type { GuardInput, GuardSurroundings } from '../decide/guard/guard-input.ts';
import { decide } from '../decide/rules.ts';
import type { Pod } from '../kubevirt/objects.ts';
import type { Instant } from '../kubevirt/time.ts';
import { refusedLate } from './late.ts';
import type { AdmissionCluster, AdmissionDecision, AdmissionWebhook } from './ports.ts';

export const GUARD_PATH = '/guard-pod-eviction';
const TOO_MANY_REQUESTS = 429;

export interface GuardOptions {
  readonly cluster: AdmissionCluster;
  readonly now: () => Instant;
}

/**
 * Refuses evictions that tenants do not want, beside KubeVirt's own webhook. Everything is read when it is asked, so that
 * an approval given a moment ago counts.
 */
export function guardWebhook({ cluster, now }: GuardOptions): AdmissionWebhook {
  return {
    name: 'eviction-guard',
    path: GUARD_PATH,
    decide: async ({ request: { namespace, name } }) => {
      const key = `${namespace}/${name}`;
      const pod = await cluster.get('Pod', key);
      const found = foundIn(pod);
      const around =
        found && isActiveLauncher(found) ? await readAround(cluster, namespace, found) : undefined;
      return decisionOf({ key, pod, around, now: now() });
    },
    late: refusedLate,
  };
}

async function readAround(
  cluster: AdmissionCluster,
  namespace: string,
  pod: Pod,
): Promise<GuardSurroundings> {
  const key = `${namespace}/${domainOf(pod) ?? ''}`;
  const nodeName = pod.spec?.nodeName;
  const [vm, vmi, space, node] = await Promise.all([
    cluster.get('VirtualMachine', key),
    cluster.get('VirtualMachineInstance', key),
    cluster.get('Namespace', namespace),
    nodeName === undefined ? undefined : cluster.get('Node', nodeName),
  ]);
  return { vm, vmi, namespace: space, node };
}

function decisionOf(input: GuardInput): AdmissionDecision {
  const { result, reason, evidence } = decide(guardTable, input);
  if (result.refusal === undefined) return { allowed: true, reason, evidence };
  return { allowed: false, code: TOO_MANY_REQUESTS, message: result.refusal, reason, evidence };
}
