import { describe, expect, it } from 'vitest';
import { aMigration } from '../../kubevirt/builders.ts';
import { decide, traceOf } from '../rules.ts';
import { migrationUpdateTable } from './update-admission.ts';

describe('is a change of a migration accepted', () => {
  const before = aMigration('m').phase('Running').build();
  const without = { ...before, metadata: { name: 'm', namespace: 'shop' } };
  const relabelled = { ...before, metadata: { ...before.metadata, labels: { mine: 'x' } } };
  const final = <T extends object>(migration: T) => ({ ...migration, status: { phase: 'Failed' } });
  const SPEC = "update of Migration object's spec is restricted";
  const REMOVED = "selector label can't be removed from an in-flight migration";
  const MODIFIED = "selector label can't be modified on an in-flight migration";

  it.each([
    ['another VMI', before, aMigration('m').spec({ vmiName: 'web' }).build(), 'SpecChanged', SPEC],
    ['a priority more', before, aMigration('m').priority('x').build(), 'SpecChanged', SPEC],
    [
      'a finished one with another VMI',
      final(before),
      final(aMigration('m', 'web').build()),
      'SpecChanged',
      SPEC,
    ],
    ['all labels gone', before, without, 'SelectorLabelRemoved', REMOVED],
    ['the label gone', before, relabelled, 'SelectorLabelModified', MODIFIED],
    [
      'another label value',
      before,
      { ...before, metadata: { ...before.metadata, labels: { 'kubevirt.io/vmi-name': 'web' } } },
      'SelectorLabelModified',
      MODIFIED,
    ],
  ])('no: %s', (_, old, changed, reason, message) => {
    expect(decide(migrationUpdateTable, { before: old, after: changed })).toMatchObject({
      reason,
      result: { allowed: false, message, causes: [{ reason: 'FieldValueNotSupported', message, field: '' }] },
    });
  });

  it.each([
    ['nothing', before, before],
    ['the status', before, aMigration('m').phase('Pending').build()],
    ['a finished one losing its labels', before, final(without)],
    ['a label where there was none', without, before],
    [
      'labels of others',
      before,
      { ...before, metadata: { ...before.metadata, labels: { ...before.metadata.labels, a: 'b' } } },
    ],
    [
      'the order of the fields of the spec',
      aMigration('m')
        .spec({ priority: 'a', addedNodeSelector: { a: '1', b: '2' } })
        .build(),
      { ...before, spec: { addedNodeSelector: { b: '2', a: '1' }, vmiName: 'db', priority: 'a' } },
    ],
    ['an empty spec for none', { metadata: { name: 'm' } }, { metadata: { name: 'm' }, spec: {} }],
  ])('yes: %s', (_, old, changed) => {
    expect(decide(migrationUpdateTable, { before: old, after: changed })).toMatchObject({
      reason: 'Accepted',
      result: { allowed: true },
    });
  });

  it('shows what each rule looked at', () => {
    const OWN = 'VirtualMachineInstanceMigration shop/m';
    const path = 'metadata.labels[kubevirt.io/vmi-name]';
    const labels = [
      { object: OWN, path, value: 'db' },
      { object: OWN, path, value: undefined },
    ];
    expect(
      traceOf(migrationUpdateTable, { before, after: relabelled }).map(({ evidence }) => evidence),
    ).toEqual([
      [
        { object: OWN, path: 'spec', value: { vmiName: 'db' } },
        { object: OWN, path: 'spec', value: { vmiName: 'db' } },
      ],
      labels,
      labels,
    ]);
  });
});
