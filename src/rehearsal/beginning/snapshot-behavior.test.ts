import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import { RECORDED_BEHAVIOR } from '../../simulation/guests/behavior.ts';
import { behaviorBySnapshot } from './snapshot-behavior.ts';

const base = () => RECORDED_BEHAVIOR;

describe('whether a guest of a snapshot can migrate', () => {
  const fixed = (reason: string) => aVmi().condition('LiveMigratable', 'False', reason);
  const moved = { migratedVolumes: [{ volumeName: 'd' }] };

  it.each([
    ['is as its condition says', aVmi().condition('LiveMigratable', 'True').build(), {}],
    ['or does not', fixed('HostDeviceNotLiveMigratable').build(), { reason: 'HostDeviceNotLiveMigratable' }],
    [
      'where it says no reason, that is not known',
      aVmi().condition('LiveMigratable', 'False').build(),
      { reason: 'Unknown' },
    ],
    ['is not known without one', aVmi().build(), undefined],
    [
      'is to be found out where its disks move along',
      fixed('DisksNotLiveMigratable').status(moved).build(),
      undefined,
    ],
    ['not where something else keeps it', fixed('Gpu').status(moved).build(), { reason: 'Gpu' }],
    [
      'nor where no disk does',
      fixed('DisksNotLiveMigratable').status({ migratedVolumes: [] }).build(),
      { reason: 'DisksNotLiveMigratable' },
    ],
  ])('%s', (_, vmi, migratability) => {
    expect(behaviorBySnapshot([vmi], base)(vmi).migratability).toEqual(migratability);
  });

  it('is what somebody says of the guest, before all', () => {
    const vmi = aVmi().condition('LiveMigratable', 'True').build();
    const told = behaviorBySnapshot([vmi], () => ({
      ...RECORDED_BEHAVIOR,
      migratability: { reason: 'Told' },
    }));
    expect(told(vmi).migratability).toEqual({ reason: 'Told' });
  });
});
