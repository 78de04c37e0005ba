import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration, aVm, aVmi } from '../../kubevirt/builders.ts';
import { isJsonObject } from '../../kubevirt/json.ts';
import { appliedIn, recordedBefore, valueAt } from '../test-recording.ts';
import { admitCreation, admittedChange, refuseUpdate } from './admit-creation.ts';
import { created, type Facts, json, lookup } from './test-admit-creation.ts';

/** Without what is random in one and derived in the other, and without what came later. */
function withoutIdentity(spec: unknown): unknown {
  return JSON.parse(JSON.stringify(spec), (key, value: unknown) => {
    if (key !== 'firmware') return value;
    return isJsonObject(value) ? Object.keys(value) : value;
  });
}

describe('a new VM', () => {
  it.each(['run-strategies', 'cpu-hotplug'])('is completed as the real one of %s', (name) => {
    const [sent] = appliedIn(name).filter(({ kind }) => kind === 'VirtualMachine');
    const recorded = recordedBefore(name, 'VirtualMachine', String(valueAt(sent, 'metadata', 'name')));
    const template = valueAt(created('VirtualMachine', sent ?? {}), 'spec', 'template');
    expect(withoutIdentity(valueAt(template, 'spec'))).toEqual(
      withoutIdentity(valueAt(recorded, 'spec', 'template', 'spec')),
    );
    expect(valueAt(template, 'metadata', 'annotations')).toEqual(
      valueAt(recorded, 'spec', 'template', 'metadata', 'annotations'),
    );
  });

  it('keeps what it says itself', () => {
    const vm = aVm('db').template({ architecture: 'arm64' }).build();
    const sent = json(vm) as { spec: { template: { spec: object; metadata?: object } } };
    sent.spec.template.spec = {
      architecture: 'arm64',
      domain: { firmware: { uuid: 'own' }, machine: { type: 'virt-9' } },
    };
    sent.spec.template.metadata = { annotations: { 'kubevirt.io/pci-topology-version': 'v2' } };
    const { spec } = created('VirtualMachine', sent) as typeof sent;
    expect(valueAt(spec.template, 'metadata', 'annotations', 'kubevirt.io/pci-topology-version')).toBe('v2');
    expect(valueAt(spec.template, 'spec', 'domain', 'firmware', 'uuid')).toBe('own');
    expect(valueAt(spec.template, 'spec', 'domain', 'machine')).toEqual({ type: 'virt-9' });
  });

  it.each([
    [
      'both ways of running',
      { running: true, runStrategy: 'Always', template: {} },
      'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead',
    ],
    ['a misspelt run strategy', { runStrategy: 'always', template: {} }, 'Invalid RunStrategy (always)'],
    ['no way of running', { template: {} }, 'RunStrategy must be specified'],
    ['no template', { runStrategy: 'Always' }, 'missing virtual machine template.'],
    [
      'an unknown strategy',
      { runStrategy: 'Always', template: { spec: { evictionStrategy: 'Maybe' } } },
      'spec.template.spec.evictionStrategy is set with an unrecognized option: Maybe',
    ],
  ])('is refused with %s', (_, spec, message) => {
    const vm = { kind: 'VirtualMachine', metadata: { name: 'db', namespace: 'shop' }, spec };
    expect(admitCreation('VirtualMachine', vm, lookup())).toMatchObject({
      allowed: false,
      webhook: 'virtualmachine-validator.kubevirt.io',
      code: 422,
      reason: 'Invalid',
      message,
    });
  });
});

it('a new VM without a strategy crashes the webhook where the cluster has an unknown one', () => {
  const kubevirt = aKubeVirt()
    .spec({ configuration: { evictionStrategy: 'Maybe' } })
    .build();
  const answer = (behavior: 'exact' | 'intended') =>
    admitCreation('VirtualMachine', json(aVm('db').build()), lookup({ kubevirt, behavior }));
  expect(answer('exact')).toMatchObject({ allowed: false, code: 500, reason: 'InternalError' });
  expect(answer('intended')).toMatchObject({
    code: 422,
    message: 'spec.template.spec.evictionStrategy is set with an unrecognized option: Maybe',
  });
});

