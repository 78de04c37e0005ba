import { describe, expect, it } from 'vitest';
import { aPod } from '../../../kubevirt/builders.ts';
import { parseInstant } from '../../../kubevirt/time.ts';
import { podIpOf } from './pod-ip.ts';
import { isStarted, podEnded, podRunning } from './pod-writes.ts';

const AT = '2026-03-01T12:00:09Z';
const NOW = parseInstant(AT) ?? 0;
const pod = (phase: string) =>
  aPod()
    .phase(phase)
    .spec({ containers: [{ name: 'compute', image: 'launcher:v1' }] });

describe('a pod', () => {
  it('runs with an address, its containers ready', () => {
    const bound = pod('Pending').condition('PodScheduled', 'True').condition('Ready', 'False').build();
    expect(podRunning(bound, '10.0.0.1', NOW)?.status).toMatchObject({
      phase: 'Running',
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
      startTime: AT,
      conditions: [
        { type: 'PodScheduled', status: 'True' },
        { type: 'Ready', status: 'True', lastTransitionTime: AT },
        { type: 'Initialized', status: 'True', lastTransitionTime: AT },
        { type: 'ContainersReady', status: 'True', lastTransitionTime: AT },
      ],
      containerStatuses: [
        {
          name: 'compute',
          image: 'launcher:v1',
          ready: true,
          started: true,
          restartCount: 0,
          state: { running: { startedAt: AT } },
        },
      ],
    });
  });

  it('does not start twice, nor when it is deleted', () => {
    for (const phase of ['Running', 'Succeeded', 'Failed']) {
      expect(isStarted(pod(phase).build())).toBe(true);
      expect(podRunning(pod(phase).build(), '10.0.0.1', NOW)).toBeUndefined();
    }
    expect(isStarted(pod('Pending').build())).toBe(false);
    expect(podRunning(pod('Pending').deleting().build(), '10.0.0.1', NOW)).toBeUndefined();
  });

  it.each([
    ['Succeeded', 'PodCompleted', 0, 'Completed'],
    ['Failed', 'PodFailed', 1, 'Error'],
  ] as const)('ends once, %s', (phase, reason, exitCode, why) => {
    const ended = podEnded(pod('Running').condition('Ready', 'True').build(), phase, NOW);
    expect(ended?.status).toMatchObject({
      phase,
      conditions: [
        { type: 'Ready', status: 'False', reason, lastTransitionTime: AT },
        { type: 'ContainersReady', status: 'False', reason, lastTransitionTime: AT },
      ],
      containerStatuses: [
        {
          name: 'compute',
          ready: false,
          started: false,
          state: { terminated: { exitCode, reason: why, finishedAt: AT } },
        },
      ],
    });
    expect(podEnded(pod(phase).build(), phase, NOW)).toBeUndefined();
  });

  it('has an address of its own, the same every time', () => {
    const address = (uid: string) => podIpOf(aPod().meta({ uid }).build());
    expect(address('a')).toBe(address('a'));
    expect(address('a')).not.toBe(address('b'));
    expect(address('a')).toMatch(/^10(\.\d{1,3}){3}$/);
    const many = new Set(Array.from({ length: 1000 }, (_, index) => address(`uid-${index}`)));
    expect(many.size).toBe(1000);
  });
});

it('containers that run beside the others are ready as well, so that kubectl shows 2/2', () => {
  const spec = {
    containers: [{ name: 'compute' }],
    initContainers: [{ name: 'guest-console-log', restartPolicy: 'Always' }, { name: 'volumeroot' }],
  };
  const running = podRunning(aPod().phase('Pending').spec(spec).build(), '10.0.0.1', NOW);
  expect(running?.status).toMatchObject({
    initContainerStatuses: [
      { name: 'guest-console-log', ready: true, state: { running: { startedAt: AT } } },
      { name: 'volumeroot', ready: false, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
    ],
  });
  expect(running && podEnded(running, 'Failed', NOW)?.status).toMatchObject({
    containerStatuses: [{ state: { terminated: { exitCode: 1, reason: 'Error' } } }],
    initContainerStatuses: [
      { name: 'guest-console-log', ready: false, state: { terminated: { exitCode: 0 } } },
      { name: 'volumeroot' },
    ],
  });
});
