import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { isForVm, isPodOfVmi, NOBODY, PodsByNode, type Presence } from './placed.ts';

const launcher = aPod('l').launcherOf(aVmi().build()).build();
const other = aPod('b').launcherOf(aVmi('web').build()).build();
const attachment = aPod('hp').labelled('kubevirt.io', 'hotplug-disk').build();
const system = aPod('s').build();

describe('a pod', () => {
  it.each([
    ['a launcher', launcher, true],
    ['an attachment pod', attachment, true],
    ['another', system, false],
  ])('for a VM: %s', (_name, pod, is) => {
    expect(isForVm(pod)).toBe(is);
  });

  it.each([
    ['by controller', aPod().ownedBy('VirtualMachineInstance', 'db').build(), 'uid-db', true],
    ['by label', aPod().labelled('kubevirt.io/created-by', 'uid-db').build(), 'uid-db', true],
    ['of another', aPod().ownedBy('VirtualMachineInstance', 'web').build(), 'uid-db', false],
    ['of nobody', aPod().build(), 'uid-db', false],
    ['of a VMI without UID', aPod().build(), undefined, false],
    ['of a VMI with an empty UID', aPod().labelled('kubevirt.io/created-by', '').build(), '', false],
  ])('of a VMI: %s', (_name, pod, uid, is) => {
    expect(isPodOfVmi(pod, uid)).toBe(is);
  });
});

describe('pods by node', () => {
  const [n1, n2] = [aNode('n1').build(), aNode('n2').build()];
  const pods = new PodsByNode([
    { pod: system, node: n1 },
    { pod: launcher, node: n1 },
    { pod: other, node: n2 },
  ]);
  const firsts = (presence: Presence) =>
    [...pods.firsts(presence)].map(({ pod, node }) => `${node.metadata.name} ${pod.metadata.name}`);
  const counts = (presence: Presence) =>
    [...pods.there(presence)].map(([node, there]) => `${node.metadata.name} ${there.length}`);
  const without = (...gone: Pod[]) => ({ gone: new Set(gone) });

  it.each<[string, Presence, string[], string[]]>([
    ['all', { gone: NOBODY }, ['n1 l', 'n2 b'], ['n1 2', 'n2 1']],
    ['without the first of a node', without(launcher), ['n1 s', 'n2 b'], ['n1 1', 'n2 1']],
    ['without any of a node', without(other), ['n1 l'], ['n1 2', 'n2 0']],
    ['without those of other VMs', { gone: NOBODY, onlyOfVms: 'shop/l' }, ['n1 s', 'n1 l'], ['n1 1', 'n1 1']],
    ['without those of any VM', { ...without(launcher), onlyOfVms: 'shop/l' }, ['n1 s'], ['n1 1', 'n1 0']],
    ['beside a pod that is not here', { ...without(), onlyOfVms: 'shop/x' }, ['n1 s'], ['n1 1']],
    ['beside one that is there for no VM, once', { ...without(), onlyOfVms: 'shop/s' }, ['n1 s'], ['n1 1']],
  ])('%s', (_name, presence, first, count) => {
    expect(firsts(presence)).toEqual(first);
    expect(firsts(presence)).toEqual(first);
    expect(counts(presence)).toEqual(count);
  });
});
