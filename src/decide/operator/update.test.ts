import { expect, it } from 'vitest';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import type { Deployment } from '../../kubevirt/objects.ts';
import { deploymentIdOf, handlersAtOnce, updated, updating, withLauncherImage } from './update.ts';

const release = { version: 'v1.9.1', launcherImage: 'launcher:v2', deploymentId: 'd2' };
const old = () =>
  aKubeVirt().status({
    observedDeploymentID: 'd1',
    targetDeploymentID: 'd1',
    observedKubeVirtVersion: 'v1.9.0',
    conditions: [
      { type: 'Available', status: 'True', reason: 'AllComponentsReady' },
      { type: 'Other', status: 'True' },
    ],
  });

const conditions = (statuses: string[], reason: string, message: string) =>
  ['Available', 'Progressing', 'Degraded'].map((type, index) => ({
    type,
    status: statuses[index],
    reason,
    message,
  }));

it('works towards another release, and stays deployed', () => {
  const changed = updating(old().build(), release);
  expect(changed?.status).toEqual({
    phase: 'Deployed',
    observedDeploymentID: 'd1',
    targetDeploymentID: 'd2',
    observedKubeVirtVersion: 'v1.9.0',
    targetKubeVirtVersion: 'v1.9.1',
    conditions: [
      { type: 'Other', status: 'True' },
      ...conditions(
        ['True', 'True', 'True'],
        'UpdateInProgress',
        'Transitioning from previous version v1.9.0 to target version v1.9.1',
      ),
    ],
  });
  expect(changed && updating(changed, release)).toBeUndefined();
});

it('begins with a CR without status', () => {
  expect(updating({ metadata: { name: 'kubevirt' } }, release)?.status?.conditions?.[0]?.message).toBe(
    'Transitioning from previous version  to target version v1.9.1',
  );
});

it('has it once all components are ready, unless the target is another one by then', () => {
  const before = old().status({ targetDeploymentID: 'd2' }).build();
  expect(updated(before, release)?.status).toMatchObject({
    phase: 'Deployed',
    observedDeploymentID: 'd2',
    observedKubeVirtVersion: 'v1.9.1',
    conditions: [
      { type: 'Other' },
      ...conditions(['True', 'False', 'False'], 'AllComponentsReady', 'All components are ready.'),
    ],
  });
  expect(updated(before, { ...release, deploymentId: 'd3' })).toBeUndefined();
});

const deployment = (args?: string[]): Deployment => ({
  metadata: { name: 'virt-controller', namespace: 'kubevirt' },
  spec: { template: { spec: { containers: [{ name: 'virt-controller', args }] } } },
});

it('puts the launcher image among the arguments', () => {
  const changed = withLauncherImage(
    deployment(['--launcher-image', 'launcher:v1', '--port', '1']),
    'launcher:v2',
  );
  expect(changed?.spec?.template?.spec?.containers).toEqual([
    { name: 'virt-controller', args: ['--launcher-image', 'launcher:v2', '--port', '1'] },
  ]);
  expect(changed?.metadata).toEqual({ name: 'virt-controller', namespace: 'kubevirt' });
});

it.each([
  ['of the release', 'quay.io/kubevirt/virt-launcher:v2', 'quay.io/kubevirt/virt-controller:v2'],
  ['of before where a name does not tell the release', 'launcher:v2', 'quay.io/kubevirt/virt-controller:v1'],
])('gives virt-controller its own image %s', (_, launcher, own) => {
  const old = deployment(['--launcher-image', 'quay.io/kubevirt/virt-launcher:v1']);
  const containers = old.spec?.template?.spec?.containers?.map((each) => ({
    ...each,
    image: 'quay.io/kubevirt/virt-controller:v1',
  }));
  const whole = { ...old, spec: { template: { spec: { containers } } } };
  expect(withLauncherImage(whole, launcher)?.spec?.template?.spec).toMatchObject({
    containers: [{ image: own }],
  });
});

it.each([
  ['that image', deployment(['--launcher-image', 'launcher:v2'])],
  ['no such argument', deployment(['x', 'y'])],
  ['no arguments', deployment()],
  ['no spec', { metadata: { name: 'virt-api' } }],
])('leaves a Deployment alone that has %s', (_, of) => {
  expect(withLauncherImage(of, 'launcher:v2')).toBeUndefined();
});

it.each([
  [100, 0, 1],
  [100, 1, 10],
  [101, 50, 11],
  [4, 1, 1],
  [0, 1, 1],
])('replaces of %d virt-handlers, %d of them done, %d at once', (nodes, done, atOnce) => {
  expect(handlersAtOnce(nodes, done)).toBe(atOnce);
});

it('names releases', () => {
  const id = deploymentIdOf('v1.9.1', 'launcher:v2');
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(deploymentIdOf('v1.9.1', 'launcher:v2')).toBe(id);
  expect(deploymentIdOf('v1.9.2', 'launcher:v2')).not.toBe(id);
  expect(deploymentIdOf('v1.9.1', 'launcher:v3')).not.toBe(id);
});
