import { expect, it } from 'vitest';
import { aNode, aPod } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { pendingCandidate } from '../placement/candidate.ts';
import { surroundingsOf } from '../placement/seat.ts';
import { PlacementWorld } from '../placement/world.ts';
import { refusalOf, tellUnschedulable } from './unschedulable.ts';

const NODE = aNode('n1').offering({ cpu: '2', memory: '1Gi', pods: '1' }).build();

function seatOf(pod: Pod, ...others: Pod[]) {
  const world = new PlacementWorld({ nodes: [NODE], podsOn: () => others });
  return { ...surroundingsOf(pendingCandidate(pod), world, false), node: NODE };
}

const SEAT = seatOf(aPod().build());

it.each([
  ['NodeUnschedulable', 'node(s) were unschedulable', false],
  ['UntoleratedTaint', 'node(s) had untolerated taint(s)', false],
  ['NotSchedulableForVms', "node(s) didn't match Pod's node affinity/selector", false],
  ['CpuMismatch', "node(s) didn't match Pod's node affinity/selector", false],
  ['NodeSelectorMismatch', "node(s) didn't match Pod's node affinity/selector", false],
  ['NodeAffinityMismatch', "node(s) didn't match Pod's node affinity/selector", false],
  ['VolumeNodeAffinity', "node(s) didn't match PersistentVolume's node affinity", false],
  ['PodAffinity', "node(s) didn't match pod affinity rules", false],
  ['PodAntiAffinity', "node(s) didn't match pod anti-affinity rules", true],
  ['ExistingPodsAntiAffinity', "node(s) didn't satisfy existing pods anti-affinity rules", true],
])('says of %s', (filter, words, preemptionMayHelp) => {
  expect(refusalOf(filter, SEAT)).toEqual({ says: [words], preemptionMayHelp });
});

it('names every resource of which there is too little, and whether room could be made', () => {
  const other = aPod('other').asking({ cpu: '1500m', memory: '900Mi' }).build();
  const seat = seatOf(aPod().asking({ cpu: '1', memory: '200Mi' }).build(), other);
  expect(refusalOf('InsufficientResources', seat)).toEqual({
    says: ['Insufficient cpu', 'Insufficient memory', 'Too many pods'],
    preemptionMayHelp: true,
  });
});

it('sees that a pod would not even fit on the empty node', () => {
  const seat = seatOf(aPod().asking({ cpu: '3' }).build());
  expect(refusalOf('InsufficientResources', seat)).toEqual({
    says: ['Insufficient cpu'],
    preemptionMayHelp: false,
  });
});

it('takes a pod that would just fill the node as one that could fit', () => {
  const seat = seatOf(aPod().asking({ cpu: '2' }).build(), aPod('other').asking({ cpu: '1m' }).build());
  expect(refusalOf('TooManyPods', seat).preemptionMayHelp).toBe(true);
});

const spread = (topologyKey: string) =>
  aPod()
    .labelled('app', 'a')
    .spec({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey, minDomains: 2, labelSelector: { matchLabels: { app: 'a' } } },
      ],
    })
    .build();

it('tells a skew from a node without the label', () => {
  const peer = aPod('peer').labelled('app', 'a').build();
  expect(refusalOf('TopologySpread', seatOf(spread('kubernetes.io/hostname'), peer))).toEqual({
    says: ["node(s) didn't match pod topology spread constraints"],
    preemptionMayHelp: true,
  });
  expect(refusalOf('TopologySpread', seatOf(spread('rack')))).toEqual({
    says: ["node(s) didn't match pod topology spread constraints (missing required label)"],
    preemptionMayHelp: false,
  });
});

const elsewhere = refusalOf('NodeSelectorMismatch', SEAT);

it.each([
  [
    'a cordoned node among those that the pod does not select',
    [elsewhere, refusalOf('NodeUnschedulable', SEAT), elsewhere, elsewhere],
    "0/4 nodes are available: 1 node(s) were unschedulable, 3 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.",
  ],
  [
    'the own source among them',
    [refusalOf('PodAntiAffinity', SEAT), elsewhere, elsewhere, elsewhere],
    "0/4 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 3 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/4 nodes are available: 1 No preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling.",
  ],
  ['no nodes at all', [], 'no nodes available to schedule pods'],
])('tells, as recorded, of %s', (_, refusals, message) => {
  expect(tellUnschedulable(refusals)).toBe(message);
});
