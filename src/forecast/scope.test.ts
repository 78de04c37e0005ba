import { describe, expect, it } from 'vitest';
import { Fleet } from '../fleet/fleet.ts';
import { aPod, aVm, aVmi } from '../kubevirt/builders.ts';
import { parseSelector } from '../kubevirt/selector.ts';
import { isInScope } from './scope.ts';

const vmi = aVmi('db', 'shop').on('n1').labelled('tier', 'data').build();
const fleet = new Fleet();
fleet.apply('VirtualMachineInstance', vmi);
fleet.apply('VirtualMachine', aVm('db', 'shop').labelled('app', 'db').build());
fleet.apply(
  'Pod',
  aPod('virt-launcher-db-x', 'shop')
    .on('n1')
    .meta({
      labels: { 'kubevirt.io': 'virt-launcher' },
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachineInstance',
          name: 'db',
          uid: 'uid-db',
          controller: true,
        },
      ],
    })
    .build(),
);

describe('isInScope', () => {
  it.each([
    ['nothing set', {}, true],
    ['its namespace', { namespace: 'shop' }, true],
    ['another namespace', { namespace: 'ci' }, false],
    ['a label of the VMI', { selector: parseSelector('tier=data') }, true],
    ['a label of the VM', { selector: parseSelector('app=db') }, true],
    ['a label of its launcher pod', { selector: parseSelector('kubevirt.io=virt-launcher') }, true],
    ['a label that none has', { selector: parseSelector('app=web') }, false],
    ['labels of two different objects', { selector: parseSelector('app=db,tier=data') }, false],
    ['its labels in another namespace', { namespace: 'ci', selector: parseSelector('app=db') }, false],
    ['every label', { selector: parseSelector('') }, true],
  ])('%s', (_, scope, expected) => {
    expect(isInScope(fleet, scope, vmi)).toBe(expected);
  });

  it('takes a VM that does not run by its own labels', () => {
    const halted = aVm('off', 'shop').labelled('app', 'off').build();
    fleet.apply('VirtualMachine', halted);
    expect(isInScope(fleet, { selector: parseSelector('app=off') }, halted)).toBe(true);
  });

  it('takes nothing by label of what the fleet does not have', () => {
    expect(isInScope(fleet, { selector: parseSelector('') }, aVmi('gone', 'shop').build())).toBe(false);
  });
});
