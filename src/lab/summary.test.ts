import { expect, it } from 'vitest';
import { Fleet } from '../fleet/fleet.ts';
import { aNode, aVmi } from '../kubevirt/builders.ts';
import type { KubeVirt, Migration } from '../kubevirt/objects.ts';
import { labSummary } from './summary.ts';

const kubevirt = (target: string): KubeVirt => ({
  metadata: { name: 'kubevirt', namespace: 'kubevirt' },
  status: {
    phase: 'Deployed',
    observedKubeVirtVersion: 'v1.9.0',
    targetKubeVirtVersion: 'v1.9.1',
    observedDeploymentID: 'a',
    targetDeploymentID: target,
  },
});
const migration = (name: string, phase: string | undefined, vmiName = 'web'): Migration => ({
  metadata: { name, namespace: 'shop', uid: name },
  spec: { vmiName },
  status: { phase },
});

it('says nothing of what is not there', () => {
  expect(labSummary(new Fleet())).toEqual([
    'KubeVirt    not installed',
    'nodes       0',
    'VMIs        none',
    'migrations  none',
  ]);
});

it('counts, and shows who is on the way', () => {
  const fleet = new Fleet();
  fleet.apply('KubeVirt', kubevirt('b'));
  fleet.apply('Node', { ...aNode('n2').build(), spec: { unschedulable: true } });
  fleet.apply('Node', aNode('n1').build());
  const state = { migrationUid: 'm2', sourceNode: 'n1', targetNode: 'n2' };
  fleet.apply(
    'VirtualMachineInstance',
    aVmi('web', 'shop').on('n1').outdated().migrationState(state).build(),
  );
  fleet.apply('VirtualMachineInstance', aVmi('db', 'shop').on('n1').build());
  fleet.apply('VirtualMachineInstanceMigration', migration('m1', 'Succeeded'));
  fleet.apply('VirtualMachineInstanceMigration', migration('m2', 'Running'));
  fleet.apply('VirtualMachineInstanceMigration', migration('m3', undefined, 'db'));
  fleet.apply('VirtualMachineInstanceMigration', migration('m4', 'Pending', 'gone'));
  expect(labSummary(fleet)).toEqual([
    'KubeVirt    v1.9.0 Deployed, rolling out v1.9.1',
    'nodes       2, cordoned: n2',
    'VMIs        2 Running; 1 outdated',
    'migrations  1 New, 1 Pending, 1 Running, 1 Succeeded',
    '  shop/web  Running  n1 → n2',
    '  shop/db  New  n1',
    '  shop/m4  Pending',
  ]);
});

it('shows eight of many', () => {
  const fleet = new Fleet();
  for (let i = 0; i < 10; i += 1)
    fleet.apply('VirtualMachineInstanceMigration', migration(`m${i}`, 'Pending', 'gone'));
  expect(labSummary(fleet).slice(4)).toEqual([
    ...Array.from({ length: 8 }, (_, i) => `  shop/m${i}  Pending`),
    '  and 2 more',
  ]);
});
