import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { decide, type Evidence } from '../rules.ts';
import {
  type BackgroundAnswer,
  type BackgroundEntry,
  type BackgroundFate,
  backgroundAnswerTable,
  backgroundRequestTable,
  backgroundUpdateTable,
} from './background-eviction.ts';

const ONLY = 'descheduler.alpha.kubernetes.io/request-evict-only';
const UNDER_WAY = 'descheduler.alpha.kubernetes.io/eviction-in-progress';
const launcher = () => aPod('l').annotated(ONLY, '');
const assumed: BackgroundEntry = { state: 'assumed', since: 0 };
const confirmed: BackgroundEntry = { state: 'confirmed', since: 0 };
const annotation = (name: string, value: string | undefined): Evidence[] => [
  { object: 'Pod shop/l', path: `metadata.annotations[${name}]`, value },
];

describe('a request for an eviction in the background', () => {
  it.each<[string, string, Pod, BackgroundEntry | undefined, boolean, 'send' | 'nothing']>([
    ['Asked', 'the first time', launcher().build(), undefined, true, 'send'],
    ['AlreadyMoving', 'while it is assumed to move', launcher().build(), assumed, true, 'nothing'],
    ['AlreadyMoving', 'while it moves', launcher().build(), confirmed, true, 'nothing'],
    ['Asked', 'without the gate', launcher().build(), assumed, false, 'send'],
    ['Asked', 'of a pod without the annotation', aPod('l').build(), assumed, true, 'send'],
  ])('%s: %s', (reason, _name, pod, entry, isGateOn, result) => {
    const value = pod.metadata.annotations?.[ONLY];
    expect(decide(backgroundRequestTable, { pod, entry, isGateOn })).toEqual({
      reason,
      result,
      evidence: annotation(ONLY, value),
    });
  });
});

describe('an answer to it', () => {
  const first = 'admission webhook denied the request: Eviction triggered evacuation of VMI "shop/db"';
  const later = 'Evacuation in progress: Eviction triggered evacuation of VMI "shop/db"';
  const pdb = "Cannot evict pod as it would violate the pod's disruption budget.";
  it.each<[string, string, Partial<BackgroundAnswer>, string]>([
    ['Evicted', 'accepted', { answer: { ok: true, code: 201 } }, 'evicted'],
    [
      'AssumedMoving',
      'an evacuation has begun',
      { answer: { ok: false, code: 429, message: first } },
      'assumed',
    ],
    [
      'AssumedMoving',
      'an evacuation goes on',
      { answer: { ok: false, code: 429, message: later } },
      'assumed',
    ],
    ['Failed', 'a budget refuses', { answer: { ok: false, code: 429, message: pdb } }, 'failed'],
    ['Failed', 'no words', { answer: { ok: false, code: 429 } }, 'failed'],
    ['Failed', 'the words with another code', { answer: { ok: false, code: 500, message: first } }, 'failed'],
    [
      'Failed',
      'without the gate',
      { answer: { ok: false, code: 429, message: first }, isGateOn: false },
      'failed',
    ],
    [
      'Failed',
      'a pod without the annotation',
      { answer: { ok: false, code: 429, message: first }, pod: aPod('l').build() },
      'failed',
    ],
  ])('%s: %s', (reason, _name, more, result) => {
    const input: BackgroundAnswer = {
      pod: launcher().build(),
      isGateOn: true,
      answer: { ok: true },
      ...more,
    };
    expect(decide(backgroundAnswerTable, input)).toEqual({
      reason,
      result,
      evidence: [
        { object: 'Pod shop/l', path: 'eviction.code', value: input.answer.code },
        { object: 'Pod shop/l', path: 'eviction.message', value: input.answer.message },
      ],
    });
  });
});

describe('what is remembered', () => {
  const moving = launcher().annotated(UNDER_WAY, 'kubevirt');
  it.each<[string, string, Pod | undefined, BackgroundEntry, number, boolean, BackgroundFate]>([
    ['Confirmed', 'once the annotation is there', moving.build(), assumed, 1, false, 'confirm'],
    ['StillMoving', 'while the annotation stays', moving.build(), confirmed, 9_999_999, true, 'keep'],
    ['CalledOff', 'once the annotation is gone', launcher().build(), confirmed, 1, false, 'forget'],
    ['StillMoving', 'while nothing confirms it', launcher().build(), assumed, 600_001, false, 'keep'],
    [
      'StillMoving',
      'at a sweep after exactly ten minutes',
      launcher().build(),
      assumed,
      600_000,
      true,
      'keep',
    ],
    [
      'NeverConfirmed',
      'at a sweep after more than that',
      launcher().build(),
      assumed,
      600_001,
      true,
      'forget',
    ],
    [
      'PodEnded',
      'once the pod has succeeded',
      launcher().phase('Succeeded').build(),
      confirmed,
      1,
      false,
      'succeeded',
    ],
    ['PodEnded', 'once the pod has failed', launcher().phase('Failed').build(), assumed, 1, false, 'failed'],
    ['PodDeleted', 'once the pod is gone', undefined, assumed, 1, false, 'succeeded'],
  ])('%s: %s', (reason, _name, pod, entry, now, sweeps, result) => {
    expect(decide(backgroundUpdateTable, { pod, entry, now, sweeps })).toMatchObject({ reason, result });
  });

  it.each<[string, Pod | undefined, Evidence[]]>([
    ['nothing', undefined, []],
    [
      'its phase',
      launcher().phase('Failed').build(),
      [{ object: 'Pod shop/l', path: 'status.phase', value: 'Failed' }],
    ],
    ['its annotation', moving.build(), annotation(UNDER_WAY, 'kubevirt')],
  ])('rests on %s', (_name, pod, evidence) => {
    expect(decide(backgroundUpdateTable, { pod, entry: assumed, now: 0, sweeps: false }).evidence).toEqual(
      evidence,
    );
  });
});
