import type { ApiFailure } from '../../decide/api-result.ts';
import { judgeQuotas } from '../../decide/placement/quota.ts';
import { withPod } from '../../decide/placement/quota-use.ts';
import type { Pod, ResourceQuota } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { project } from '../../kubevirt/projection.ts';
import type { Admitted, ApiAdmission, MemoryApi } from '../memory-api.ts';
import type { StoredObject } from '../stored-object.ts';

type AdmissionOf = (api: MemoryApi) => ApiAdmission;

/**
 * The API server's own admission of pods by quotas, after those that `admission` stands for: a pod that a quota has no room for is
 * refused; one that is let in counts at once, before the quota's controller has seen it.
 */
export function withQuotas(admission: AdmissionOf): AdmissionOf {
  return (api) => {
    const first = admission(api);
    return {
      create(kind, object) {
        const admitted = first.create(kind, object);
        return admitted.ok && kind === 'Pod' ? admitPod(api, admitted.object) : admitted;
      },
      update: (kind, before, after) => first.update(kind, before, after),
    };
  };
}

function admitPod(api: MemoryApi, object: StoredObject): Admitted {
  const quotas = quotasIn(api, object.metadata.namespace);
  if (quotas.length === 0) return { ok: true, object };
  const pod = project('Pod', object);
  const { refusal, missing } = judgeQuotas({ pod, quotas });
  if (refusal) return forbidden(pod, refusal.message);
  if (missing.length > 0) return forbidden(pod, `status unknown for quota: ${missing.join(', ')}`);
  for (const quota of quotas) charge(api, keyOf(quota), pod);
  return { ok: true, object };
}

function quotasIn(api: MemoryApi, namespace: string | undefined): ResourceQuota[] {
  return [...api.list('ResourceQuota')]
    .filter(({ metadata }) => metadata.namespace === namespace)
    .map((object) => project('ResourceQuota', object));
}

function charge(api: MemoryApi, key: string, pod: Pod): void {
  const change = (held: StoredObject) =>
    withPod(held as unknown as ResourceQuota, pod, api.now()) as unknown as StoredObject;
  api.modify('ResourceQuota', key, change, { subresource: 'status' });
}

function forbidden({ metadata }: Pod, why: string): ApiFailure {
  const message = `pods "${metadata.name}" is forbidden: ${why}`;
  return { ok: false, code: 403, reason: 'Forbidden', message };
}
