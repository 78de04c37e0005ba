import { expect, it } from 'vitest';
import { aPod } from '../../../kubevirt/builders.ts';
import { bound, markedScheduled, markedUnschedulable } from './binding.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const LATER = NOW + 5000;

it('gives a node once', () => {
  const pod = aPod().spec({ priority: 3 }).build();
  expect(bound(pod, 'n1')).toEqual({ ...pod, spec: { priority: 3, nodeName: 'n1' } });
  expect(bound(aPod().on('n2').build(), 'n1')).toBeUndefined();
});

it('marks a pod as scheduled, before what others wrote', () => {
  const pod = aPod().phase('Pending').ready().build();
  const marked = markedScheduled(pod, NOW);
  expect(marked?.status).toEqual({
    phase: 'Pending',
    conditions: [
      { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-03-01T12:00:00Z' },
      { type: 'Ready', status: 'True', reason: undefined },
    ],
  });
  expect(marked && markedScheduled(marked, LATER)).toBeUndefined();
});

it('marks a pod as unschedulable, and keeps the time while only the message changes', () => {
  const first = markedUnschedulable(aPod().build(), 'no room', NOW);
  expect(first?.status?.conditions).toEqual([
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: 'no room',
      lastTransitionTime: '2026-03-01T12:00:00Z',
    },
  ]);
  expect(first && markedUnschedulable(first, 'no room', LATER)).toBeUndefined();
  const second = first && markedUnschedulable(first, 'still none', LATER);
  expect(second?.status?.conditions?.[0]).toMatchObject({
    message: 'still none',
    lastTransitionTime: '2026-03-01T12:00:00Z',
  });
  const seated = second && markedScheduled(second, LATER);
  expect(seated?.status?.conditions).toEqual([
    { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-03-01T12:00:05Z' },
  ]);
});

it('says nothing against a pod that has a node', () => {
  expect(markedUnschedulable(aPod().on('n1').build(), 'no room', NOW)).toBeUndefined();
});
