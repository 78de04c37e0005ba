import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import { persistentReservationCheck } from './checks.ts';

describe('persistentReservationCheck', () => {
  it('names the disks that are reserved', () => {
    const disks = [{ name: 'a' }, { name: 'b', lun: { reservation: true } }, { name: 'c', lun: {} }];
    const vmi = aVmi()
      .spec({ domain: { devices: { disks } } })
      .build();
    expect(persistentReservationCheck.reads({ vmi })).toEqual([
      {
        object: 'VirtualMachineInstance shop/db',
        path: 'spec.domain.devices.disks[lun.reservation=true]',
        value: ['b'],
      },
    ]);
    expect(persistentReservationCheck.when({ vmi })).toBe(true);
  });

  it('holds for no VMI without disks', () => {
    expect(persistentReservationCheck.when({ vmi: aVmi().build() })).toBe(false);
    expect(persistentReservationCheck.reads({ vmi: aVmi().build() })[0]?.value).toBeUndefined();
  });
});
