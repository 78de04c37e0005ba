import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { MigrationPolicy } from '../../kubevirt/objects.ts';
import { migrationConfiguration } from './configuration.ts';
import { type HandOffInput, handOff } from './hand-off.ts';

const configuration = migrationConfiguration(undefined);
const vmi = () => aVmi().on('n1').migrationState({ migrationUid: 'old', failed: true });
const target = () => aPod('target').on('n2');
const plugged = () => vmi().status({ volumeStatus: [{ name: 'v', hotplugVolume: {} }] });
const pending = () => aMigration('m').status({ migrationState: { sourcePod: 'source' } });
const policy = (name: string, spec: NonNullable<MigrationPolicy['spec']>): MigrationPolicy => ({
  metadata: { name },
  spec: { selectors: {}, ...spec },
});

const ask = (change: Partial<HandOffInput> = {}): HandOffInput => ({
  migration: pending().build(),
  vmi: vmi().build(),
  targetPod: target().build(),
  attachmentPod: undefined,
  configuration,
  policies: [],
  namespaceLabels: undefined,
  behavior: 'exact',
  ...change,
});
const stateOf = (change: Partial<HandOffInput>) => {
  const result = handOff(ask(change));
  return 'error' in result ? {} : result.migrationState;
};

describe('the hand-off', () => {
  it('replaces the account of the VMI and names the target on it', () => {
    expect(handOff(ask())).toEqual({
      migrationState: {
        migrationUid: 'uid-m',
        targetNode: 'n2',
        sourceNode: 'n1',
        targetPod: 'target',
        sourcePod: 'source',
        migrationConfiguration: configuration,
      },
      labels: { 'kubevirt.io/migrationTargetNodeName': 'n2' },
      event: {
        kind: 'VirtualMachineInstanceMigration',
        namespace: 'shop',
        name: 'm',
        type: 'Normal',
        reason: 'SuccessfulHandOver',
        message: 'Migration target pod is ready for preparation by virt-handler.',
      },
    });
  });

  it('copies what the migration noted, and no more', () => {
    const migrationState = {
      sourcePod: 'source',
      sourcePersistentStatePVCName: 'a',
      targetPersistentStatePVCName: 'b',
      failed: true,
    };
    expect(stateOf({ migration: aMigration('m').status({ migrationState }).build() })).toMatchObject({
      sourcePod: 'source',
      sourcePersistentStatePVCName: 'a',
      targetPersistentStatePVCName: 'b',
    });
    expect(stateOf({ migration: aMigration('m').build() })).not.toHaveProperty('sourcePod');
    expect(stateOf({ migration: aMigration('m').status({ migrationState }).build() })).not.toHaveProperty(
      'failed',
    );
  });

  it.each([
    ['281018368', '268Mi'],
    ['1000', '1000'],
    ['0', '0'],
  ])('tells the memory that the target pod needs besides: %s', (bytes, quantity) => {
    const targetPod = target().annotated('kubevirt.io/memory-overhead-bytes', bytes).build();
    expect(stateOf({ targetPod }).targetMemoryOverhead).toBe(quantity);
  });

  it('does not tell it where the pod does not', () => {
    expect(stateOf({})).not.toHaveProperty('targetMemoryOverhead');
    const strange = target().annotated('kubevirt.io/memory-overhead-bytes', 'much').build();
    expect(stateOf({ targetPod: strange })).not.toHaveProperty('targetMemoryOverhead');
  });

  it('names the attachment pod where volumes are plugged in, and fails without one', () => {
    const attachmentPod = aPod('hp-volume-1').build();
    expect(stateOf({ vmi: plugged().build(), attachmentPod }).targetAttachmentPodUID).toBe('uid-hp-volume-1');
    expect(stateOf({ attachmentPod })).not.toHaveProperty('targetAttachmentPodUID');
    expect(handOff(ask({ vmi: plugged().build() }))).toEqual({ error: 'target attachment pod not found' });
  });

  it('a pod on no node hands off to no node', () => {
    expect(stateOf({ targetPod: aPod('target').build() }).targetNode).toBe('');
  });
});

describe('the settings that are handed off', () => {
  it('are those of the policy that fits best, over those of the cluster', () => {
    const policies = [
      policy('general', { maxDowntimeMs: 1 }),
      policy('special', { selectors: { namespaceSelector: { env: 'prod' } }, completionTimeoutPerGiB: 600 }),
    ];
    const state = stateOf({ policies, namespaceLabels: { env: 'prod' } });
    expect(state.migrationPolicyName).toBe('special');
    expect(state.migrationConfiguration).toEqual({ ...configuration, completionTimeoutPerGiB: 600 });
  });

  it('do not name a policy that changes nothing', () => {
    expect(stateOf({ policies: [policy('idle', {})] })).toMatchObject({
      migrationConfiguration: configuration,
    });
    expect(stateOf({ policies: [policy('idle', {})] })).not.toHaveProperty('migrationPolicyName');
  });

  it('a VMI has labels by then, so its namespace is looked at', () => {
    const policies = [
      policy('prod', { selectors: { namespaceSelector: { env: 'prod' } }, maxDowntimeMs: 1 }),
    ];
    const bare = { metadata: { name: 'db', namespace: 'shop' } };
    expect(stateOf({ vmi: bare, policies, namespaceLabels: { env: 'test' } })).not.toHaveProperty(
      'migrationPolicyName',
    );
    expect(stateOf({ vmi: bare, policies, namespaceLabels: { env: 'prod' } }).migrationPolicyName).toBe(
      'prod',
    );
  });

  it('look at the labels of the VMI', () => {
    const policies = [
      policy('db', { selectors: { virtualMachineInstanceSelector: { tier: 'db' } }, maxDowntimeMs: 1 }),
    ];
    expect(stateOf({ vmi: vmi().labelled('tier', 'db').build(), policies }).migrationPolicyName).toBe('db');
    expect(stateOf({ policies })).not.toHaveProperty('migrationPolicyName');
  });
});
