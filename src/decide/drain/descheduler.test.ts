import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import type { Evidence } from '../rules.ts';
import type { EvictorSettings } from './clients.ts';
import type { Selection } from './selection.ts';
import { at, judge, launcher, no } from './test-descheduler.ts';

const EVICT = 'descheduler.alpha.kubernetes.io/evict';
const NO_EVICTION = 'descheduler.alpha.kubernetes.io/prefer-no-eviction';

const local = {
  volumes: [
    { name: 'a', emptyDir: { medium: 'Memory' } },
    { name: 'b', hostPath: {} },
    { name: 'c', persistentVolumeClaim: { claimName: 'disk' } },
  ],
};

const selected: Selection = { selected: true, message: '', severity: 'none' };
const annotation = (name: string, value: string) => at(`metadata.annotations[${name}]`, value);
const stored = at('spec.volumes[local]', ['a', 'b']);

describe('the descheduler', () => {
  it.each<[string, string, Pod, Partial<EvictorSettings>, Selection, Evidence[]]>([
    [
      'PodsWithLocalStorage',
      'a launcher as it is',
      launcher().spec(local).build(),
      {},
      no('pod has local storage and is protected against eviction'),
      stored,
    ],
    [
      'Selected',
      'a launcher, local storage not protected',
      launcher().spec(local).build(),
      { protectLocalStorage: false },
      selected,
      stored,
    ],
    [
      'Selected',
      'a launcher without local storage',
      launcher().build(),
      {},
      selected,
      at('spec.volumes[local]', []),
    ],
    [
      'EvictAnnotation',
      'a launcher annotated to be evicted',
      launcher().spec(local).annotated(EVICT, '').build(),
      {},
      selected,
      annotation(EVICT, ''),
    ],
    [
      'EvictAnnotation',
      'the annotation wins over all',
      launcher().annotated(EVICT, 'false').annotated(NO_EVICTION, '').deleting().build(),
      { noEvictionIsMandatory: true },
      selected,
      annotation(EVICT, 'false'),
    ],
    [
      'NoEvictionAnnotation',
      'a wish that is an order',
      launcher().annotated(NO_EVICTION, '').build(),
      { noEvictionIsMandatory: true },
      no(''),
      annotation(NO_EVICTION, ''),
    ],
    [
      'Selected',
      'a wish that only sorts',
      launcher().annotated(NO_EVICTION, '').build(),
      {},
      selected,
      at('spec.volumes[local]', []),
    ],
    [
      'MirrorPod',
      'a mirror pod',
      launcher().annotated('kubernetes.io/config.mirror', 'x').build(),
      {},
      no('pod is a mirror pod'),
      annotation('kubernetes.io/config.mirror', 'x'),
    ],
    [
      'StaticPod',
      'a static pod',
      launcher().annotated('kubernetes.io/config.source', 'file').build(),
      {},
      no('pod is a static pod'),
      annotation('kubernetes.io/config.source', 'file'),
    ],
    [
      'Selected',
      'a pod that came over the API',
      launcher().annotated('kubernetes.io/config.source', 'api').build(),
      {},
      selected,
      at('spec.volumes[local]', []),
    ],
    [
      'TerminatingPod',
      'a pod being deleted',
      launcher().deleting().build(),
      {},
      no('pod is terminating'),
      at('metadata.deletionTimestamp', '2026-03-01T11:59:00Z'),
    ],
    [
      'SystemCriticalPods',
      'a critical pod',
      launcher().spec({ priority: 2_000_000_000 }).build(),
      {},
      no('pod has system critical priority and is protected against eviction'),
      at('spec.priority', 2_000_000_000),
    ],
    [
      'Selected',
      'a pod just below',
      launcher().spec({ priority: 1_999_999_999 }).build(),
      {},
      selected,
      at('spec.volumes[local]', []),
    ],
    [
      'Selected',
      'a critical pod that is not protected',
      launcher().spec({ priority: 2_000_001_000 }).build(),
      { protectSystemCritical: false, priorityThreshold: 1 },
      selected,
      at('spec.volumes[local]', []),
    ],
    [
      'PriorityThreshold',
      'a pod at the threshold',
      launcher().spec({ priority: 10 }).build(),
      { priorityThreshold: 10 },
      no('pod has higher priority than specified priority class threshold'),
      at('spec.priority', 10),
    ],
    [
      'Selected',
      'a pod below the threshold',
      launcher().spec({ priority: 9 }).build(),
      { priorityThreshold: 10 },
      selected,
      at('spec.volumes[local]', []),
    ],
    [
      'Selected',
      'a pod without priority',
      launcher().build(),
      { priorityThreshold: -5 },
      selected,
      at('spec.volumes[local]', []),
    ],
    [
      'BarePod',
      'a pod of nobody',
      aPod('l').build(),
      {},
      no('pod does not have any ownerRefs'),
      at('metadata.ownerReferences', undefined),
    ],
    [
      'BarePod',
      'a failed pod of nobody',
      aPod('l').phase('Failed').build(),
      {},
      no('pod does not have any ownerRefs'),
      at('metadata.ownerReferences', undefined),
    ],
    [
      'BarePod',
      'a running pod of nobody, failed ones taken',
      aPod('l').build(),
      { protectBarePods: false },
      no('pod does not have any ownerRefs and is not in failed phase'),
      at('metadata.ownerReferences', undefined),
    ],
    [
      'Selected',
      'a failed pod of nobody, taken',
      aPod('l').phase('Failed').build(),
      { protectBarePods: false },
      selected,
      at('spec.volumes[local]', []),
    ],
    [
      'DaemonSetPods',
      'a pod of a DaemonSet',
      aPod('l').ownedBy('DaemonSet', 'ds').build(),
      {},
      no('daemonset pods are protected against eviction'),
      at('metadata.ownerReferences[].kind', ['DaemonSet']),
    ],
    [
      'Selected',
      'a pod of a DaemonSet, taken',
      aPod('l').ownedBy('DaemonSet', 'ds').build(),
      { protectDaemonSets: false },
      selected,
      at('spec.volumes[local]', []),
    ],
    [
      'Selected',
      'a pod with a claim',
      launcher().spec(local).build(),
      { protectLocalStorage: false },
      selected,
      stored,
    ],
    [
      'PodsWithPVC',
      'a pod with a claim, protected',
      launcher().spec(local).build(),
      { protectLocalStorage: false, protectPvcs: true },
      no('pod with PVC is protected against eviction'),
      at('spec.volumes[persistentVolumeClaim]', ['disk']),
    ],
    [
      'Selected',
      'a pod without claims',
      launcher().build(),
      { protectPvcs: true },
      selected,
      at('spec.volumes[local]', []),
    ],
  ])('%s: %s', (reason, _name, pod, settings, result, evidence) => {
    expect(judge(pod, settings)).toEqual({ reason, result, evidence });
  });
});
