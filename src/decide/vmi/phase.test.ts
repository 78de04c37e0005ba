import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { decide } from '../rules.ts';
import { isUnprocessed, vmiPhaseTable } from './phase.ts';
import { isLauncherReady, isPodDownOrGoingDown } from './pod-state.ts';
import { vmiReadyTable } from './ready.ts';

const DELETED = '2026-03-01T11:59:00Z';
const starting = aPod().phase('Pending').build();
const ready = aPod().ready().build();
const unready = aPod().condition('Ready', 'False').build();
const ended = aPod().phase('Succeeded').build();
const failed = aPod().phase('Failed').build();
const leaving = aPod().ready().deleting(DELETED).build();

describe('how a launcher stands', () => {
  it.each([
    ['starting', starting, false, false],
    ['ready', ready, false, true],
    ['not ready', unready, false, false],
    ['without a condition', aPod().build(), false, false],
    ['ready before it runs', aPod().phase('Pending').ready().build(), false, false],
    ['ended', aPod().phase('Succeeded').ready().build(), true, false],
    ['failed', failed, true, false],
    ['leaving', leaving, true, false],
  ])('%s', (_, pod, isDown, isReady) => {
    expect(isPodDownOrGoingDown(pod)).toBe(isDown);
    expect(isLauncherReady(pod)).toBe(isReady);
  });
});

const inPhase = (phase: string, isLeaving = false): Vmi =>
  isLeaving ? aVmi().phase(phase).deleting(DELETED).build() : aVmi().phase(phase).build();

describe('the phase of a VMI', () => {
  it.each<[string, Vmi, Pod | undefined, string, string]>([
    ['has ended well', inPhase('Succeeded'), undefined, 'Succeeded', 'Final'],
    ['has ended badly, and its pod is there', inPhase('Failed'), ready, 'Failed', 'Final'],
    ['is new', aVmi().status({ phase: undefined }).build(), undefined, 'Pending', 'WaitsForPod'],
    ['waits', inPhase('Pending'), undefined, 'Pending', 'WaitsForPod'],
    ['waited, and its pod is there', inPhase('Pending'), starting, 'Scheduling', 'PodExists'],
    [
      'waited, its pod is there, and it is deleted',
      inPhase('Pending', true),
      starting,
      'Scheduling',
      'PodExists',
    ],
    ['is deleted before it had a pod', inPhase('Pending', true), undefined, 'Failed', 'DeletedBeforeItsPod'],
    ['has a pod that starts', inPhase('Scheduling'), starting, 'Scheduling', 'Unchanged'],
    ['has a pod that is ready', inPhase('Scheduling'), ready, 'Scheduled', 'PodReady'],
    [
      'has a pod that is ready, and is deleted',
      inPhase('Scheduling', true),
      ready,
      'Scheduling',
      'Unchanged',
    ],
    ['has lost its pod', inPhase('Scheduling'), undefined, 'Failed', 'PodMissing'],
    ['has a pod that ended', inPhase('Scheduling'), ended, 'Failed', 'PodDown'],
    ['has a pod that leaves', inPhase('Scheduling'), leaving, 'Failed', 'PodDown'],
    ['was handed over', inPhase('Scheduled'), ready, 'Scheduled', 'Unchanged'],
    ['was handed over, and lost its pod', inPhase('Scheduled'), undefined, 'Failed', 'PodMissing'],
    ['runs in a pod that leaves', inPhase('Running'), leaving, 'Running', 'Unchanged'],
    ['runs in a pod that ended', inPhase('Running'), ended, 'Running', 'Unchanged'],
    ['runs, and lost its pod', inPhase('Running'), undefined, 'Failed', 'PodMissing'],
    ['waits for a sync', inPhase('WaitingForSync'), undefined, 'WaitingForSync', 'Unchanged'],
  ])('that %s', (_, vmi, pod, phase, reason) => {
    expect(decide(vmiPhaseTable, { vmi, pod })).toMatchObject({ result: phase, reason });
  });

  it('tells what it looked at', () => {
    const object = 'VirtualMachineInstance shop/db';
    const pod = 'Pod shop/virt-launcher-db-1';
    expect(decide(vmiPhaseTable, { vmi: inPhase('Scheduling'), pod: leaving }).evidence).toEqual([
      { object, path: 'status.phase', value: 'Scheduling' },
      { object: pod, path: 'status.phase', value: 'Running' },
      { object: pod, path: 'metadata.deletionTimestamp', value: DELETED },
    ]);
    expect(decide(vmiPhaseTable, { vmi: inPhase('Succeeded'), pod: undefined }).evidence).toEqual([
      { object, path: 'status.phase', value: 'Succeeded' },
    ]);
    expect(decide(vmiPhaseTable, { vmi: inPhase('Pending', true), pod: undefined }).evidence).toEqual([
      { object, path: 'metadata.deletionTimestamp', value: DELETED },
    ]);
  });

  it.each([
    [undefined, true],
    ['', true],
    ['Pending', true],
    ['Scheduling', false],
  ])('%s: nobody made a pod yet: %s', (phase, expected) => {
    expect(isUnprocessed(aVmi().status({ phase }).build())).toBe(expected);
  });
});

