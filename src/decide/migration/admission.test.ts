import { describe, expect, it } from 'vitest';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import { decide, traceOf } from '../rules.ts';
import { resolveSettings } from '../settings.ts';
import { type CreateInput, migrationCreateTable, withMigrationDefaults } from './admission.ts';

const settings = resolveSettings(undefined);
const gateOn = { featureGates: ['DecentralizedLiveMigration'], disabledFeatureGates: [] };
const refusal = (message: string) => ({ allowed: false, message, causes: [] });

const ask = (change: Partial<CreateInput> = {}): CreateInput => ({
  migration: aMigration('m').build(),
  byVirtController: false,
  vmi: aVmi().migratable().build(),
  labelled: [],
  settings,
  ...change,
});
const withVmi = (vmi: ReturnType<typeof aVmi>, change: Partial<CreateInput> = {}) =>
  ask({ vmi: vmi.build(), ...change });
const sending = aMigration('m')
  .spec({ sendTo: { migrationID: 'a' } })
  .build();

describe('a new migration is completed', () => {
  it('with the label of its VMI and the finalizer', () => {
    expect(withMigrationDefaults({ metadata: { name: 'm' }, spec: { vmiName: 'db' } }).metadata).toEqual({
      name: 'm',
      labels: { 'kubevirt.io/vmi-name': 'db' },
      finalizers: ['kubevirt.io/migrationJobFinalize'],
    });
  });

  it('and keeps what it has', () => {
    const migration = aMigration('m')
      .meta({ labels: { mine: 'x', 'kubevirt.io/vmi-name': 'wrong' }, finalizers: ['mine'] })
      .build();
    const once = withMigrationDefaults(migration);
    expect(once.metadata).toMatchObject({
      labels: { mine: 'x', 'kubevirt.io/vmi-name': 'db' },
      finalizers: ['mine', 'kubevirt.io/migrationJobFinalize'],
    });
    expect(withMigrationDefaults(once)).toEqual(once);
    expect(once.spec).toEqual({ vmiName: 'db' });
  });

  it('a migration without a VMI gets an empty label', () => {
    expect(withMigrationDefaults({ metadata: { name: 'm' } }).metadata.labels).toEqual({
      'kubevirt.io/vmi-name': '',
    });
  });
});

