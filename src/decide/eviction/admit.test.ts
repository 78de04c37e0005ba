import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import { versionRules } from '../versions.ts';
import { admitEviction, type EvictionFacts, isEvictionAnswer } from './admit.ts';

const VERSION = { major: 1, minor: 9 };
const SETTINGS = { evictionStrategy: 'None', version: VERSION, rules: versionRules(VERSION) };
const VMI = aVmi().on('n1').strategy('LiveMigrate').migratable().build();
const LAUNCHER = aPod().launcherOf(VMI).on('n1').build();
const ATTACHMENT = aPod('hp-volume-1')
  .labelled('kubevirt.io', 'hotplug-disk')
  .meta({ ownerReferences: [{ kind: 'Pod', name: LAUNCHER.metadata.name }] })
  .build();
const REQUEST = { namespace: 'shop', name: LAUNCHER.metadata.name, object: {} };
const BASE: EvictionFacts = { request: REQUEST, settings: SETTINGS, behavior: 'exact' };
const TRIGGERED = 'Eviction triggered evacuation of VMI "shop/db"';

describe('admitEviction asks for one thing at a time', () => {
  it('C04: a launcher: the pod, the VMI, the mark', () => {
    expect(admitEviction(BASE)).toEqual({ need: 'pod', namespace: 'shop', name: 'virt-launcher-db-1' });
    const withPod = { ...BASE, pod: { found: LAUNCHER } };
    expect(admitEviction(withPod)).toEqual({ need: 'vmi', namespace: 'shop', name: 'db' });
    const withVmi = { ...withPod, vmi: { found: VMI } };
    expect(admitEviction(withVmi)).toEqual({
      need: 'patch',
      namespace: 'shop',
      name: 'db',
      patch: [{ op: 'add', path: '/status/evacuationNodeName', value: 'n1' }],
      dryRun: false,
    });
    expect(admitEviction({ ...withVmi, patch: { patched: true } })).toMatchObject({
      allowed: false,
      code: 429,
      message: TRIGGERED,
      reason: 'EvacuationTriggered',
    });
    expect(admitEviction({ ...withVmi, patch: { error: 'conflict' } })).toMatchObject({
      allowed: false,
      code: 429,
      message: 'kubevirt failed marking the vmi for eviction: conflict',
      reason: 'MarkFailed',
    });
  });

  it.each([
    ['the request', { dryRun: true, object: {} }],
    ['the Eviction', { object: { deleteOptions: { dryRun: ['All'] } } }],
  ])('C04: a dry run by %s gets the same answers and patches dry', (_name, change) => {
    const request = { ...REQUEST, ...change };
    const facts = { ...BASE, request, pod: { found: LAUNCHER }, vmi: { found: VMI } };
    expect(admitEviction(facts)).toMatchObject({ need: 'patch', dryRun: true });
    expect(admitEviction({ ...facts, patch: { patched: true } })).toMatchObject({ message: TRIGGERED });
  });

  it('the mark tells of the descheduler, by the behavior asked for', () => {
    const object = { metadata: { annotations: { 'requested-by': 'sigs.k8s.io/descheduler' } } };
    const facts = { ...BASE, request: { ...REQUEST, object }, pod: { found: LAUNCHER }, vmi: { found: VMI } };
    const noted = (key: string) => ({
      patch: [{}, { op: 'add', path: '/metadata/annotations', value: { [key]: 'descheduler' } }],
    });
    expect(admitEviction(facts)).toMatchObject(noted('kubevirt.io~1eviction-source'));
    expect(admitEviction({ ...facts, behavior: 'intended' })).toMatchObject(
      noted('kubevirt.io/eviction-source'),
    );
  });

  it('an Eviction that cannot be read matters on the mark path only', () => {
    const facts = { ...BASE, request: { ...REQUEST, object: undefined }, pod: { found: LAUNCHER } };
    expect(admitEviction({ ...facts, vmi: { found: VMI } })).toMatchObject({
      allowed: false,
      message: 'failed to parse the eviction object: unexpected end of JSON input',
      reason: 'EvictionNotReadable',
    });
    const marked = aVmi().on('n1').strategy('External').marked().build();
    expect(admitEviction({ ...facts, vmi: { found: marked } })).toMatchObject({
      reason: 'EvacuationInProgress',
    });
    const none = aVmi().on('n1').strategy('None').build();
    expect(admitEviction({ ...facts, vmi: { found: none } })).toMatchObject({ allowed: true });
  });

  it('a pod that cannot be read, and one that is none of ours, are let through at once', () => {
    expect(admitEviction({ ...BASE, pod: { error: 'boom' } })).toEqual({
      allowed: true,
      reason: 'PodNotReadable',
      evidence: [{ object: 'Pod shop/virt-launcher-db-1', path: 'metadata.name', value: 'boom' }],
    });
    expect(admitEviction({ ...BASE, pod: { found: aPod().build() } })).toMatchObject({
      allowed: true,
      reason: 'OtherPod',
    });
  });

  it('a launcher that names no VMI is let through without a look at one', () => {
    const found = aPod().labelled('kubevirt.io', 'virt-launcher').build();
    expect(admitEviction({ ...BASE, pod: { found } })).toMatchObject({ allowed: true, reason: 'NoDomain' });
  });

  it('C09: an attachment pod: the pod, its owner, the VMI, never a mark', () => {
    const facts = { ...BASE, request: { ...REQUEST, name: 'hp-volume-1' }, pod: { found: ATTACHMENT } };
    expect(admitEviction(facts)).toEqual({ need: 'owner', namespace: 'shop', name: 'virt-launcher-db-1' });
    const withOwner = { ...facts, owner: { found: LAUNCHER } };
    expect(admitEviction(withOwner)).toEqual({ need: 'vmi', namespace: 'shop', name: 'db' });
    expect(admitEviction({ ...withOwner, vmi: { found: VMI } })).toMatchObject({
      allowed: false,
      code: 429,
      message: 'cannot evict hotplug pod: hp-volume-1 associated with running vmi: db in namespace shop',
      reason: 'HotplugPodOfVmi',
    });
  });

  it('an attachment pod whose owner decides needs no VMI; before 1.6 it needs no owner', () => {
    const facts = { ...BASE, pod: { found: ATTACHMENT } };
    const gone = { missing: true, message: 'no' } as const;
    expect(admitEviction({ ...facts, owner: gone })).toMatchObject({ allowed: true, reason: 'OwnerGone' });
    const version = { major: 1, minor: 5 };
    const settings = { ...SETTINGS, version, rules: versionRules(version) };
    expect(admitEviction({ ...facts, settings })).toMatchObject({
      allowed: true,
      reason: 'HotplugPodsNotGuarded',
    });
  });

  it('always comes to an answer within four steps, and denies with 429 and a message only', () => {
    const found = <T>(value: T) => ({ found: value });
    const failed = fc.constantFrom({ error: 'boom' }, { missing: true as const, message: 'no' });
    const pods = [LAUNCHER, ATTACHMENT, aPod().build(), aPod().launcherOf(VMI).phase('Failed').build()].map(
      found,
    );
    const strategies = ['None', 'LiveMigrate', 'LiveMigrateIfPossible', 'External', 'Bogus'];
    const vmis = strategies.flatMap((strategy) =>
      ['True', 'False'].map((status) => found(aVmi().on('n1').strategy(strategy).migratable(status).build())),
    );
    const facts = {
      pod: fc.oneof(failed, fc.constantFrom(...pods)),
      owner: fc.oneof(failed, fc.constantFrom(...pods)),
      vmi: fc.oneof(failed, fc.constantFrom(...vmis)),
      patch: fc.constantFrom({ patched: true as const }, { error: 'boom' }),
    };
    fc.assert(
      fc.property(fc.record(facts), fc.constantFrom<unknown>({}, undefined), (known, object) => {
        let step = admitEviction({ ...BASE, request: { ...REQUEST, object } });
        let asked: Partial<EvictionFacts> = {};
        while (!isEvictionAnswer(step)) {
          expect(asked).not.toHaveProperty(step.need);
          asked = { ...asked, [step.need]: known[step.need] };
          step = admitEviction({ ...BASE, request: { ...REQUEST, object }, ...asked });
        }
        expect(Object.keys(asked)).toEqual(['pod', 'owner', 'vmi', 'patch'].filter((key) => key in asked));
        expect(step.code).toBe(step.allowed ? undefined : 429);
        expect(step.message === undefined).toBe(step.allowed);
      }),
    );
  });
});
