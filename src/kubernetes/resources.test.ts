import { expect, it } from 'vitest';
import { KNOWN_KINDS } from '../kubevirt/kinds.ts';
import { apiVersionOf, collectionPath, objectPath, resourcesOf } from './resources.ts';

it('knows where each kind is', () => {
  expect(KNOWN_KINDS.map((kind) => collectionPath(resourcesOf(kind)[0], 'ns'))).toEqual([
    '/apis/kubevirt.io/v1/namespaces/ns/kubevirts',
    '/apis/kubevirt.io/v1/namespaces/ns/virtualmachines',
    '/apis/kubevirt.io/v1/namespaces/ns/virtualmachineinstances',
    '/apis/kubevirt.io/v1/namespaces/ns/virtualmachineinstancemigrations',
    '/apis/kubevirt.io/v1/namespaces/ns/virtualmachineinstancereplicasets',
    '/apis/migrations.kubevirt.io/v1alpha1/migrationpolicies',
    '/api/v1/namespaces/ns/pods',
    '/api/v1/nodes',
    '/api/v1/namespaces',
    '/api/v1/namespaces/ns/persistentvolumeclaims',
    '/api/v1/persistentvolumes',
    '/apis/policy/v1/namespaces/ns/poddisruptionbudgets',
    '/api/v1/namespaces/ns/resourcequotas',
    '/apis/apps/v1/namespaces/ns/daemonsets',
    '/apis/apps/v1/namespaces/ns/deployments',
    '/apis/infrastructure.cluster.x-k8s.io/v1alpha1/namespaces/ns/kubevirtmachines',
    '/apis/cluster.x-k8s.io/v1beta1/namespaces/ns/machines',
    '/apis/cluster.x-k8s.io/v1beta1/namespaces/ns/machinesets',
    '/apis/cluster.x-k8s.io/v1beta1/namespaces/ns/machinehealthchecks',
  ]);
});

it('takes the next version where a server has not the best', () => {
  expect(resourcesOf('Machine').map(apiVersionOf)).toEqual([
    'cluster.x-k8s.io/v1beta1',
    'cluster.x-k8s.io/v1beta2',
  ]);
  expect(apiVersionOf(resourcesOf('Pod')[0])).toBe('v1');
});

it.each([
  ['Pod', 'a/b', undefined, '/api/v1/namespaces/a/pods/b'],
  ['Pod', 'a/b', 'eviction', '/api/v1/namespaces/a/pods/b/eviction'],
  ['Node', 'n', undefined, '/api/v1/nodes/n'],
  ['Pod', 'a/../b', undefined, '/api/v1/namespaces/a/pods/..%2Fb'],
] as const)('%s %s %s is at %s', (kind, key, subresource, path) => {
  expect(objectPath(resourcesOf(kind)[0], key, subresource)).toBe(path);
});

it('lists all namespaces where none is given', () => {
  expect(collectionPath(resourcesOf('Pod')[0])).toBe('/api/v1/pods');
});