describe('is a new migration accepted', () => {
  it.each([
    ['of a migratable VMI', ask()],
    ['of a VMI that does not say', withVmi(aVmi())],
    ['of a VMI whose condition is Unknown', withVmi(aVmi().migratable('Unknown'))],
    ['of a VMI that is not yet running', withVmi(aVmi().phase('Scheduling'))],
    [
      'with a priority, by virt-controller',
      ask({ migration: aMigration().priority('Bogus').build(), byVirtController: true }),
    ],
    [
      'after finished ones',
      ask({ labelled: [aMigration().phase('Succeeded').build(), aMigration().phase('Failed').build()] }),
    ],
    ['that leaves the cluster', ask({ migration: sending, settings: gateOn })],
    [
      'that leaves the cluster, of a VMI with local disks',
      withVmi(aVmi().migratable('False', 'DisksNotLiveMigratable'), { migration: sending, settings: gateOn }),
    ],
    [
      'that sends and receives under one ID',
      ask({
        migration: aMigration()
          .spec({ sendTo: { migrationID: 'a' }, receive: { migrationID: 'a' } })
          .build(),
        settings: gateOn,
      }),
    ],
  ])('yes: %s', (_, input) => {
    expect(decide(migrationCreateTable, input)).toMatchObject({
      reason: 'Accepted',
      result: { allowed: true },
    });
  });

  it.each([
    [
      'no VMI name',
      ask({ migration: { metadata: { name: 'm' } } }),
      'VmiNameMissing',
      'FieldValueRequired',
      'spec.vmiName',
      'vmiName is missing',
    ],
    [
      'an empty VMI name',
      ask({ migration: aMigration('m', '').build() }),
      'VmiNameMissing',
      'FieldValueRequired',
      'spec.vmiName',
      'vmiName is missing',
    ],
    [
      'a priority set by a person',
      ask({ migration: aMigration().priority('system-critical').build() }),
      'PriorityNotAllowed',
      'FieldValueForbidden',
      'spec.migrationPriority',
      'Migration priority queue, only virt-controller is allowed to set priority field',
    ],
  ])('no, naming a field: %s', (_, input, reason, type, field, message) => {
    expect(decide(migrationCreateTable, input)).toMatchObject({
      reason,
      result: { allowed: false, message, causes: [{ reason: type, message, field }] },
    });
  });

  it.each([
    ['no such VMI', ask({ vmi: undefined }), 'VmiUnknown', 'the VMI "shop/db" does not exist'],
    ['Succeeded', withVmi(aVmi().phase('Succeeded')), 'VmiFinal', 'Cannot migrate VMI in finalized state.'],
    ['Failed', withVmi(aVmi().phase('Failed')), 'VmiFinal', 'Cannot migrate VMI in finalized state.'],
    [
      'not migratable',
      withVmi(aVmi().migratable('False', 'DisksNotLiveMigratable', 'PVC x is not shared')),
      'NotLiveMigratable',
      'Cannot migrate VMI, Reason: DisksNotLiveMigratable, Message: PVC x is not shared',
    ],
    [
      'not migratable, no reason',
      withVmi(aVmi().migratable('False')),
      'NotLiveMigratable',
      'Cannot migrate VMI, Reason: , Message: ',
    ],
    [
      'not migratable by a later condition',
      withVmi(aVmi().migratable('True').migratable('False', 'Gpu', 'no')),
      'NotLiveMigratable',
      'Cannot migrate VMI, Reason: Gpu, Message: no',
    ],
    [
      'leaving the cluster, not migratable for another reason',
      withVmi(aVmi().migratable('False', 'Gpu', 'no'), { migration: sending, settings: gateOn }),
      'NotLiveMigratable',
      'Cannot migrate VMI, Reason: Gpu, Message: no',
    ],
    [
      'one in flight',
      ask({
        labelled: [aMigration('old').phase('Failed').build(), aMigration('other').phase('Pending').build()],
      }),
      'MigrationInFlight',
      'in-flight migration detected. Active migration job (uid-other) is currently already in progress for VMI db.',
    ],
    [
      'one not looked at yet',
      ask({ labelled: [aMigration('new').build()] }),
      'MigrationInFlight',
      'in-flight migration detected. Active migration job (uid-new) is currently already in progress for VMI db.',
    ],
    [
      'leaving the cluster, gate off',
      ask({ migration: sending }),
      'DecentralizedGateClosed',
      'DecentralizedLiveMigration feature gate is not enabled in kubevirt resource',
    ],
    [
      'receiving, gate off',
      ask({
        migration: aMigration()
          .spec({ receive: { migrationID: 'a' } })
          .build(),
      }),
      'DecentralizedGateClosed',
      'DecentralizedLiveMigration feature gate is not enabled in kubevirt resource',
    ],
    [
      'two IDs',
      ask({
        migration: aMigration()
          .spec({ sendTo: { migrationID: 'a' }, receive: { migrationID: 'b' } })
          .build(),
        settings: gateOn,
      }),
      'MigrationIdsDiffer',
      'sendTo and receive must name the same migrationID',
    ],
  ])('no: %s', (_, input, reason, message) => {
    expect(decide(migrationCreateTable, input)).toMatchObject({ reason, result: refusal(message) });
  });

  it('asks in the order of the admitter', () => {
    expect(migrationCreateTable.map(({ name }) => name)).toEqual([
      'VmiNameMissing',
      'PriorityNotAllowed',
      'VmiUnknown',
      'VmiFinal',
      'NotLiveMigratable',
      'MigrationInFlight',
      'DecentralizedGateClosed',
      'MigrationIdsDiffer',
      'Accepted',
    ]);
  });

  it('shows what each rule looked at', () => {
    const OWN = 'VirtualMachineInstanceMigration shop/m';
    const VMI = 'VirtualMachineInstance shop/db';
    const name = { object: OWN, path: 'spec.vmiName', value: 'db' };
    const input = ask({
      labelled: [aMigration('old').phase('Failed').build()],
      settings: gateOn,
      migration: sending,
    });
    expect(traceOf(migrationCreateTable, input).map(({ evidence }) => evidence)).toEqual([
      [name],
      [{ object: OWN, path: 'spec.priority', value: undefined }],
      [name],
      [{ object: VMI, path: 'status.phase', value: 'Running' }],
      [{ object: VMI, path: 'status.conditions[type=LiveMigratable]', value: 'True' }],
      [{ object: 'VirtualMachineInstanceMigration shop/old', path: 'status.phase', value: 'Failed' }],
      [
        {
          object: 'KubeVirt',
          path: 'spec.configuration.developerConfiguration.featureGates',
          value: ['DecentralizedLiveMigration'],
        },
      ],
      [
        { object: OWN, path: 'spec.sendTo.migrationID', value: 'a' },
        { object: OWN, path: 'spec.receive.migrationID', value: undefined },
      ],
      [name],
    ]);
  });

  it('looks at no VMI where there is none', () => {
    expect(migrationCreateTable.map(({ reads }) => reads(ask({ vmi: undefined })).length)).toEqual([
      1, 1, 1, 0, 0, 0, 1, 2, 1,
    ]);
  });
});
