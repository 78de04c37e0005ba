import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { decide, type Evidence } from '../rules.ts';
import { launcherEvictionTable } from './launcher.ts';
import type { LauncherInput } from './launcher-input.ts';
import { aLauncher, input, migrating } from './test-launcher.ts';

const VMI_REF = 'VirtualMachineInstance shop/db';
const POD_REF = 'Pod shop/virt-launcher-db-1';

const ofVmi = (vmi: { build(): Vmi }) => input({ vmi: { found: vmi.build() } });

const ALLOWED = { allowed: true };
const denied = (message: string) => ({ allowed: false, message, mark: false });
const MARKED = { allowed: false, message: 'Eviction triggered evacuation of VMI "shop/db"', mark: true };
const IN_PROGRESS = denied('Evacuation in progress: Eviction triggered evacuation of VMI "shop/db"');
const NOT_MIGRATABLE = denied('VMI db is configured with an eviction strategy but is not live-migratable');

const strategy = (value?: string): Evidence => ({ object: VMI_REF, path: 'spec.evictionStrategy', value });
const condition = (value?: string): Evidence => ({
  object: VMI_REF,
  path: 'status.conditions[type=LiveMigratable]',
  value,
});
const mark = (value?: string): Evidence => ({ object: VMI_REF, path: 'status.evacuationNodeName', value });
const vmiNode = (value?: string): Evidence => ({ object: VMI_REF, path: 'status.nodeName', value });
const podNode = (value?: string): Evidence => ({ object: POD_REF, path: 'spec.nodeName', value });
const name = (value?: string): Evidence => ({ object: VMI_REF, path: 'metadata.name', value });

