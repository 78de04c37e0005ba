import { describe, expect, it } from 'vitest';
import { aMigration, aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Deployment, ResourceQuota } from '../../kubevirt/objects.ts';
import { changesPlacement, freesRoom, type WakeUp, wakesUpdater } from './wake-ups.ts';

const node = aNode('n1').offering({ memory: '8Gi' }).build();
const conditions = [{ type: 'Ready', status: 'Unknown' }];
const quota = (used: string): ResourceQuota => ({
  metadata: { name: 'q', namespace: 'shop' },
  status: { used: { pods: used } },
});
const deployment = (image: string, name = 'virt-controller'): Deployment => ({
  metadata: { name, namespace: 'kubevirt' },
  spec: { template: { spec: { containers: [{ name: 'c', args: ['--launcher-image', image] }] } } },
});
const running = (readyReplicas: number | undefined): Deployment => ({
  ...deployment('v1'),
  status: { readyReplicas },
});
const vmi = aVmi('db').launcher('v1').migratable('False').build();

const PLACEMENT: readonly [string, WakeUp, boolean][] = [
  ['a new node', { kind: 'Node', after: node }, true],
  ['a node that is gone', { kind: 'Node', before: node }, true],
  ['a cordon', { kind: 'Node', before: aNode('n1').cordoned().build(), after: aNode('n1').build() }, true],
  ['a taint', { kind: 'Node', before: aNode('n1').build(), after: aNode('n1').tainted('x').build() }, true],
  [
    'a label',
    { kind: 'Node', before: aNode('n1').build(), after: aNode('n1').labelled('a', 'b').build() },
    true,
  ],
  [
    'more to offer',
    { kind: 'Node', before: node, after: aNode('n1').offering({ memory: '9Gi' }).build() },
    true,
  ],
  [
    'a heartbeat',
    { kind: 'Node', before: node, after: { ...node, status: { ...node.status, conditions } } },
    false,
  ],
  ['a quota with more left', { kind: 'ResourceQuota', before: quota('2'), after: quota('1') }, true],
  ['a quota that is gone', { kind: 'ResourceQuota', before: quota('2') }, true],
  ['the same quota', { kind: 'ResourceQuota', before: quota('2'), after: quota('2') }, false],
];

const OTHERS: readonly [string, WakeUp, boolean][] = [
  ['another launcher image', { kind: 'Deployment', before: deployment('v1'), after: deployment('v2') }, true],
  ['virt-controller', { kind: 'Deployment', after: deployment('v1') }, true],
  ['virt-controller going', { kind: 'Deployment', before: deployment('v1') }, true],
  ['virt-controller coming up', { kind: 'Deployment', before: running(0), after: running(1) }, true],
  [
    'virt-controller coming up first',
    { kind: 'Deployment', before: running(undefined), after: running(2) },
    true,
  ],
  ['virt-controller going down', { kind: 'Deployment', before: running(1), after: running(undefined) }, true],
  ['one more of it', { kind: 'Deployment', before: running(1), after: running(2) }, false],
  ['the same image', { kind: 'Deployment', before: deployment('v1'), after: deployment('v1') }, false],
  [
    'another deployment',
    { kind: 'Deployment', before: deployment('v1', 'x'), after: deployment('v2', 'x') },
    false,
  ],
];

const VMIS: readonly [string, WakeUp, boolean][] = [
  [
    'a VMI that can migrate now',
    { kind: 'VirtualMachineInstance', before: vmi, after: aVmi('db').launcher('v1').migratable().build() },
    true,
  ],
  [
    'a VMI whose image is known now',
    { kind: 'VirtualMachineInstance', before: aVmi('db').migratable('False').build(), after: vmi },
    true,
  ],
  [
    'a VMI that runs now',
    {
      kind: 'VirtualMachineInstance',
      before: aVmi('db').phase('Scheduled').build(),
      after: aVmi('db').build(),
    },
    true,
  ],
  [
    'a change of a VMI that is withdrawn',
    {
      kind: 'VirtualMachineInstance',
      before: aVmi('db').condition('HotVCPUChange', 'True').build(),
      after: aVmi('db').build(),
    },
    true,
  ],
  [
    'a VMI that is to migrate no more',
    {
      kind: 'VirtualMachineInstance',
      before: vmi,
      after: { ...vmi, metadata: { ...vmi.metadata, annotations: { [ANNOTATION.abortWorkloadUpdate]: '' } } },
    },
    true,
  ],
  [
    'a VMI whose migration has ended',
    {
      kind: 'VirtualMachineInstance',
      before: vmi,
      after: { ...vmi, status: { ...vmi.status, migrationState: { endTimestamp: '2026-03-01T12:00:00Z' } } },
    },
    true,
  ],
  ['a new VMI', { kind: 'VirtualMachineInstance', after: vmi }, true],
  ['a VMI that is gone', { kind: 'VirtualMachineInstance', before: vmi }, false],
  [
    'another detail of a VMI',
    {
      kind: 'VirtualMachineInstance',
      before: vmi,
      after: aVmi('db').launcher('v1').migratable('False', 'Other').labelled('a', 'b').build(),
    },
    false,
  ],
];

describe.each([...PLACEMENT, ...OTHERS, ...VMIS])('%s', (_, change, wakes) => {
  it(`${wakes ? 'wakes' : 'does not wake'} the updater`, () => {
    expect(wakesUpdater(change)).toBe(wakes);
  });
});

it.each([...PLACEMENT, ...[...OTHERS, ...VMIS].map(([what, change]) => [what, change, false] as const)])(
  'placement changes by %s',
  (_, change, changes) => {
    expect(changesPlacement(change)).toBe(changes);
  },
);

const pod = aPod().on('n1').build();
const over = aPod().on('n1').phase('Succeeded').build();
const migration = aMigration().phase('Pending').build();
const failed = aMigration().phase('Failed').build();

it.each<readonly [string, WakeUp, boolean]>([
  ['a pod that is gone', { kind: 'Pod', before: pod }, true],
  ['a pod that ends', { kind: 'Pod', before: pod, after: over }, true],
  ['a pod that is gone after its end', { kind: 'Pod', before: over }, false],
  ['a pod that comes', { kind: 'Pod', after: pod }, false],
  ['a pod that goes on', { kind: 'Pod', before: pod, after: pod }, false],
  ['a pod that never had a node', { kind: 'Pod', before: aPod().build() }, false],
  [
    'a migration that ends',
    { kind: 'VirtualMachineInstanceMigration', before: migration, after: failed },
    true,
  ],
  ['a migration that is gone', { kind: 'VirtualMachineInstanceMigration', before: migration }, true],
  ['a migration that comes', { kind: 'VirtualMachineInstanceMigration', after: migration }, false],
  ['a node that is gone', { kind: 'Node', before: node }, false],
])('room may become free by %s', (_, change, frees) => {
  expect([freesRoom(change), wakesUpdater(change)]).toEqual([frees, change.kind === 'Node']);
});
