import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import type { Evidence } from '../rules.ts';
import type { AutoscalerFlags } from './clients.ts';
import type { Selection } from './selection.ts';
import { blocked, daemon, judge, open, owner, replica, skipped } from './test-cluster-autoscaler.ts';

const SAFE = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
const VOLUMES = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes';

const local = {
  volumes: [
    { name: 'a', emptyDir: {} },
    { name: 'b', hostPath: {} },
    { name: 'c', emptyDir: { medium: 'Memory' } },
    { name: 'd', persistentVolumeClaim: { claimName: 'x' } },
  ],
};

const launcher = () =>
  aPod('l')
    .launcherOf(aVmi().build())
    .spec({ restartPolicy: 'Never', ...local });

const evicted: Selection = { selected: true, message: '', severity: 'none' };

const annotation = (pod: string, name: string, value: string | undefined): Evidence => ({
  object: `Pod ${pod}`,
  path: `metadata.annotations[${name}]`,
  value,
});

const volumes = (value: string[]): Evidence => ({ object: 'Pod shop/l', path: 'spec.volumes[local]', value });
const vmi = owner('shop/l', 'VirtualMachineInstance db');

describe('the cluster-autoscaler', () => {
  it.each<[string, string, Pod, Partial<AutoscalerFlags>, Selection, Evidence[]]>([
    [
      'NotReplicated',
      'a launcher with default flags',
      launcher().build(),
      {},
      blocked('shop/l is not replicated'),
      [vmi],
    ],
    [
      'LocalStorageRequested',
      'a launcher, custom controllers taken',
      launcher().build(),
      { skipNodesWithCustomControllerPods: false },
      blocked('pod with local storage present: l'),
      [volumes(['a', 'b']), annotation('shop/l', VOLUMES, undefined)],
    ],
    [
      'NotReplicated',
      'a launcher, local storage taken',
      launcher().build(),
      { skipNodesWithLocalStorage: false },
      blocked('shop/l is not replicated'),
      [vmi],
    ],
    ['Selected', 'a launcher, both taken', launcher().build(), open, evicted, [vmi]],
    [
      'SafeToEvict',
      'a launcher annotated as safe',
      launcher().annotated(SAFE, 'true').build(),
      {},
      evicted,
      [annotation('shop/l', SAFE, 'true')],
    ],
    [
      'NotReplicated',
      'a launcher annotated as unsafe is blocked earlier',
      launcher().annotated(SAFE, 'false').build(),
      {},
      blocked('shop/l is not replicated'),
      [vmi],
    ],
    [
      'NotSafeToEvictAnnotation',
      'a launcher annotated as unsafe',
      launcher().annotated(SAFE, 'false').build(),
      open,
      blocked('pod annotated as not safe to evict present: l'),
      [annotation('shop/l', SAFE, 'false')],
    ],
    [
      'SafeToEvictOnCompletion',
      'a launcher annotated to be waited for',
      launcher().annotated(SAFE, 'on-completion').build(),
      {},
      { ...skipped, waits: true },
      [annotation('shop/l', SAFE, 'on-completion')],
    ],
    [
      'LocalStorageRequested',
      'some volumes given away',
      launcher().annotated(VOLUMES, 'a').build(),
      { skipNodesWithCustomControllerPods: false },
      blocked('pod with local storage present: l'),
      [volumes(['b']), annotation('shop/l', VOLUMES, 'a')],
    ],
    [
      'Selected',
      'all volumes given away',
      launcher().annotated(VOLUMES, 'b,a').build(),
      { skipNodesWithCustomControllerPods: false },
      evicted,
      [vmi],
    ],
    [
      'LocalStorageRequested',
      'names with blanks are other names',
      launcher().annotated(VOLUMES, 'b, a').build(),
      { skipNodesWithCustomControllerPods: false },
      blocked('pod with local storage present: l'),
      [volumes(['a']), annotation('shop/l', VOLUMES, 'b, a')],
    ],
    [
      'TerminalPod',
      'a launcher that has succeeded',
      launcher().phase('Succeeded').build(),
      {},
      evicted,
      [{ object: 'Pod shop/l', path: 'status.phase', value: 'Succeeded' }],
    ],
    [
      'TerminalPod',
      'a launcher that has failed',
      launcher().phase('Failed').build(),
      {},
      evicted,
      [{ object: 'Pod shop/l', path: 'status.phase', value: 'Failed' }],
    ],
    [
      'DaemonSetPod',
      'a pod of a DaemonSet',
      daemon().build(),
      {},
      evicted,
      [owner('shop/d', 'DaemonSet ds')],
    ],
    [
      'MirrorPod',
      'a mirror pod',
      aPod('m').annotated('kubernetes.io/config.mirror').build(),
      {},
      skipped,
      [annotation('shop/m', 'kubernetes.io/config.mirror', '')],
    ],
    [
      'NotReplicated',
      'a bare pod, even with open flags',
      aPod('b').build(),
      open,
      blocked('shop/b is not replicated'),
      [owner('shop/b', undefined)],
    ],
    [
      'Selected',
      'a pod of a ReplicaSet',
      replica().build(),
      {},
      evicted,
      [owner('shop/r', 'ReplicaSet web')],
    ],
    [
      'UnmovableKubeSystemPod',
      'a pod of kube-system without a budget',
      replica('kube-system').build(),
      {},
      blocked('non-daemonset, non-mirrored, non-pdb-assigned kube-system pod present: r'),
      [{ object: 'Pod kube-system/r', path: 'metadata.namespace', value: 'kube-system' }],
    ],
    [
      'Selected',
      'a pod of kube-system, taken',
      replica('kube-system').build(),
      { skipNodesWithSystemPods: false },
      evicted,
      [owner('kube-system/r', 'ReplicaSet web')],
    ],
  ])('%s: %s', (reason, _name, pod, flags, result, evidence) => {
    expect(judge(pod, flags)).toEqual({ reason, result, evidence });
  });
});
