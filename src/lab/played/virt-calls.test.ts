import { expect, it } from 'vitest';
import { Fleet } from '../../fleet/fleet.ts';
import { aNode, aVm, aVmi } from '../../kubevirt/builders.ts';
import { World } from '../../simulation/test-world.ts';
import { answerCall, notServed, type VirtCall, versionAnswer } from './virt-calls.ts';

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

it.each<VirtCall>(['start', 'migrate', 'evacuate/cancel'])(
  '%s with a body that is no JSON is a bad request',
  async (call) => {
    const world = new World(aNode('n1').build(), aVm('db').build(), aVmi('db').on('n1').marked('n1').build());
    const { code, body } = await answerCall(world.connect(), 'shop/db', call, '{"dryRun": [');
    expect({ code, reason: body.reason }).toEqual({ code: 400, reason: 'BadRequest' });
    expect(String(body.message)).toMatch(/^the body of the call cannot be read: .*JSON/);
  },
);

it.each([
  ['{"evacuationNodeName":"n2"}', 500, 'n1'],
  ['{}', 500, 'n1'],
  ['', 400, 'n1'],
  ['{"evacuationNodeName":"n1","dryRun":["All"]}', 200, 'n1'],
  ['{"evacuationNodeName":"n1"}', 200, undefined],
])('evacuate/cancel with the body %j is answered with %d', async (body, code, mark) => {
  const world = new World(aNode('n1').build(), aVmi('db').on('n1').marked('n1').build());
  const cluster = world.connect();
  expect(await answerCall(cluster, 'shop/db', 'evacuate/cancel', body)).toMatchObject({ code });
  expect(cluster.fleet.get('VirtualMachineInstance', 'shop/db')?.status?.evacuationNodeName).toBe(mark);
});

it('virtctl version is told the release that runs', () => {
  const fleet = new Fleet();
  fleet.apply('KubeVirt', {
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    status: { observedKubeVirtVersion: 'v1.9.1' },
  });
  expect(versionAnswer({ fleet })).toMatchObject({ code: 200, body: { gitVersion: 'v1.9.1' } });
});
