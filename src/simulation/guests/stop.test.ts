import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import { stoppedGuest } from './stop.ts';

const guest = (terminationGracePeriodSeconds = 30, acpi = true) =>
  aVmi()
    .on('n1')
    .spec({ terminationGracePeriodSeconds, domain: { features: { acpi: { enabled: acpi } } } })
    .build();

describe('a guest that is asked to stop', () => {
  it.each([
    ['goes along', { kind: 'clean', seconds: 7 }, 7, 'Itself', { state: 'Shutoff', reason: 'Shutdown' }],
    ['crashes', { kind: 'crashes', seconds: 7 }, 7, 'Itself', { state: 'Crashed', reason: 'Crashed' }],
    [
      'goes at the last moment',
      { kind: 'clean', seconds: 30 },
      30,
      'Itself',
      { state: 'Shutoff', reason: 'Shutdown' },
    ],
    [
      'is too slow',
      { kind: 'clean', seconds: 31 },
      30,
      'Destroyed',
      { state: 'Shutoff', reason: 'Destroyed' },
    ],
    [
      'ignores it',
      { kind: 'ignores', seconds: 0 },
      30,
      'Destroyed',
      { state: 'Shutoff', reason: 'Destroyed' },
    ],
    [
      'needs to be asked again',
      { kind: 'clean', seconds: 2, ignoredRequests: 3 },
      17,
      'Itself',
      { state: 'Shutoff', reason: 'Shutdown' },
    ],
  ] as const)('%s', (_, behavior, seconds, how, domain) => {
    expect(stoppedGuest({ vmi: guest() }, behavior)).toEqual({ seconds, how, domain });
  });

  it('is destroyed at once without a grace period', () => {
    const left = stoppedGuest({ vmi: guest(0) }, { kind: 'clean', seconds: 0 });
    expect(left).toEqual({ seconds: 0, how: 'Destroyed', domain: { state: 'Shutoff', reason: 'Destroyed' } });
  });

  it('hears nothing without ACPI', () => {
    const left = stoppedGuest({ vmi: guest(30, false) }, { kind: 'clean', seconds: 1 });
    expect(left).toEqual({
      seconds: 30,
      how: 'Destroyed',
      domain: { state: 'Shutoff', reason: 'Destroyed' },
    });
  });

  it('is killed with a pod that gets less time than it needs', () => {
    const pod = aPod().spec({ terminationGracePeriodSeconds: 60 }).build();
    const stop = { vmi: guest(), pod, podGraceSeconds: 10 };
    expect(stoppedGuest(stop, { kind: 'ignores', seconds: 0 })).toEqual({
      seconds: 10,
      how: 'Killed',
      domain: undefined,
    });
    expect(stoppedGuest(stop, { kind: 'clean', seconds: 10 })).toMatchObject({ seconds: 10, how: 'Itself' });
    expect(stoppedGuest(stop, { kind: 'clean', seconds: 11 })).toMatchObject({ seconds: 10, how: 'Killed' });
  });

  it('is killed at once where the pod gets no time', () => {
    const left = stoppedGuest({ vmi: guest(), podGraceSeconds: 0 }, { kind: 'clean', seconds: 0 });
    expect(left).toEqual({ seconds: 0, how: 'Killed', domain: undefined });
  });
});
