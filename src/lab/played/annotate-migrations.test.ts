import { expect, it } from 'vitest';
import { actorContext } from '../../simulation/actors/test-context.ts';
import { World } from '../../simulation/test-world.ts';
import { annotatingMigrations } from './annotate-migrations.ts';

const KIND = 'VirtualMachineInstanceMigration';

it('writes annotations on new migrations, besides their own, and on nothing else', async () => {
  const world = new World();
  const cluster = annotatingMigrations(actorContext(world).cluster, { limit: '15' });
  const made = async (kind: typeof KIND | 'VirtualMachineInstance', name: string, annotations?: object) => {
    const object = {
      apiVersion: 'kubevirt.io/v1',
      kind,
      metadata: { name, namespace: 'shop', annotations },
      spec: {},
    };
    expect((await cluster.create(kind, 'shop', object)).ok).toBe(true);
    return world.api.get(kind, `shop/${name}`)?.metadata.annotations;
  };
  expect(await made(KIND, 'a', { own: 'yes' })).toEqual({ own: 'yes', limit: '15' });
  expect(await made(KIND, 'b')).toEqual({ limit: '15' });
  expect(await made('VirtualMachineInstance', 'c', { own: 'yes' })).toEqual({ own: 'yes' });
});
