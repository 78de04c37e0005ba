import { describe, expect, it } from 'vitest';
import { aMachine, deleting } from '../../kubevirt/cluster-api/builders.ts';
import type { Machine } from '../../kubevirt/objects.ts';
import { decide } from '../rules.ts';
import { deletionStepsOf, type ReplacementInput, replacementTable } from './machine-set.ts';

const owned = (kind: string): Machine => ({
  ...aMachine(),
  metadata: { ...aMachine().metadata, ownerReferences: [{ kind, name: 'o', controller: true }] },
});
const owner = (value: string | undefined) => [
  { object: 'Machine shop/w1', path: 'metadata.ownerReferences[controller=true]', value },
];

describe('an unhealthy machine', () => {
  it.each<[string, string, ReplacementInput, string]>([
    ['Replaced', 'of a MachineSet', { machine: aMachine() }, 'replaced'],
    ['Replaced', 'of the current MachineSet', { machine: aMachine(), isCurrentRevision: true }, 'replaced'],
    ['OldRevision', 'of an old MachineSet', { machine: aMachine(), isCurrentRevision: false }, 'kept'],
    ['NoMachineSet', 'of a control plane', { machine: owned('KubeadmControlPlane') }, 'kept'],
    ['NoMachineSet', 'of nobody', { machine: { metadata: { name: 'w1', namespace: 'shop' } } }, 'kept'],
    [
      'DeletedAlready',
      'being deleted',
      { machine: deleting(aMachine()), isCurrentRevision: false },
      'replaced',
    ],
    [
      'TooManyInFlight',
      'while others are in flight',
      { machine: aMachine(), maxInFlight: 1, inFlight: 1 },
      'waits',
    ],
    ['Replaced', 'with a place left', { machine: aMachine(), maxInFlight: 2, inFlight: 1 }, 'replaced'],
    ['Replaced', 'with nothing in flight', { machine: aMachine(), maxInFlight: 1 }, 'replaced'],
    ['TooManyInFlight', 'where none may be', { machine: aMachine(), maxInFlight: 0 }, 'waits'],
    ['Replaced', 'without a limit', { machine: aMachine(), inFlight: 9 }, 'replaced'],
  ])('%s: %s', (reason, _name, input, result) => {
    expect(decide(replacementTable, input)).toMatchObject({ reason, result });
  });

  it.each<[string, ReplacementInput, unknown]>([
    ['its owner', { machine: aMachine() }, owner('MachineSet ms')],
    ['the owner of an old one', { machine: aMachine(), isCurrentRevision: false }, owner('MachineSet ms')],
    ['the lack of an owner', { machine: { metadata: { name: 'w1', namespace: 'shop' } } }, owner(undefined)],
    [
      'its deletion',
      { machine: deleting(aMachine()) },
      [{ object: 'Machine shop/w1', path: 'metadata.deletionTimestamp', value: '2026-03-01T11:59:00Z' }],
    ],
  ])('rests on %s', (_name, input, evidence) => {
    expect(decide(replacementTable, input).evidence).toEqual(evidence);
  });
});

describe('deleting a machine', () => {
  it('takes these steps', () => {
    const annotations = {
      'pre-terminate.delete.hook.machine.cluster.x-k8s.io/volumes': '',
      'pre-drain.delete.hook.machine.cluster.x-k8s.io/b': '',
      'pre-drain.delete.hook.machine.cluster.x-k8s.io/a': '',
      other: '',
    };
    const machine = aMachine('w1', {
      metadata: { name: 'w1', annotations },
      spec: { nodeDrainTimeout: '10m0s' },
    });
    expect(deletionStepsOf(machine)).toEqual([
      {
        step: 'pre-drain-hooks',
        hooks: [
          'pre-drain.delete.hook.machine.cluster.x-k8s.io/a',
          'pre-drain.delete.hook.machine.cluster.x-k8s.io/b',
        ],
      },
      { step: 'drain-node', limitSeconds: 600 },
      { step: 'volume-detach' },
      { step: 'pre-terminate-hooks', hooks: ['pre-terminate.delete.hook.machine.cluster.x-k8s.io/volumes'] },
      { step: 'delete-infrastructure' },
      { step: 'delete-node' },
    ]);
  });

  it.each([[undefined], ['0s'], ['-1s'], ['never']])(
    'with nodeDrainTimeout %s, drains without end and without hooks',
    (nodeDrainTimeout) => {
      const steps = deletionStepsOf({ metadata: { name: 'w1' }, spec: { nodeDrainTimeout } });
      expect(steps[0]).toEqual({ step: 'pre-drain-hooks', hooks: [] });
      expect(steps[1]?.limitSeconds).toBeUndefined();
    },
  );
});
