import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { decide, traceOf } from '../rules.ts';
import type { Lookup } from './lookup.ts';
import { podDispatchTable } from './pod.ts';

const VMI = aVmi().build();
const POD = 'Pod shop/virt-launcher-db-1';
const launcher = () => aPod().launcherOf(VMI);
const owner = (name: string) => ({ kind: 'Pod', name, uid: `uid-${name}`, controller: true });
const attachment = (...owners: string[]) =>
  aPod('hp-volume-1')
    .labelled('kubevirt.io', 'hotplug-disk')
    .meta({ ownerReferences: owners.map(owner) });

function dispatch(pod: Lookup<Pod>) {
  return decide(podDispatchTable, { namespace: 'shop', name: 'virt-launcher-db-1', pod });
}

describe('which pods the webhook guards', () => {
  it.each([
    ['an attachment pod with one owner', attachment('a').build(), 'hotplug', 'HotplugPod'],
    ['an ended attachment pod', attachment('a').phase('Succeeded').build(), 'hotplug', 'HotplugPod'],
    ['an attachment pod with two owners', attachment('a', 'b').build(), 'allow', 'OtherPod'],
    ['an attachment pod without owner', attachment().build(), 'allow', 'OtherPod'],
    [
      'an attachment pod without owner references',
      aPod().labelled('kubevirt.io', 'hotplug-disk').build(),
      'allow',
      'OtherPod',
    ],
    ['a running launcher', launcher().build(), 'launcher', 'ActiveLauncher'],
    ['a pending launcher', launcher().phase('Pending').build(), 'launcher', 'ActiveLauncher'],
    [
      'a launcher without phase',
      aPod().launcherOf(VMI).status({ phase: undefined }).build(),
      'launcher',
      'ActiveLauncher',
    ],
    ['a launcher being deleted', launcher().deleting().build(), 'launcher', 'ActiveLauncher'],
    ['a succeeded launcher', launcher().phase('Succeeded').build(), 'allow', 'CompletedLauncher'],
    ['a failed launcher', launcher().phase('Failed').build(), 'allow', 'CompletedLauncher'],
    ['a pod that is only named like a launcher', aPod('virt-launcher-x').build(), 'allow', 'OtherPod'],
    [
      'a pod of another component',
      aPod().labelled('kubevirt.io', 'virt-handler').build(),
      'allow',
      'OtherPod',
    ],
  ])('%s', (_name, found, result, reason) => {
    expect(dispatch({ found })).toMatchObject({ result, reason });
  });

  it('open on every failure to read the pod', () => {
    expect(dispatch({ missing: true, message: 'gone' })).toEqual({
      result: 'allow',
      reason: 'PodNotReadable',
      evidence: [{ object: POD, path: 'metadata.name', value: undefined }],
    });
    expect(dispatch({ error: 'boom' })).toEqual({
      result: 'allow',
      reason: 'PodNotReadable',
      evidence: [{ object: POD, path: 'metadata.name', value: 'boom' }],
    });
  });

  it('tells by which label, owner and phase', () => {
    const hotplug = 'Pod shop/hp-volume-1';
    expect(dispatch({ found: attachment('a').build() }).evidence).toEqual([
      { object: hotplug, path: 'metadata.labels[kubevirt.io]', value: 'hotplug-disk' },
      { object: hotplug, path: 'metadata.ownerReferences', value: ['Pod a'] },
    ]);
    expect(dispatch({ found: launcher().phase('Failed').build() }).evidence).toEqual([
      { object: POD, path: 'metadata.labels[kubevirt.io]', value: 'virt-launcher' },
      { object: POD, path: 'status.phase', value: 'Failed' },
    ]);
    expect(dispatch({ found: launcher().build() }).evidence[1]?.value).toBe('Running');
    const stray = { kind: undefined, name: 'x' };
    expect(
      dispatch({
        found: aPod()
          .meta({ ownerReferences: [stray] })
          .build(),
      }).evidence,
    ).toEqual([
      { object: POD, path: 'metadata.labels[kubevirt.io]', value: undefined },
      { object: POD, path: 'metadata.ownerReferences', value: [' x'] },
    ]);
  });

  it('can be traced without a pod', () => {
    const trace = traceOf(podDispatchTable, { namespace: 'shop', name: 'p', pod: { error: 'boom' } });
    expect(trace.map((step) => step.rule)).toEqual(['PodNotReadable']);
    expect(podDispatchTable[1]?.reads({ namespace: 'shop', name: 'p', pod: { error: 'boom' } })).toEqual([]);
  });
});
