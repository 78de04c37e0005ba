import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration, aVm, aVmi } from '../../kubevirt/builders.ts';
import { MemoryApi } from '../memory-api.ts';
import { seededRandom } from '../seeded-random.ts';
import { valueAt } from '../test-recording.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { virtApiAdmission } from './memory-admission.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';

function anApi(behavior: 'exact' | 'intended' = 'exact'): MemoryApi {
  const clock = new VirtualClock(1_772_366_400_000);
  return new MemoryApi(clock, seededRandom(1), { admission: virtApiAdmission(clock, behavior) });
}

const kubevirtWith = (evictionStrategy: string) =>
  aKubeVirt().spec({ configuration: { evictionStrategy } }).build();
const aNewVmi = (name: string) => ({ metadata: { name }, spec: {} });
const strategyOf = (api: MemoryApi, name: string) =>
  valueAt(api.get('VirtualMachineInstance', `shop/${name}`), 'spec', 'evictionStrategy');

describe('virt-api in front of an API in memory', () => {
  it('stamps each VMI with the strategy of its time', () => {
    const api = anApi();
    api.create('VirtualMachineInstance', 'shop', aNewVmi('a'));
    api.put('KubeVirt', kubevirtWith('LiveMigrate'));
    api.create('VirtualMachineInstance', 'shop', aNewVmi('b'));
    api.put('KubeVirt', kubevirtWith('External'));
    api.create('VirtualMachineInstance', 'shop', aNewVmi('c'));
    expect(['a', 'b', 'c'].map((name) => strategyOf(api, name))).toEqual(['None', 'LiveMigrate', 'External']);
  });

  it('refuses in the words of the API server', () => {
    const api = anApi();
    const vm = { metadata: { name: 'db' }, spec: { template: {} } };
    expect(api.create('VirtualMachine', 'shop', vm)).toEqual({
      ok: false,
      code: 422,
      reason: 'Invalid',
      message:
        'admission webhook "virtualmachine-validator.kubevirt.io" denied the request: RunStrategy must be specified',
    });
    api.put('KubeVirt', kubevirtWith('Maybe'));
    const silent = { metadata: { name: 'db' }, spec: { runStrategy: 'Always', template: {} } };
    expect(api.create('VirtualMachine', 'shop', silent)).toMatchObject({
      code: 500,
      message: expect.stringMatching(/^Internal error occurred: failed calling webhook "/),
    });
    expect(anApi('intended').create('VirtualMachine', 'shop', silent)).toMatchObject({
      ok: true,
    });
  });

  it('lets one migration of a VMI in at a time, whatever became of others', () => {
    const api = anApi();
    const [first, second] = [aMigration('first').build(), aMigration('second').build()];
    expect(api.create(MIGRATION, 'shop', first)).toMatchObject({ code: 400 });
    api.put('VirtualMachineInstance', aVmi('db').build());
    api.put('VirtualMachineInstance', aVmi('web').build());
    expect(api.create(MIGRATION, 'shop', first)).toMatchObject({ ok: true });
    expect(api.create(MIGRATION, 'shop', second)).toMatchObject({
      message: expect.stringContaining('in-flight migration detected'),
    });
    expect(api.create(MIGRATION, 'shop', aMigration('other', 'web').build())).toMatchObject({ ok: true });
    api.modify(MIGRATION, 'shop/first', (old) => ({ ...old, status: { phase: 'Failed' } }), {
      subresource: 'status',
    });
    expect(api.create(MIGRATION, 'shop', second)).toMatchObject({ ok: true });
    api.modify(MIGRATION, 'shop/second', (old) => ({
      ...old,
      metadata: { ...old.metadata, finalizers: [] },
    }));
    api.delete(MIGRATION, 'shop/second');
    expect(api.create(MIGRATION, 'shop', aMigration('third').build())).toMatchObject({ ok: true });
  });

  it('looks at changes of objects, not at those of status alone', () => {
    const api = anApi();
    api.put('VirtualMachine', aVm('db').build());
    const change = { spec: {} };
    expect(api.modify('VirtualMachine', 'shop/db', (old) => ({ ...old, ...change }))).toMatchObject({
      code: 422,
    });
    const noted = api.modify('VirtualMachine', 'shop/db', (old) => ({ ...old, ...change, status: {} }), {
      subresource: 'status',
    });
    expect(noted).toMatchObject({ ok: true });
  });
});
