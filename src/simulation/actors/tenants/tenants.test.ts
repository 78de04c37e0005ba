import { expect, it } from 'vitest';
import { aKubeVirt, aVm, aVmi } from '../../../kubevirt/builders.ts';
import { World } from '../../test-world.ts';
import { callVm, cancelEvacuation, configure, editVm, mergePatch, migrateVm } from './tenants.ts';

function begin(...objects: readonly object[]) {
  const world = new World(...objects);
  return { world, cluster: world.connect(), vm: () => world.api.get('VirtualMachine', 'shop/db') };
}

it('edits a VM by a merge patch', async () => {
  const { cluster, vm } = begin(
    aVm('db')
      .template({ domain: { cpu: { sockets: 1, cores: 2 } } })
      .build(),
  );
  const patch = { spec: { template: { spec: { domain: { cpu: { sockets: 2, cores: null } } } } } };
  expect(await editVm(cluster, 'shop/db', patch)).toEqual({ ok: true, name: 'db' });
  expect(vm()?.spec).toEqual({
    runStrategy: 'Always',
    template: { spec: { domain: { cpu: { sockets: 2 } } } },
  });
  expect(await editVm(cluster, 'shop/none', patch)).toMatchObject({ ok: false, code: 404 });
});

it('sets the status behind its own door', async () => {
  const { cluster, vm } = begin(aVm('db').build());
  await mergePatch(cluster, 'VirtualMachine', 'shop/db', { status: { created: true } }, 'status');
  expect(vm()?.status).toEqual({ created: true });
});

it('configures KubeVirt', async () => {
  const { world, cluster } = begin(aKubeVirt().methods('Evict').build());
  await configure(cluster, { configuration: { evictionStrategy: 'LiveMigrate' } });
  expect(world.api.get('KubeVirt', 'kubevirt/kubevirt')?.spec).toEqual({
    workloadUpdateStrategy: { workloadUpdateMethods: ['Evict'] },
    configuration: { evictionStrategy: 'LiveMigrate' },
  });
});

it('configures nothing where there is no KubeVirt', async () => {
  expect(await configure(begin().cluster, {})).toMatchObject({ ok: false, code: 404 });
});

it('starts, stops and restarts as virtctl does', async () => {
  const { cluster, vm } = begin(aVm('db').runStrategy('Always').build(), aVmi('db').build());
  await callVm(cluster, 'shop/db', 'restart');
  expect(vm()?.status).toEqual({
    stateChangeRequests: [{ action: 'Stop', uid: 'uid-db' }, { action: 'Start' }],
  });
  await callVm(cluster, 'shop/db', 'stop');
  expect(vm()?.spec).toMatchObject({ runStrategy: 'Halted' });
  expect(await callVm(cluster, 'shop/db', 'start')).toEqual({
    ok: false,
    code: 409,
    reason: 'Conflict',
    message: 'Operation cannot be fulfilled on virtualmachine.kubevirt.io "db": VM is already running',
  });
  expect(await callVm(cluster, 'shop/none', 'start')).toEqual({
    ok: false,
    code: 404,
    reason: 'NotFound',
    message: 'virtualmachine.kubevirt.io "none" not found',
  });
});

it('asks for a migration of a VM that runs', async () => {
  const { world, cluster } = begin(aVmi('db').build(), aVmi('off').phase('Succeeded').build());
  expect(await migrateVm(cluster, 'shop/db')).toMatchObject({ ok: true });
  expect(world.migrations()).toEqual([{ name: expect.stringMatching(/^kubevirt-migrate-vm-/), vmi: 'db' }]);
  const message = 'Operation cannot be fulfilled on virtualmachine.kubevirt.io "off": VM is not running';
  expect(await migrateVm(cluster, 'shop/off')).toEqual({ ok: false, code: 409, reason: 'Conflict', message });
  expect(await migrateVm(cluster, 'shop/none')).toMatchObject({ ok: false, code: 409 });
});

it('takes the mark of an eviction away', async () => {
  const { world, cluster } = begin(aVmi('db').on('n1').marked().build());
  await cancelEvacuation(cluster, 'shop/db');
  expect(world.api.get('VirtualMachineInstance', 'shop/db')?.status).toEqual({
    phase: 'Running',
    nodeName: 'n1',
  });
  await cancelEvacuation(cluster, 'shop/db');
  expect(world.wrote('modify')).toHaveLength(2);
});
