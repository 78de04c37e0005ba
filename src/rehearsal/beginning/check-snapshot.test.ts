import { describe, expect, it } from 'vitest';
import { Fleet } from '../../fleet/fleet.ts';
import { aNode, aPod, aVm, aVmi } from '../../kubevirt/builders.ts';
import { APP, LABEL } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { checkSnapshot } from './check-snapshot.ts';

describe('a snapshot that lacks a kind which others cannot be without', () => {
  const owner = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    name: 'db',
    uid: 'vm-db',
    controller: true,
  };
  const vmi = aVmi('db').on('n1').build();
  const owned: Vmi = { ...vmi, metadata: { ...vmi.metadata, ownerReferences: [owner] } };
  const launcher: Pod = {
    ...aPod('p').build(),
    metadata: { name: 'p', labels: { [LABEL.app]: APP.launcher } },
  };
  const all = {
    Node: aNode('n1').build(),
    Pod: launcher,
    VirtualMachineInstance: owned,
    VirtualMachine: aVm('db').build(),
  };

  const without = (...lacking: readonly string[]): Fleet => {
    const fleet = new Fleet();
    for (const [kind, object] of Object.entries(all))
      if (!lacking.includes(kind)) fleet.apply(kind as keyof typeof all, object as never);
    return fleet;
  };

  it.each([
    [['Pod'], '1 VMI runs in the snapshot, but it has no Pod'],
    [['Node', 'Pod'], '1 VMI runs in the snapshot, but it has no Node and no Pod'],
    [['VirtualMachine'], '1 VMI of a VM is in the snapshot, but it has no VirtualMachine'],
    [['VirtualMachineInstance'], '1 launcher runs in the snapshot, but it has no VirtualMachineInstance'],
  ])('%j is refused, as it would be played as a fall', (lacking, message) => {
    expect(() => checkSnapshot(without(...lacking))).toThrow(message);
  });

  it.each([[[]], [Object.keys(all)], [['Pod', 'VirtualMachineInstance']]])(
    'without %j it is played',
    (lacking) => {
      expect(() => checkSnapshot(without(...lacking))).not.toThrow();
    },
  );
});
