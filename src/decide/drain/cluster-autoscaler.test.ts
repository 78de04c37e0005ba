import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { decide, type Evidence } from '../rules.ts';
import { type AutoscalerFlags, DRAIN_CLIENTS } from './clients.ts';
import { AUTOSCALER_SELECTION } from './cluster-autoscaler.ts';
import type { DrainFacts, Selection } from './selection.ts';

const now = parseInstant('2026-03-01T12:00:00Z') ?? 0;
const client = DRAIN_CLIENTS['cluster-autoscaler'];
const open: Partial<AutoscalerFlags> = {
  skipNodesWithCustomControllerPods: false,
  skipNodesWithLocalStorage: false,
};
const judge = (pod: Pod, flags: Partial<AutoscalerFlags> = {}, facts: Partial<DrainFacts> = {}) =>
  decide(AUTOSCALER_SELECTION, {
    client: { ...client, autoscaler: { ...client.autoscaler, ...flags } },
    pod,
    facts: { now, ...facts },
  });

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
const replica = (namespace = 'shop') =>
  aPod('r', namespace).ownedBy('ReplicaSet', 'web').labelled('app', 'web');
const daemon = () => aPod('d').ownedBy('DaemonSet', 'ds');
const budget = (
  disruptionsAllowed: number | undefined,
  namespace = 'shop',
  app = 'web',
): PodDisruptionBudget => ({
  kind: 'PodDisruptionBudget',
  metadata: { name: 'pdb', namespace },
  spec: { selector: { matchLabels: { app } } },
  status: { disruptionsAllowed },
});

const evicted: Selection = { selected: true, message: '', severity: 'none' };
const skipped: Selection = { selected: false, message: '', severity: 'none' };
const blocked = (message: string): Selection => ({ selected: false, message, severity: 'error' });
const owner = (pod: string, value: string | undefined): Evidence => ({
  object: `Pod ${pod}`,
  path: 'metadata.ownerReferences[controller=true]',
  value,
});
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

  it.each(['ReplicationController', 'Job', 'ReplicaSet', 'StatefulSet'])(
    'knows that a %s replaces its pods',
    (kind) => {
      expect(judge(aPod().ownedBy(kind, 'x').build()).reason).toBe('Selected');
    },
  );

  it.each`
    phase          | restartPolicy  | reason
    ${'Succeeded'} | ${'Never'}     | ${'TerminalPod'}
    ${'Succeeded'} | ${'OnFailure'} | ${'TerminalPod'}
    ${'Succeeded'} | ${'Always'}    | ${'NotReplicated'}
    ${'Succeeded'} | ${undefined}   | ${'NotReplicated'}
    ${'Failed'}    | ${'Always'}    | ${'TerminalPod'}
    ${'Running'}   | ${'Never'}     | ${'NotReplicated'}
  `('$phase with restart policy $restartPolicy: $reason', ({ phase, restartPolicy, reason }) => {
    expect(judge(aPod().phase(phase).spec({ restartPolicy }).build()).reason).toBe(reason);
  });

  it.each`
    deleted                       | grace        | reason
    ${'2026-03-01T11:59:00Z'}     | ${30}        | ${'NotReplicated'}
    ${'2026-03-01T11:58:59.999Z'} | ${30}        | ${'LongTerminating'}
    ${'2026-03-01T11:58:59Z'}     | ${undefined} | ${'LongTerminating'}
    ${'2026-03-01T11:59:00Z'}     | ${undefined} | ${'NotReplicated'}
    ${'2026-03-01T11:58:00Z'}     | ${180}       | ${'NotReplicated'}
    ${undefined}                  | ${0}         | ${'NotReplicated'}
  `('deleted $deleted with grace $grace: $reason', ({ deleted, grace, reason }) => {
    const pod = aPod('l')
      .meta({ deletionTimestamp: deleted })
      .spec({ terminationGracePeriodSeconds: grace })
      .build();
    const decided = judge(pod);
    expect(decided.reason).toBe(reason);
    if (reason === 'LongTerminating') {
      expect(decided.result).toEqual(skipped);
      expect(decided.evidence).toEqual([
        { object: 'Pod shop/l', path: 'metadata.deletionTimestamp', value: deleted },
      ]);
    }
  });

  it('is blocked by a DaemonSet that is gone, unless custom controllers are taken', () => {
    const facts = { knowsDaemonSets: true };
    expect(judge(daemon().build(), {}, facts)).toEqual({
      reason: 'ControllerNotFound',
      result: blocked('daemonset for shop/d is not present'),
      evidence: [owner('shop/d', 'DaemonSet ds')],
    });
    expect(judge(daemon().build(), open, facts).reason).toBe('DaemonSetPod');
  });
});

describe('budgets, for the cluster-autoscaler', () => {
  it.each<[string, PodDisruptionBudget[] | undefined, string]>([
    ['none known', undefined, 'Selected'],
    ['one that allows a disruption', [budget(1)], 'Selected'],
    ['one that allows none', [budget(0)], 'NotEnoughPdb'],
    ['one without status allows none', [budget(undefined)], 'NotEnoughPdb'],
    ['one of another namespace', [budget(0, 'web')], 'Selected'],
    ['one of other pods', [budget(0, 'shop', 'db')], 'Selected'],
    ['one of several', [budget(1), budget(0)], 'NotEnoughPdb'],
    ['one without selector', [{ metadata: { name: 'p', namespace: 'shop' }, spec: {} }], 'Selected'],
  ])('%s', (_name, budgets, reason) => {
    expect(judge(replica().build(), {}, { budgets }).reason).toBe(reason);
  });

  it('say which one blocks', () => {
    expect(judge(replica().build(), {}, { budgets: [budget(0)] })).toEqual({
      reason: 'NotEnoughPdb',
      result: blocked('not enough pod disruption budget to move shop/r'),
      evidence: [{ object: 'PodDisruptionBudget shop/pdb', path: 'status.disruptionsAllowed', value: 0 }],
    });
  });

  it('make a pod of kube-system movable', () => {
    const budgets = [budget(1, 'kube-system')];
    expect(judge(replica('kube-system').build(), {}, { budgets }).reason).toBe('Selected');
  });
});
