import { expect, it } from 'vitest';
import { Fleet } from '../../fleet/fleet.ts';
import { notServed, versionAnswer } from './virt-calls.ts';

it.each([
  [
    '/apis/subresources.kubevirt.io/v1/namespaces/shop/virtualmachineinstances/web-1/pause',
    'pause of virtualmachineinstances shop/web-1',
  ],
  [
    '/apis/subresources.kubevirt.io/v1/namespaces/shop/virtualmachines/web-1/addvolume',
    'addvolume of virtualmachines shop/web-1',
  ],
  ['/apis/subresources.kubevirt.io/v1/guestfs', '/apis/subresources.kubevirt.io/v1/guestfs'],
])('%s is refused by its name, with what there is', (path, what) => {
  expect(notServed(path)).toMatchObject({
    code: 404,
    body: {
      message: `${what} is not served by the lab, in which no guest runs: it has start, stop, restart, migrate, evacuate/cancel of virtualmachines, and evacuate/cancel of virtualmachineinstances`,
    },
  });
});

it('virtctl version is told the release that runs', () => {
  const fleet = new Fleet();
  fleet.apply('KubeVirt', {
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    status: { observedKubeVirtVersion: 'v1.9.1' },
  });
  expect(versionAnswer({ fleet })).toMatchObject({ code: 200, body: { gitVersion: 'v1.9.1' } });
});
