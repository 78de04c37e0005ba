import { describe, expect, it } from 'vitest';
import { keyFor, MIGRATION, NAMESPACE, type Trial, VMI } from './test-trial.ts';

/** What the contract says of creations. */
export function describeCreations(trial: Trial): void {
  const { create, hear, make, migration, newName, read } = trial;

  describe('a creation', () => {
    it('makes an object of that name, which the fleet learns of, once', async () => {
      const name = await migration();
      await hear(name, 'came');
      expect(trial.cluster.fleet.get(MIGRATION, keyFor(name))).toMatchObject({
        kind: MIGRATION,
        metadata: {
          name,
          namespace: NAMESPACE,
          uid: expect.stringMatching(/^[-0-9a-f]{36}$/),
          generation: 1,
        },
        spec: { vmiName: 'db' },
      });
    });

    it('makes up a name of its own', async () => {
      const draft = { metadata: { generateName: 'kubevirt-evacuation-' }, spec: { vmiName: 'db' } };
      const [one, other] = [await create(MIGRATION, draft), await create(MIGRATION, draft)];
      const pattern = /^kubevirt-evacuation-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
      expect([one, other]).toMatchObject([{ ok: true, name: expect.stringMatching(pattern) }, { ok: true }]);
      expect(one).not.toEqual(other);
    });

    it('is refused where there is one of that name', async () => {
      const name = await migration();
      expect(await create(MIGRATION, { metadata: { name }, spec: { vmiName: 'other' } })).toEqual({
        ok: false,
        code: 409,
        reason: 'AlreadyExists',
        message: `virtualmachineinstancemigrations.kubevirt.io "${name}" already exists`,
      });
      expect(await read(MIGRATION, name)).toMatchObject({ spec: { vmiName: 'db' } });
    });

    it.each(['', 'No Name', '-a', 'a_b'])('is refused with the name "%s"', async (name) => {
      const result = await create(MIGRATION, { metadata: { name }, spec: {} });
      expect(result).toMatchObject({ ok: false, code: 422, reason: 'Invalid' });
    });

    it('is refused where the object names another namespace', async () => {
      const metadata = { name: newName(), namespace: 'elsewhere' };
      expect(await create(MIGRATION, { metadata })).toMatchObject({ ok: false, code: 400 });
    });

    it('takes no status along where status has a door of its own, and does where it has none', async () => {
      const status = { phase: 'Running' };
      const [one, other] = [await make(MIGRATION, { status }), await make(VMI, { status })];
      expect(await read(MIGRATION, one)).not.toHaveProperty('status');
      expect(await read(VMI, other)).toMatchObject({ status });
    });
  });
}
