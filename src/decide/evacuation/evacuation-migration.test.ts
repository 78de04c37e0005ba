import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import { versionRules } from '../versions.ts';
import { cannotMigrateEvent, creationEvent, evacuationMigration } from './evacuation-migration.ts';

const rules = versionRules({ major: 1, minor: 9 });
const SOURCE = 'kubevirt.io/eviction-source';

describe('the migration of an evacuation', () => {
  it.each([
    ['a drain', aVmi(), 'system-critical'],
    ['the descheduler', aVmi().annotated(SOURCE, 'descheduler'), 'system-maintenance'],
    ['another source', aVmi().annotated(SOURCE, 'other'), 'system-critical'],
    ['an empty source', aVmi().annotated(SOURCE, ''), 'system-critical'],
  ])('asked for by %s', (_, vmi, priority) => {
    expect(evacuationMigration(vmi.build(), 'n1', rules)).toEqual({
      generateName: 'kubevirt-evacuation-',
      namespace: 'shop',
      annotations: { 'kubevirt.io/evacuationMigration': 'n1' },
      spec: { vmiName: 'db', priority },
    });
  });

  it('has no priority before KubeVirt 1.7', () => {
    const old = versionRules({ major: 1, minor: 6 });
    expect(evacuationMigration(aVmi().build(), 'n1', old).spec).toEqual({ vmiName: 'db' });
  });
});

describe('events', () => {
  const on = { kind: 'VirtualMachineInstance', namespace: 'shop', name: 'db' };
  const vmi = aVmi().on('n1').build();

  it('tell of a creation', () => {
    expect(creationEvent(vmi, { created: 'kubevirt-evacuation-x7k2p' })).toEqual({
      ...on,
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: 'Created Migration kubevirt-evacuation-x7k2p',
    });
  });

  it('tell of a failure', () => {
    expect(creationEvent(vmi, { error: 'already exists' })).toEqual({
      ...on,
      type: 'Warning',
      reason: 'FailedCreate',
      message: 'Error creating a Migration: already exists',
    });
  });

  it.each([
    ['with its reason', aVmi().on('n1').migratable('False', 'Gpu', 'no'), 'Gpu: no'],
    ['with a reason alone', aVmi().on('n1').migratable('False', 'Gpu'), 'Gpu'],
    ['without one', aVmi().on('n1').migratable('Unknown'), 'LiveMigratable is Unknown'],
    ['without the condition', aVmi().on('n1'), 'LiveMigratable is absent'],
  ])('tell why a VMI stays, %s', (_, builder, why) => {
    expect(cannotMigrateEvent(builder.build())).toEqual({
      ...on,
      type: 'Warning',
      reason: 'FailedCreate',
      message: `VMI shop/db should leave node n1 but cannot live-migrate: ${why}`,
    });
  });
});
