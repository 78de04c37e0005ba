import { describe, expect, it } from 'vitest';
import { conditionField, field, migrationField, podField, refOf, vmField, vmiField } from './evidence.ts';

const object = { metadata: { name: 'db', namespace: 'shop' } };

describe('evidence', () => {
  it.each([
    [refOf({ ...object, kind: 'Pod' }), 'Pod shop/db'],
    [refOf({ metadata: { name: 'n1' }, kind: 'Node' }), 'Node n1'],
    [refOf(object), 'Object shop/db'],
    [refOf({ ...object, kind: 'Pod' }, 'VirtualMachine'), 'VirtualMachine shop/db'],
  ])('names an object as %s', (told, ref) => {
    expect(told).toBe(ref);
  });

  it.each([
    [field(object, 'a.b', 1, 'Pod'), 'Pod shop/db'],
    [vmiField(object, 'a.b', 1), 'VirtualMachineInstance shop/db'],
    [migrationField(object, 'a.b', 1), 'VirtualMachineInstanceMigration shop/db'],
    [podField(object, 'a.b', 1), 'Pod shop/db'],
    [vmField(object, 'a.b', 1), 'VirtualMachine shop/db'],
  ])('of a field: %o', (told, ref) => {
    expect(told).toEqual({ object: ref, path: 'a.b', value: 1 });
  });

  it.each([
    [[{ type: 'X', status: 'False', reason: 'R', message: 'm' }], 'False: R: m'],
    [[{ type: 'X', status: 'True' }], 'True'],
    [
      [
        { type: 'X', status: 'True' },
        { type: 'X', status: 'False' },
      ],
      'True',
    ],
    [[{ type: 'Y', status: 'True' }], undefined],
    [undefined, undefined],
  ])('of a condition among %j is %s', (conditions, value) => {
    expect(conditionField({ ...object, status: { conditions } }, 'X', 'Pod')).toEqual({
      object: 'Pod shop/db',
      path: 'status.conditions[type=X]',
      value,
    });
  });
});
