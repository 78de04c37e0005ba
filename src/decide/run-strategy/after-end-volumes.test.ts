import { describe, expect, it } from 'vitest';
import { aVm } from '../../kubevirt/builders.ts';
import { decide } from '../rules.ts';
import { afterEndTable } from './after-end.ts';
import { always, outcome, owned, vmi } from './test-after-end.ts';

describe('volume migrations', () => {
  const moving = owned()
    .condition('VolumesChange', 'True')
    .status({ migratedVolumes: [{ volumeName: 'd' }] });

  it('C23: one that is cut short keeps even an Always VM off', () => {
    const decision = decide(afterEndTable, { vm: always, vmi: moving.build(), end: 'Succeeded' });
    expect(decision).toEqual({
      reason: 'VolumeMigrationCutShort',
      result: 'StaysOff',
      evidence: [
        { object: 'VirtualMachine shop/db', path: 'spec.runStrategy', value: 'Always' },
        {
          object: 'VirtualMachineInstance shop/db',
          path: 'status.conditions[type=VolumesChange]',
          value: 'True',
        },
        {
          object: 'VirtualMachineInstance shop/db',
          path: 'status.migratedVolumes',
          value: [{ volumeName: 'd' }],
        },
      ],
    });
  });

  it.each([
    ['was given up', aVm().spec({ updateVolumesStrategy: 'Replacement' }).build(), moving.build()],
    [
      'was cancelled',
      always,
      owned()
        .condition('VolumesChange', 'False')
        .status({ migratedVolumes: [{}] })
        .build(),
    ],
    [
      'moves nothing',
      always,
      owned().condition('VolumesChange', 'True').status({ migratedVolumes: [] }).build(),
    ],
    ['names nothing', always, owned().condition('VolumesChange', 'True').build()],
  ])('one that %s does not', (_, vm, seen) => {
    expect(outcome({ vm, vmi: seen, end: 'Succeeded' })).toEqual(['RunStrategyAlways', 'Restarts']);
  });

  it('does not, if it is under way as asked for', () => {
    const vm = aVm().spec({ updateVolumesStrategy: 'Migration' }).build();
    expect(outcome({ vm, vmi: moving.build(), end: 'Failed' })).toEqual([
      'VolumeMigrationCutShort',
      'StaysOff',
    ]);
  });

  it('an earlier one that was cut short keeps the VM off until it is recovered', () => {
    const vm = aVm().condition('ManualRecoveryRequired', 'True', 'Why').build();
    expect(decide(afterEndTable, { vm, vmi, end: 'Failed' })).toEqual({
      reason: 'ManualRecoveryRequired',
      result: 'StaysOff',
      evidence: [
        {
          object: 'VirtualMachine shop/db',
          path: 'status.conditions[type=ManualRecoveryRequired]',
          value: 'True: Why',
        },
      ],
    });
  });

  it('does not hide that the strategy keeps the VM off anyway', () => {
    const vm = aVm().runStrategy('Manual').build();
    expect(outcome({ vm, vmi: moving.build(), end: 'Failed' })).toEqual(['RunStrategyManual', 'StaysOff']);
  });
});
