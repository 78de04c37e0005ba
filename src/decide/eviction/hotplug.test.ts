import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { decide, traceOf } from '../rules.ts';
import { BASELINE, versionRules } from '../versions.ts';
import { type HotplugInput, hotplugEvictionTable } from './hotplug.ts';
import type { Lookup } from './lookup.ts';

const VMI = aVmi().on('n1').build();
const LAUNCHER = aPod('virt-launcher-db-1').launcherOf(VMI).on('n1').build();
const OWNER = 'Pod shop/virt-launcher-db-1';
const VMI_REF = 'VirtualMachineInstance shop/db';
const ATTACHMENT = aPod('hp-volume-7')
  .labelled('kubevirt.io', 'hotplug-disk')
  .meta({ ownerReferences: [{ kind: 'Pod', name: 'virt-launcher-db-1', controller: true }] })
  .build();

function input(owner: Lookup<Pod>, vmi: Lookup<Vmi> = { found: VMI }, minor = BASELINE.minor): HotplugInput {
  const version = { major: 1, minor };
  return { pod: ATTACHMENT, owner, vmi, settings: { version, rules: versionRules(version) } };
}

const ALLOWED = { allowed: true };
const denied = (message: string) => ({ allowed: false, message, mark: false });
const RUNNING = { found: LAUNCHER };
const phase = (value: string) => ({ object: OWNER, path: 'status.phase', value });
const domain = (value?: string) => ({
  object: OWNER,
  path: 'metadata.annotations[kubevirt.io/domain]',
  value,
});
const ownerName = (value?: string) => ({ object: OWNER, path: 'metadata.name', value });
const vmiName = (value?: string) => ({ object: VMI_REF, path: 'metadata.name', value });
const withoutDomain = aPod('virt-launcher-db-1').labelled('kubevirt.io', 'virt-launcher').build();
const other = aPod('virt-launcher-db-1').annotated('kubevirt.io/domain', 'db').build();

describe('attachment pods', () => {
  it.each([
    ['its owner gone', input({ missing: true, message: 'no' }), ALLOWED, 'OwnerGone', [ownerName()]],
    [
      'its owner unreadable',
      input({ error: 'boom' }),
      denied('failed getting owner for hotplug pod: boom'),
      'OwnerNotReadable',
      [ownerName('boom')],
    ],
    [
      'an owner that is no launcher',
      input({ found: other }),
      ALLOWED,
      'OwnerNotActiveLauncher',
      [phase('Running'), domain('db')],
    ],
    [
      'a succeeded launcher',
      input({ found: aPod().launcherOf(VMI).phase('Succeeded').build() }),
      ALLOWED,
      'OwnerNotActiveLauncher',
      [phase('Succeeded'), domain('db')],
    ],
    [
      'a failed launcher',
      input({ found: aPod().launcherOf(VMI).phase('Failed').build() }),
      ALLOWED,
      'OwnerNotActiveLauncher',
      [phase('Failed'), domain('db')],
    ],
    [
      'a launcher without domain',
      input({ found: withoutDomain }),
      ALLOWED,
      'OwnerWithoutDomain',
      [phase('Running'), domain()],
    ],
    ['the VMI gone', input(RUNNING, { missing: true, message: 'no' }), ALLOWED, 'VmiGone', [vmiName()]],
    [
      'the VMI unreadable',
      input(RUNNING, { error: 'boom' }),
      denied('kubevirt failed getting the vmi: boom'),
      'VmiNotReadable',
      [vmiName('boom')],
    ],
    [
      'a running VM',
      input(RUNNING),
      denied('cannot evict hotplug pod: hp-volume-7 associated with running vmi: db in namespace shop'),
      'HotplugPodOfVmi',
      [phase('Running'), domain('db'), vmiName('db')],
    ],
  ])('%s', (_name, facts, result, reason, evidence) => {
    expect(decide(hotplugEvictionTable, facts)).toEqual({ result, reason, evidence });
  });

  it('C09: are free before KubeVirt 1.6, whatever runs', () => {
    expect(decide(hotplugEvictionTable, input(RUNNING, { found: VMI }, 5))).toEqual({
      result: ALLOWED,
      reason: 'HotplugPodsNotGuarded',
      evidence: [{ object: 'KubeVirt', path: 'status.observedKubeVirtVersion', value: '1.5' }],
    });
    expect(decide(hotplugEvictionTable, input(RUNNING, { found: VMI }, 6)).reason).toBe('HotplugPodOfVmi');
  });

  it('C09: no strategy and no migratability matters', () => {
    const vmi = aVmi().on('n1').strategy('None').migratable('False').build();
    expect(decide(hotplugEvictionTable, input(RUNNING, { found: vmi })).result.allowed).toBe(false);
  });

  it('can be traced from the first rule to the last', () => {
    expect(traceOf(hotplugEvictionTable, input(RUNNING)).map((step) => step.rule)).toEqual([
      'HotplugPodsNotGuarded',
      'OwnerGone',
      'OwnerNotReadable',
      'OwnerNotActiveLauncher',
      'OwnerWithoutDomain',
      'VmiGone',
      'VmiNotReadable',
      'HotplugPodOfVmi',
    ]);
  });
});