describe('the condition Ready of a VMI', () => {
  const at = '2026-03-01T11:00:00Z';
  const podReady = aPod()
    .status({ conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at }] })
    .build();
  it.each<[string, Vmi, Pod | undefined, object]>([
    [
      'without a pod',
      inPhase('Running'),
      undefined,
      { status: 'False', reason: 'PodNotExists', message: 'virt-launcher pod has not yet been scheduled' },
    ],
    [
      'whose pod leaves',
      inPhase('Running'),
      leaving,
      { status: 'False', reason: 'PodTerminating', message: 'virt-launcher pod is terminating' },
    ],
    [
      'whose pod has ended',
      inPhase('Pending'),
      ended,
      { status: 'False', reason: 'PodTerminating', message: 'virt-launcher pod is terminating' },
    ],
    [
      'that does not run',
      inPhase('Scheduled'),
      ready,
      { status: 'False', reason: 'GuestNotRunning', message: 'Guest VM is not reported as running' },
    ],
    ['that runs in a ready pod', inPhase('Running'), podReady, { status: 'True', lastTransitionTime: at }],
    ['that runs in a pod that is not ready', inPhase('Running'), unready, { status: 'False' }],
    [
      'that runs in a pod that does not say',
      inPhase('Running'),
      aPod().build(),
      {
        status: 'False',
        reason: 'PodConditionMissing',
        message: 'virt-launcher pod is missing the Ready condition',
      },
    ],
  ])('%s', (_, vmi, pod, condition) => {
    expect(decide(vmiReadyTable, { vmi, pod }).result).toEqual({ type: 'Ready', ...condition });
  });

  it('tells what it looked at', () => {
    const evidence = (vmi: Vmi, pod: Pod | undefined) =>
      decide(vmiReadyTable, { vmi, pod }).evidence.map(({ path }) => path);
    expect(evidence(inPhase('Running'), undefined)).toEqual(['status.phase']);
    expect(evidence(inPhase('Running'), leaving)).toEqual([
      'status.phase',
      'status.phase',
      'metadata.deletionTimestamp',
    ]);
    expect(evidence(inPhase('Scheduled'), ready)).toEqual(['status.phase']);
    expect(evidence(inPhase('Running'), podReady)).toEqual(['status.conditions[type=Ready]']);
    expect(evidence(inPhase('Running'), aPod().build())).toEqual(['status.conditions']);
    expect(vmiReadyTable.every(({ asks, source }) => asks !== '' && source.includes('lifecycle.go'))).toBe(
      true,
    );
  });
});