describe('the launcher table, row by row', () => {
  it.each<[string, LauncherInput, object, string, Evidence[]]>([
    [
      'a pod that names no VMI',
      input({ pod: aPod().labelled('kubevirt.io', 'virt-launcher').build() }),
      ALLOWED,
      'NoDomain',
      [{ object: POD_REF, path: 'metadata.annotations[kubevirt.io/domain]', value: undefined }],
    ],
    [
      'a VMI that cannot be read',
      input({ vmi: { error: 'boom' } }),
      denied('kubevirt failed getting the vmi: boom'),
      'VmiNotReadable',
      [name('boom')],
    ],
    ['None', ofVmi(migrating('None')), ALLOWED, 'NoStrategy', [strategy('None')]],
    ['an empty strategy', ofVmi(migrating('')), ALLOWED, 'NoStrategy', [strategy('')]],
    [
      'no strategy, and None in the cluster',
      ofVmi(aVmi().on('n1').migratable()),
      ALLOWED,
      'NoStrategy',
      [strategy(), { object: 'KubeVirt', path: 'spec.configuration.evictionStrategy', value: 'None' }],
    ],
    ['an unknown strategy', ofVmi(migrating('Bogus')), ALLOWED, 'UnknownStrategy', [strategy('Bogus')]],
    [
      'LiveMigrate that cannot (C05)',
      ofVmi(aVmi().on('n1').strategy('LiveMigrate').migratable('False', 'HostDeviceNotLiveMigratable', 'no')),
      NOT_MIGRATABLE,
      'NotLiveMigratable',
      [strategy('LiveMigrate'), condition('False: HostDeviceNotLiveMigratable: no')],
    ],
    [
      'LiveMigrate without the condition',
      ofVmi(aVmi().on('n1').strategy('LiveMigrate')),
      NOT_MIGRATABLE,
      'NotLiveMigratable',
      [strategy('LiveMigrate'), condition()],
    ],
    [
      'LiveMigrate with condition Unknown',
      ofVmi(migrating('LiveMigrate', 'Unknown')),
      NOT_MIGRATABLE,
      'NotLiveMigratable',
      [strategy('LiveMigrate'), condition('Unknown')],
    ],
    [
      'LiveMigrateIfPossible that cannot',
      ofVmi(migrating('LiveMigrateIfPossible', 'False')),
      ALLOWED,
      'NotMigratableEvicts',
      [strategy('LiveMigrateIfPossible'), condition('False')],
    ],
    [
      'LiveMigrate that can (C04)',
      input(),
      MARKED,
      'EvacuationTriggered',
      [strategy('LiveMigrate'), condition('True'), mark(), vmiNode('n1'), podNode('n1')],
    ],
    [
      'LiveMigrateIfPossible that can',
      ofVmi(migrating('LiveMigrateIfPossible')),
      MARKED,
      'EvacuationTriggered',
      [strategy('LiveMigrateIfPossible'), condition('True'), mark(), vmiNode('n1'), podNode('n1')],
    ],
    [
      'External that can migrate',
      ofVmi(migrating('External')),
      MARKED,
      'External',
      [strategy('External'), condition('True'), mark(), vmiNode('n1'), podNode('n1')],
    ],
    [
      'External that cannot',
      ofVmi(migrating('External', 'False')),
      MARKED,
      'External',
      [strategy('External'), condition('False'), mark(), vmiNode('n1'), podNode('n1')],
    ],
    [
      'a marked VMI (C04)',
      ofVmi(migrating('LiveMigrate').marked()),
      IN_PROGRESS,
      'EvacuationInProgress',
      [strategy('LiveMigrate'), condition('True'), mark('n1')],
    ],
    [
      'a VMI marked for another node',
      ofVmi(migrating('External').marked('n7')),
      IN_PROGRESS,
      'EvacuationInProgress',
      [strategy('External'), condition('True'), mark('n7')],
    ],
    [
      'a pod on another node',
      input({ pod: aLauncher().on('n2').build() }),
      denied('Eviction request for target Pod'),
      'TargetPod',
      [strategy('LiveMigrate'), condition('True'), mark(), vmiNode('n1'), podNode('n2')],
    ],
    [
      'an Eviction that cannot be read',
      input({ eviction: { error: 'bad' }, patch: { error: 'never sent' } }),
      denied('failed to parse the eviction object: bad'),
      'EvictionNotReadable',
      [{ object: 'Eviction shop/virt-launcher-db-1', path: '', value: 'bad' }],
    ],
    [
      'a mark that fails',
      input({ eviction: { eviction: {} }, patch: { error: 'conflict' } }),
      denied('kubevirt failed marking the vmi for eviction: conflict'),
      'MarkFailed',
      [strategy('LiveMigrate'), condition('True'), mark(), vmiNode('n1'), podNode('n1')],
    ],
  ])('%s', (_name, facts, result, reason, evidence) => {
    expect(decide(launcherEvictionTable, facts)).toEqual({ result, reason, evidence });
  });

  it('a mark that works', () => {
    const facts = input({ eviction: { eviction: {} }, patch: { patched: true } });
    expect(decide(launcherEvictionTable, facts)).toMatchObject({
      result: MARKED,
      reason: 'EvacuationTriggered',
    });
  });

  it("uses the cluster's strategy where the VMI has none", () => {
    const facts = ofVmi(aVmi().on('n1').migratable());
    const settings = { ...facts.settings, evictionStrategy: 'LiveMigrate' };
    expect(decide(launcherEvictionTable, { ...facts, settings })).toMatchObject({ result: MARKED });
  });

  it('shut when the VMI is gone: KubeVirt refuses an orphaned launcher, which is a defect', () => {
    const vmi = { missing: true, message: 'virtualmachineinstances.kubevirt.io "db" not found' } as const;
    expect(decide(launcherEvictionTable, input({ vmi, behavior: 'exact' }))).toEqual({
      result: denied('kubevirt failed getting the vmi: virtualmachineinstances.kubevirt.io "db" not found'),
      reason: 'VmiNotReadable',
      evidence: [name()],
    });
    expect(decide(launcherEvictionTable, input({ vmi, behavior: 'intended' }))).toEqual({
      result: ALLOWED,
      reason: 'VmiGone',
      evidence: [name()],
    });
    expect(
      decide(launcherEvictionTable, input({ vmi: { error: 'boom' }, behavior: 'intended' })).reason,
    ).toBe('VmiNotReadable');
  });

  it('takes an empty domain for a name', () => {
    const pod = aPod().labelled('kubevirt.io', 'virt-launcher').annotated('kubevirt.io/domain', '').build();
    expect(decide(launcherEvictionTable, input({ pod, vmi: { error: 'x' } })).reason).toBe('VmiNotReadable');
  });
});