describe('a migration', () => {
  const migration = aMigration('move').build();
  const vmi = aVmi('db').on('n1').migratable().build();

  it('is labelled and kept by a finalizer', () => {
    const stored = created('VirtualMachineInstanceMigration', migration, { vmi });
    expect(valueAt(stored, 'metadata', 'labels', 'kubevirt.io/vmi-name')).toBe('db');
    expect(valueAt(stored, 'metadata', 'finalizers')).toEqual(['kubevirt.io/migrationJobFinalize']);
    expect(stored.spec).toEqual(json(migration).spec);
  });

  it.each([
    ['nobody to move', {}, 400, 'the VMI "shop/db" does not exist'],
    [
      'another in flight',
      { vmi, labelled: [aMigration('first').build()] },
      400,
      'in-flight migration detected. Active migration job (uid-first) is currently already in progress for VMI db.',
    ],
    [
      'a VMI that cannot move',
      { vmi: aVmi('db').migratable('False', 'R', 'm').build() },
      400,
      'Cannot migrate VMI, Reason: R, Message: m',
    ],
  ])('is refused with %s', (_, facts: Facts, code, message) => {
    const answer = admitCreation('VirtualMachineInstanceMigration', json(migration), lookup(facts));
    expect(answer).toMatchObject({ allowed: false, webhook: 'migration-create-validator.kubevirt.io', code });
    expect(answer).toMatchObject({
      message: message.replace('default/', `${migration.metadata.namespace}/`),
    });
  });

  it('has no priority of a user', () => {
    const urgent = { ...migration, spec: { vmiName: 'db', priority: 'system-critical' } };
    const facts = { vmi, requester: {} };
    const kind = 'VirtualMachineInstanceMigration';
    expect(admitCreation(kind, json(urgent), lookup(facts))).toMatchObject({
      code: 422,
      causes: [{ reason: 'FieldValueForbidden', field: 'spec.migrationPriority' }],
    });
    expect(admitCreation(kind, json(urgent), lookup({ vmi }))).toMatchObject({ allowed: true });
  });

  it('never changes its spec', () => {
    const other = json({ ...migration, spec: { vmiName: 'web' } });
    const refused = refuseUpdate('VirtualMachineInstanceMigration', json(migration), other, lookup());
    expect(refused).toMatchObject({
      webhook: 'migration-update-validator.kubevirt.io',
      message: "update of Migration object's spec is restricted",
    });
    const same = json(migration);
    expect(refuseUpdate('VirtualMachineInstanceMigration', same, same, lookup())).toBeUndefined();
  });
});

describe('a VMI that runs', () => {
  const before = json(aVmi('db').on('n1').build());
  const ended = { ...before, status: { phase: 'Failed' } };

  it('keeps its status when somebody else than KubeVirt writes another one', () => {
    const stored = (facts: Facts) => admittedChange('VirtualMachineInstance', before, ended, lookup(facts));
    expect(stored({ requester: {} })).toEqual(before);
    expect(stored({ requester: { account: 'kubevirt-handler', nodeName: 'n1' } })).toEqual(ended);
  });

  it('keeps its spec', () => {
    const other = { ...before, spec: { evictionStrategy: 'None' } };
    const refusal = (facts: Facts) => refuseUpdate('VirtualMachineInstance', before, other, lookup(facts));
    expect(refusal({ requester: {} })).toMatchObject({
      webhook: 'virtualmachineinstances-update-validator.kubevirt.io',
      code: 422,
      message: 'update of VMI object is restricted',
    });
    expect(refusal({})).toBeUndefined();
  });
});

describe('others', () => {
  it('are let through', () => {
    const pod = { metadata: { name: 'p', namespace: 'n' } };
    expect(admitCreation('Pod', pod, lookup())).toEqual({ allowed: true, object: pod });
    expect(refuseUpdate('Pod', pod, { ...pod, spec: {} }, lookup())).toBeUndefined();
  });

  it('a VM may not be changed into one that would be refused', () => {
    const before = json(aVm('db').build());
    const after = { ...before, spec: {} };
    expect(refuseUpdate('VirtualMachine', before, after, lookup())).toMatchObject({ code: 422 });
    expect(refuseUpdate('VirtualMachine', before, { ...before, status: {} }, lookup())).toBeUndefined();
  });

  it('a VM that is being deleted may lose its finalizer, whatever it is', () => {
    const metadata = { name: 'db', namespace: 'shop', deletionTimestamp: '2026-03-01T12:00:00Z' };
    expect(refuseUpdate('VirtualMachine', {}, { metadata, spec: {} }, lookup())).toBeUndefined();
  });
});
