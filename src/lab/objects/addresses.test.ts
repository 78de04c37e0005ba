import { expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { addressed, addressOf } from './addresses.ts';

const interfaces = [
  { name: 'default', masquerade: {} },
  { name: 'storage', bridge: {} },
];

function vmi(status: NonNullable<Vmi['status']> = {}): Vmi {
  const built = aVmi('db', 'shop').on('n1').build();
  return {
    ...built,
    spec: { ...built.spec, domain: { ...built.spec?.domain, devices: { interfaces } } },
    status: { ...built.status, ...status },
  };
}

it('a VMI of a trimmed snapshot has the address of its launcher, which kubectl shows', () => {
  expect(addressed(vmi(), '10.0.0.8').status?.interfaces).toMatchObject([
    { name: 'default', ipAddress: '10.0.0.8' },
    { name: 'storage' },
  ]);
});

it.each<[string, NonNullable<Vmi['status']>, string | undefined]>([
  ['that tells of its interfaces', { interfaces: [{ name: 'default' }] }, '10.0.0.8'],
  ['that does not run', { phase: 'Succeeded' }, '10.0.0.8'],
  ['whose launcher is not there', {}, undefined],
])('a VMI %s stays as it is', (_, status, address) => {
  expect(addressed(vmi(status), address)).toEqual(vmi(status));
});

it('a pod keeps the address that it has', () => {
  const pod = aPod('p', 'shop').build();
  expect(addressOf({ ...pod, status: { podIP: '10.1.1.1' } }).podIP).toBe('10.1.1.1');
  expect(addressOf(pod)).toEqual({
    podIP: expect.stringMatching(/^10\./),
    podIPs: [{ ip: addressOf(pod).podIP }],
  });
});
