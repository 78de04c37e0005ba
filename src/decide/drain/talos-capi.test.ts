import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { decide, type Evidence } from '../rules.ts';
import { CAPI_SELECTION } from './capi.ts';
import { DRAIN_CLIENTS } from './clients.ts';
import type { DrainFacts, Selection } from './selection.ts';
import { TALOS_SELECTION } from './talos.ts';

const now = parseInstant('2026-03-01T12:00:00Z') ?? 0;
const emptyDir = { volumes: [{ name: 'a', emptyDir: {} }] };
const launcher = () => aPod('l').launcherOf(aVmi().build());
const daemon = () => aPod('d').ownedBy('DaemonSet', 'ds');
const silent = (selected: boolean): Selection => ({ selected, message: '', severity: 'none' });
const warned = (selected: boolean, message: string): Selection => ({
  selected,
  message,
  severity: 'warning',
});
const owner = (pod: string, value: string | undefined): Evidence[] => [
  { object: `Pod shop/${pod}`, path: 'metadata.ownerReferences[controller=true]', value },
];
const label = (value: string): Evidence[] => [
  { object: 'Pod shop/l', path: 'metadata.labels[cluster.x-k8s.io/drain]', value },
];
const deletion: Evidence[] = [
  { object: 'Pod shop/l', path: 'metadata.deletionTimestamp', value: '2026-03-01T11:59:00Z' },
];
const mirror: Evidence[] = [
  { object: 'Pod shop/m', path: 'metadata.annotations[kubernetes.io/config.mirror]', value: '' },
];

describe('Talos, on the node', () => {
  const judge = (pod: Pod) =>
    decide(TALOS_SELECTION, { client: DRAIN_CLIENTS['talos-node'], pod, facts: { now } });
  it.each<[string, string, Pod, Selection, Evidence[]]>([
    [
      'Selected',
      'a launcher',
      launcher().spec(emptyDir).build(),
      silent(true),
      owner('l', 'VirtualMachineInstance db'),
    ],
    [
      'Selected',
      'a finished launcher',
      launcher().phase('Succeeded').build(),
      silent(true),
      owner('l', 'VirtualMachineInstance db'),
    ],
    ['TerminatingPod', 'a launcher being deleted', launcher().deleting().build(), silent(true), deletion],
    [
      'DaemonSetPod',
      'a pod of a DaemonSet',
      daemon().deleting().build(),
      silent(false),
      owner('d', 'DaemonSet ds'),
    ],
    ['NoController', 'a bare pod', aPod('b').build(), silent(false), owner('b', undefined)],
    [
      'MirrorPod',
      'a mirror pod',
      aPod('m').annotated('kubernetes.io/config.mirror').build(),
      silent(false),
      mirror,
    ],
  ])('%s: %s', (reason, _name, pod, result, evidence) => {
    expect(judge(pod)).toEqual({ reason, result, evidence });
  });
});

describe('Cluster API', () => {
  const judge = (pod: Pod, facts: Partial<DrainFacts> = {}) =>
    decide(CAPI_SELECTION, { client: DRAIN_CLIENTS.capi, pod, facts: { now, ...facts } });
  const waits = { ...silent(false), waits: true };
  const labelled = (value: string) => launcher().labelled('cluster.x-k8s.io/drain', value);
  const gone: Partial<DrainFacts> = { knowsDaemonSets: true };
  it.each<[string, string, Pod, Partial<DrainFacts>, Selection, Evidence[]]>([
    [
      'Selected',
      'a launcher',
      launcher().spec(emptyDir).build(),
      {},
      warned(true, 'evicting Pod with local storage'),
      owner('l', 'VirtualMachineInstance db'),
    ],
    [
      'Selected',
      'a launcher without local storage',
      launcher().build(),
      {},
      silent(true),
      owner('l', 'VirtualMachineInstance db'),
    ],
    [
      'Selected',
      'a finished launcher',
      launcher().spec(emptyDir).phase('Succeeded').build(),
      {},
      silent(true),
      owner('l', 'VirtualMachineInstance db'),
    ],
    [
      'Selected',
      'a bare pod with local storage',
      aPod('b').spec(emptyDir).build(),
      {},
      warned(true, 'evicting Pod with local storage, evicting Pod that has no controller'),
      owner('b', undefined),
    ],
    [
      'Selected',
      'an orphan of a DaemonSet',
      daemon().spec(emptyDir).build(),
      gone,
      warned(true, 'evicting orphaned DaemonSet-managed Pod, evicting Pod with local storage'),
      owner('d', 'DaemonSet ds'),
    ],
    [
      'DaemonSetPod',
      'a pod of a DaemonSet',
      daemon().build(),
      {},
      warned(false, 'ignoring DaemonSet-managed Pod'),
      owner('d', 'DaemonSet ds'),
    ],
    [
      'Selected',
      'a finished pod of a DaemonSet',
      daemon().phase('Failed').build(),
      {},
      silent(true),
      owner('d', 'DaemonSet ds'),
    ],
    [
      'MirrorPod',
      'a mirror pod',
      aPod('m').annotated('kubernetes.io/config.mirror').build(),
      {},
      silent(false),
      mirror,
    ],
    ['LabelledSkip', 'a label that says so', labelled('skip').build(), {}, silent(false), label('skip')],
    [
      'LabelledWaitCompleted',
      'a label that says to wait',
      labelled('wait-completed').build(),
      {},
      waits,
      label('wait-completed'),
    ],
    [
      'Selected',
      'a label that says nothing known',
      labelled('later').build(),
      {},
      silent(true),
      owner('l', 'VirtualMachineInstance db'),
    ],
    ['TerminatingPod', 'a pod being deleted', launcher().deleting().build(), {}, waits, deletion],
    [
      'SkippedAsDeleted',
      'a pod being deleted on an unreachable node',
      launcher().deleting().build(),
      { isNodeUnreachable: true },
      silent(false),
      deletion,
    ],
    [
      'TerminatingPod',
      'a pod deleted a second ago on an unreachable node',
      launcher().deleting('2026-03-01T11:59:59Z').build(),
      { isNodeUnreachable: true },
      waits,
      [{ object: 'Pod shop/l', path: 'metadata.deletionTimestamp', value: '2026-03-01T11:59:59Z' }],
    ],
  ])('%s: %s', (reason, _name, pod, facts, result, evidence) => {
    expect(judge(pod, facts)).toEqual({ reason, result, evidence });
  });
});
