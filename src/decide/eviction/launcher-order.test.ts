import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import { decide, traceOf } from '../rules.ts';
import { launcherEvictionTable } from './launcher.ts';
import { aLauncher, input, migrating } from './test-launcher.ts';

const ALLOWED = { allowed: true };
const MARKED = { allowed: false, message: 'Eviction triggered evacuation of VMI "shop/db"', mark: true };

describe('the order of the launcher table', () => {
  it.each([
    [
      'not migratable comes before in progress',
      migrating('LiveMigrate', 'False').marked(),
      'NotLiveMigratable',
    ],
    [
      'a mark does not protect a VMI that can no longer migrate',
      migrating('LiveMigrateIfPossible', 'False').marked(),
      'NotMigratableEvicts',
    ],
    [
      'in progress comes before the target pod',
      migrating('LiveMigrate').marked().on('n2'),
      'EvacuationInProgress',
    ],
    [
      'any True condition counts',
      migrating('LiveMigrate', 'False').migratable('True'),
      'EvacuationTriggered',
    ],
    [
      'phase and deletion do not matter',
      migrating('LiveMigrate').phase('Failed').deleting(),
      'EvacuationTriggered',
    ],
    ['an empty mark is none', migrating('LiveMigrate').marked(''), 'EvacuationTriggered'],
  ])('%s', (_name, vmi, reason) => {
    expect(decide(launcherEvictionTable, input({ vmi: { found: vmi.build() } })).reason).toBe(reason);
  });

  it('a pod and a VMI without node are on the same one', () => {
    const pod = aPod().launcherOf(aVmi().build()).build();
    const vmi = { found: aVmi().strategy('LiveMigrate').migratable().build() };
    expect(decide(launcherEvictionTable, input({ pod, vmi })).reason).toBe('EvacuationTriggered');
    expect(decide(launcherEvictionTable, input({ vmi })).reason).toBe('TargetPod');
    expect(decide(launcherEvictionTable, input({ pod })).reason).toBe('TargetPod');
  });

  it('a VMI without status is neither marked nor on a node', () => {
    const vmi = {
      found: { metadata: { name: 'db', namespace: 'shop' }, spec: { evictionStrategy: 'External' } },
    };
    expect(decide(launcherEvictionTable, input({ vmi })).reason).toBe('TargetPod');
  });
});

describe("KubeVirt before 1.5 leaves later evictions to the VMI's own budget", () => {
  it.each([
    ['a marked VMI', { vmi: { found: migrating('LiveMigrate').marked().build() } }, 'EvacuationInProgress'],
    ['a target pod', { pod: aLauncher().on('n2').build() }, 'TargetPod'],
  ])('%s', (_name, change, since) => {
    const before = decide(launcherEvictionTable, input(change, 4));
    expect(before).toMatchObject({ result: ALLOWED, reason: 'LeftToBudget' });
    expect(before.evidence.map(({ path }) => path)).toEqual([
      'spec.evictionStrategy',
      'status.conditions[type=LiveMigratable]',
      'status.evacuationNodeName',
      'status.nodeName',
      'spec.nodeName',
      'status.observedKubeVirtVersion',
    ]);
    expect(before.evidence.at(-1)?.value).toBe('1.4');
    expect(decide(launcherEvictionTable, input(change, 5)).reason).toBe(since);
  });

  it('but still marks at the first', () => {
    expect(decide(launcherEvictionTable, input({}, 4))).toMatchObject({
      result: MARKED,
      reason: 'EvacuationTriggered',
    });
  });
});

describe('a trace', () => {
  it('goes through every rule', () => {
    expect(traceOf(launcherEvictionTable, input()).map((step) => step.rule)).toEqual([
      'NoDomain',
      'VmiGone',
      'VmiNotReadable',
      'NoStrategy',
      'UnknownStrategy',
      'NotLiveMigratable',
      'NotMigratableEvicts',
      'LeftToBudget',
      'EvacuationInProgress',
      'TargetPod',
      'EvictionNotReadable',
      'MarkFailed',
      'External',
      'EvacuationTriggered',
    ]);
  });

  it('reads nothing of a VMI that is not there', () => {
    const facts = input({ vmi: { error: 'boom' } });
    const read = launcherEvictionTable.slice(3, 7).flatMap((rule) => rule.reads(facts));
    const marks = launcherEvictionTable.slice(8, 10).flatMap((rule) => rule.reads(facts));
    expect([...read, ...marks]).toEqual([]);
  });

  it('has nothing to say of an Eviction that can be read', () => {
    const unreadable = launcherEvictionTable.find((rule) => rule.name === 'EvictionNotReadable');
    expect(unreadable?.reads(input({ eviction: { eviction: {} } }))[0]?.value).toBeUndefined();
    expect(unreadable?.reads(input())[0]?.value).toBeUndefined();
  });
});
