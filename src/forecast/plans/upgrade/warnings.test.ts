import { expect, it } from 'vitest';
import { clusterObjects, type RawObject } from '../../../scenario/cluster.ts';
import { fleetOf } from '../../test-clusters.ts';
import { planUpgrade } from '../upgrade.ts';

const vm = { name: 'a', node: 'n1', migratable: true } as const;

/** A node with the status of its Ready condition; without one, nothing is said of it. */
function node(
  name: string,
  ready?: string,
  labels: object = { 'kubevirt.io/schedulable': 'false' },
): RawObject {
  const conditions = ready === undefined ? [] : [{ type: 'Ready', status: ready }];
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status: { conditions } };
}

const warningsWith = (...objects: RawObject[]) =>
  planUpgrade(
    fleetOf(clusterObjects({ nodes: ['n1'], vms: [vm], kubevirt: { methods: ['LiveMigrate'] }, objects })),
    {},
    { now: 0 },
  ).status.warnings;

it('an upgrade that a node keeps from being done is told with the node', () => {
  expect(warningsWith(node('n3', 'Unknown'))).toEqual([
    'n3 is not Ready, and so neither is virt-handler there: virt-operator does not finish an upgrade, and no VM is updated, until it is Ready again or deleted. Bring it back first.',
  ]);
  expect(warningsWith(node('n3', 'False'), node('n2', 'Unknown'))[0]).toMatch(
    /^n2, n3 are not Ready, .* back first\.$/,
  );
});

it.each([
  ['is Ready', node('n3', 'True')],
  ['says nothing of it', node('n3')],
  ['has no virt-handler', node('n3', 'Unknown', {})],
  [
    'is out of service',
    {
      ...node('n3', 'Unknown'),
      spec: { taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }] },
    },
  ],
])('a node that %s keeps no upgrade from being done', (_, one) => {
  expect(warningsWith(one)).toEqual([]);
});
