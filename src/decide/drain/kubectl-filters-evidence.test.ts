import { describe, expect, it } from 'vitest';
import type { Pod } from '../../kubevirt/objects.ts';
import type { Evidence } from '../rules.ts';
import type { DrainFlags } from './clients.ts';
import { bare, daemon, emptyDir, flags, judge, launcher } from './test-kubectl-filters.ts';

describe('what kubectl drain looks at', () => {
  it.each<[string, Pod, DrainFlags, Evidence[]]>([
    [
      'NotListed',
      bare().labelled('a', 'b').build(),
      flags({ podSelector: { matchLabels: { a: 'c' } } }),
      [{ object: 'Pod shop/b', path: 'metadata.labels', value: { a: 'b' } }],
    ],
    [
      'SkippedAsDeleted',
      bare().deleting('2026-03-01T11:00:00Z').build(),
      flags({ skipWaitForDeleteTimeoutSeconds: 1 }),
      [{ object: 'Pod shop/b', path: 'metadata.deletionTimestamp', value: '2026-03-01T11:00:00Z' }],
    ],
    [
      'DaemonSetMissing',
      daemon('gone').build(),
      flags(),
      [{ object: 'Pod shop/d', path: 'metadata.ownerReferences[controller=true]', value: 'DaemonSet gone' }],
    ],
    [
      'DaemonSetPod',
      daemon().build(),
      flags(),
      [
        { object: 'Pod shop/d', path: 'metadata.ownerReferences[controller=true]', value: 'DaemonSet ds' },
        { object: 'Pod shop/d', path: 'status.phase', value: 'Running' },
      ],
    ],
    [
      'DaemonSetPodIgnored',
      daemon().build(),
      flags({ ignoreDaemonSets: true }),
      [
        { object: 'Pod shop/d', path: 'metadata.ownerReferences[controller=true]', value: 'DaemonSet ds' },
        { object: 'Pod shop/d', path: 'status.phase', value: 'Running' },
      ],
    ],
    [
      'MirrorPod',
      bare().annotated('kubernetes.io/config.mirror', 'x').build(),
      flags(),
      [{ object: 'Pod shop/b', path: 'metadata.annotations[kubernetes.io/config.mirror]', value: 'x' }],
    ],
    [
      'LocalStorage',
      launcher().spec(emptyDir).build(),
      flags(),
      [
        { object: 'Pod shop/l', path: 'spec.volumes[emptyDir]', value: ['a', 'c'] },
        { object: 'Pod shop/l', path: 'status.phase', value: 'Running' },
      ],
    ],
    [
      'NoController',
      bare().build(),
      flags(),
      [
        { object: 'Pod shop/b', path: 'metadata.ownerReferences[controller=true]', value: undefined },
        { object: 'Pod shop/b', path: 'status.phase', value: 'Running' },
      ],
    ],
    [
      'NoControllerForced',
      bare().build(),
      flags({ force: true }),
      [
        { object: 'Pod shop/b', path: 'metadata.ownerReferences[controller=true]', value: undefined },
        { object: 'Pod shop/b', path: 'status.phase', value: 'Running' },
      ],
    ],
    [
      'Selected',
      launcher().build(),
      flags(),
      [
        {
          object: 'Pod shop/l',
          path: 'metadata.ownerReferences[controller=true]',
          value: 'VirtualMachineInstance db',
        },
      ],
    ],
  ])('rests %s on evidence', (reason, pod, given, evidence) => {
    expect(judge(pod, given)).toMatchObject({ reason, evidence });
  });
});
