/** A pod, and the quotas of its namespace. */
import { aPod } from '../../kubevirt/builders.ts';
import type { ResourceQuota } from '../../kubevirt/objects.ts';
import { judgeQuotas, type QuotaQuestion } from './quota.ts';

export const pod = aPod().asking({ cpu: '2', memory: '1Gi' }, { memory: '2Gi' }).build();

export const quota = (
  hard: Record<string, string>,
  used: Record<string, string> | undefined,
  more: Partial<ResourceQuota> = {},
): ResourceQuota => ({
  kind: 'ResourceQuota',
  metadata: { name: 'q', namespace: 'shop' },
  spec: { hard },
  status: { hard, used },
  ...more,
});

export const named = (name: string, of: ResourceQuota): ResourceQuota => ({
  ...of,
  metadata: { name, namespace: 'shop' },
});

export const judge = (quotas: ResourceQuota[], more: Partial<QuotaQuestion> = {}) =>
  judgeQuotas({ pod, quotas, ...more });
