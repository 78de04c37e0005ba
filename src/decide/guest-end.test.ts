import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../kubevirt/builders.ts';
import type { VmiSpec } from '../kubevirt/objects.ts';
import { type GuestStop, guestEndTable, guestGraceSeconds, hasAcpi, podGraceSeconds } from './guest-end.ts';
import { decide } from './rules.ts';

const aGuest = (spec: VmiSpec = {}) => aVmi().spec(spec).build();
const withoutAcpi = (terminationGracePeriodSeconds?: number): VmiSpec => ({
  terminationGracePeriodSeconds,
  domain: { features: { acpi: { enabled: false } } },
});

function ends(stop: GuestStop) {
  const { reason, result } = decide(guestEndTable, stop);
  return [reason, ...result.map(({ end, how, withinSeconds }) => `${how} in ${withinSeconds}: ${end}`)];
}

describe('the periods', () => {
  it.each([
    ['its default', {}, 30],
    ['what the VMI says', { terminationGracePeriodSeconds: 180 }, 180],
    ['nothing', { terminationGracePeriodSeconds: 0 }, 0],
  ])('a guest gets %s', (_, spec, seconds) => {
    expect(guestGraceSeconds(aGuest(spec))).toBe(seconds);
  });

  const pod = aPod().spec({ terminationGracePeriodSeconds: 50 });
  it.each([
    ['what the caller asks for', { podGraceSeconds: 5, pod: pod.build() }, 5],
    ['nothing, if the caller asks for nothing', { podGraceSeconds: 0, pod: pod.build() }, 0],
    ['its own, if the caller asks for -1', { podGraceSeconds: -1, pod: pod.build() }, 50],
    ['its own', { pod: pod.build() }, 50],
    ['half a minute more than the guest, if it says nothing', { pod: aPod().build() }, 60],
    ['half a minute more than the guest, if it is not known', {}, 60],
    ['what its deletion says', { pod: pod.meta({ deletionGracePeriodSeconds: 7 }).build() }, 7],
  ])('a pod gets %s', (_, stop, seconds) => {
    expect(podGraceSeconds({ vmi: aGuest(), ...stop })).toBe(seconds);
  });
});

describe('hasAcpi', () => {
  it.each([
    ['nothing is said', {}, true],
    ['it is named', { domain: { features: { acpi: {} } } }, true],
    ['it is on', { domain: { features: { acpi: { enabled: true } } } }, true],
    ['it is off', { domain: { features: { acpi: { enabled: false } } } }, false],
  ])('when %s: %s', (_, spec, on) => {
    expect(hasAcpi(aGuest(spec))).toBe(on);
  });
});

describe('the ends of a guest', () => {
  const long = { terminationGracePeriodSeconds: 45 };

  it.each<[string, GuestStop, string[]]>([
    [
      'by default',
      { vmi: aGuest() },
      ['GuestDecides', 'PowersOff in 30: Succeeded', 'Destroyed in 30: Failed'],
    ],
    [
      'with a longer time',
      { vmi: aGuest(long) },
      ['GuestDecides', 'PowersOff in 45: Succeeded', 'Destroyed in 45: Failed'],
    ],
    [
      'with no time',
      { vmi: aGuest({ terminationGracePeriodSeconds: 0 }) },
      ['NoGracePeriod', 'Destroyed in 0: Succeeded'],
    ],
    [
      'with no time, without ACPI',
      { vmi: aGuest(withoutAcpi(0)) },
      ['NoGracePeriod', 'Destroyed in 0: Succeeded'],
    ],
    ['without ACPI', { vmi: aGuest(withoutAcpi()) }, ['NoAcpi', 'Destroyed in 30: Succeeded']],
    [
      'drained by Talos, with the default time',
      { vmi: aGuest(), podGraceSeconds: 60 },
      ['GuestDecides', 'PowersOff in 30: Succeeded', 'Destroyed in 30: Failed'],
    ],
    [
      'drained by Talos, with three minutes',
      { vmi: aGuest({ terminationGracePeriodSeconds: 180 }), podGraceSeconds: 60 },
      ['PodPeriodTooShort', 'PowersOff in 60: Succeeded', 'Killed in 60: Failed'],
    ],
    [
      'whose pod gets as long as it does',
      { vmi: aGuest(long), podGraceSeconds: 45 },
      ['PodPeriodTooShort', 'PowersOff in 45: Succeeded', 'Killed in 45: Failed'],
    ],
    [
      'whose pod gets a second more',
      { vmi: aGuest(long), podGraceSeconds: 46 },
      ['GuestDecides', 'PowersOff in 45: Succeeded', 'Destroyed in 45: Failed'],
    ],
    [
      'without ACPI, whose pod gets less',
      { vmi: aGuest(withoutAcpi(180)), podGraceSeconds: 60 },
      ['NoAcpiAndPodPeriodTooShort', 'Killed in 60: Failed'],
    ],
    [
      'whose pod is killed at once',
      { vmi: aGuest(), podGraceSeconds: 0 },
      ['PodKilledAtOnce', 'Killed in 0: Failed'],
    ],
    [
      'with no time, whose pod is killed at once',
      { vmi: aGuest({ terminationGracePeriodSeconds: 0 }), podGraceSeconds: 0 },
      ['PodKilledAtOnce', 'Killed in 0: Failed'],
    ],
    [
      'that has shut down',
      { vmi: aVmi().phase('Succeeded').build() },
      ['GuestHasEnded', 'PowersOff in 0: Succeeded'],
    ],
    ['that has failed', { vmi: aVmi().phase('Failed').build() }, ['GuestHasEnded', 'Killed in 0: Failed']],
    [
      'that is on its way',
      { vmi: aVmi().phase('Scheduled').build() },
      ['GuestNotRunning', 'Killed in 0: Failed'],
    ],
  ])('%s', (_, stop, told) => {
    expect(ends(stop)).toEqual(told);
  });

  it('C06: a guest that may obey or ignore the button ends in both ways, without ACPI in one', () => {
    expect(ends({ vmi: aGuest({ terminationGracePeriodSeconds: 30 }) }).slice(1)).toHaveLength(2);
    expect(ends({ vmi: aGuest(withoutAcpi(30)) }).slice(1)).toEqual(['Destroyed in 30: Succeeded']);
  });
});

describe('the evidence of an end', () => {
  const on = (object: string) => (path: string, value: unknown) => ({ object, path, value });
  const ofVmi = on('VirtualMachineInstance shop/db');
  const ofPod = on('Pod shop/virt-launcher-db-1');
  const pod = aPod().spec({ terminationGracePeriodSeconds: 50 });
  const grace = (value: unknown) => ofVmi('spec.terminationGracePeriodSeconds', value);
  const acpi = (value: unknown) => ofVmi('spec.domain.features.acpi.enabled', value);
  const period = (value: unknown) => ofPod('spec.terminationGracePeriodSeconds', value);
  const evidence = (stop: GuestStop) => decide(guestEndTable, stop).evidence;

  it('of the plain case is time and ACPI', () => {
    expect(evidence({ vmi: aGuest() })).toEqual([grace(undefined), acpi(undefined)]);
  });

  it('of a guest without time is its time', () => {
    expect(evidence({ vmi: aGuest({ terminationGracePeriodSeconds: 0 }) })).toEqual([grace(0)]);
  });

  it('of a guest without ACPI is ACPI and its time', () => {
    expect(evidence({ vmi: aGuest(withoutAcpi(9)) })).toEqual([acpi(false), grace(9)]);
  });

  it('of a pod that is too quick is both periods', () => {
    const vmi = aGuest({ terminationGracePeriodSeconds: 80 });
    expect(evidence({ vmi, pod: pod.build() })).toEqual([grace(80), period(50)]);
    expect(evidence({ vmi, pod: pod.meta({ deletionGracePeriodSeconds: 7 }).build() })).toEqual([
      grace(80),
      period(7),
    ]);
    expect(evidence({ vmi, podGraceSeconds: 9 })).toEqual([grace(80)]);
    expect(evidence({ vmi, podGraceSeconds: 0, pod: pod.build() })).toContainEqual(grace(80));
    expect(evidence({ vmi: aGuest(withoutAcpi(80)), podGraceSeconds: 9 })).toEqual([acpi(false), grace(80)]);
  });

  it('of a guest that does not run is its phase', () => {
    expect(evidence({ vmi: aVmi().phase('Failed').build() })).toEqual([ofVmi('status.phase', 'Failed')]);
    expect(evidence({ vmi: aVmi().phase('Pending').build() })).toEqual([ofVmi('status.phase', 'Pending')]);
  });
});
