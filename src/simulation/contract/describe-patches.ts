import { describe, expect, it } from 'vitest';
import type { JsonPatchOperation } from '../../controllers/ports.ts';
import { objectAt } from '../../kubevirt/json.ts';
import { keyFor, MIGRATION, type Trial, VMI } from './test-trial.ts';

/** What the contract says of patches. */
export function describePatches(trial: Trial): void {
  const { hear, make, migration, patch, patchStatus, read } = trial;

  describe('a patch', () => {
    it('changes what it says, which the fleet learns of, and keeps the rest', async () => {
      const name = await migration();
      const label = { op: 'add', path: '/metadata/labels', value: { a: 'b' } } as const;
      expect(await patch(MIGRATION, name, label)).toEqual({ ok: true, name });
      await hear(name, 'came', 'changed');
      const held = trial.cluster.fleet.get(MIGRATION, keyFor(name));
      expect(held).toMatchObject({ metadata: { labels: { a: 'b' } }, spec: { vmiName: 'db' } });
    });

    it('is refused for what is not there', async () => {
      expect(await patch(MIGRATION, 'nobody', { op: 'add', path: '/spec', value: {} })).toEqual({
        ok: false,
        code: 404,
        reason: 'NotFound',
        message: 'virtualmachineinstancemigrations.kubevirt.io "nobody" not found',
      });
    });

    it.each<[string, JsonPatchOperation]>([
      ['its test does not hold', { op: 'test', path: '/spec/vmiName', value: 'other' }],
      ['it adds below what is not there', { op: 'add', path: '/nothing/below', value: 1 }],
      ['it removes what is not there', { op: 'remove', path: '/spec/nothing' }],
    ])('changes nothing where %s', async (_, operation) => {
      const name = await migration();
      const other = { op: 'add', path: '/metadata/labels', value: { a: 'b' } } as const;
      expect(await patch(MIGRATION, name, other, operation)).toMatchObject({
        ok: false,
        code: 422,
        reason: 'Invalid',
      });
      expect(await read(MIGRATION, name)).not.toHaveProperty('metadata.labels');
    });

    it('is refused where the object has changed since it was read', async () => {
      const name = await migration();
      const { resourceVersion } = objectAt((await read(MIGRATION, name)) ?? {}, 'metadata');
      const write = (value: string) => [
        { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion } as const,
        { op: 'add', path: '/spec/vmiName', value } as const,
      ];
      expect(await patch(MIGRATION, name, ...write('first'))).toEqual({ ok: true, name });
      expect(await patch(MIGRATION, name, ...write('second'))).toEqual({
        ok: false,
        code: 409,
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on virtualmachineinstancemigrations.kubevirt.io "${name}": the object has been modified; please apply your changes to the latest version and try again`,
      });
      expect(await read(MIGRATION, name)).toMatchObject({ spec: { vmiName: 'first' } });
    });

    it('that changes nothing makes no new version', async () => {
      const name = await migration();
      const before = await read(MIGRATION, name);
      const same = { op: 'replace', path: '/spec/vmiName', value: 'db' } as const;
      expect(await patch(MIGRATION, name, same)).toEqual({ ok: true, name });
      expect(await read(MIGRATION, name)).toEqual(before);
    });

    it('of the spec makes a new generation, one of metadata does not', async () => {
      const name = await migration();
      await patch(MIGRATION, name, { op: 'add', path: '/metadata/labels', value: { a: 'b' } });
      expect(await read(MIGRATION, name)).toMatchObject({ metadata: { generation: 1 } });
      await patch(MIGRATION, name, { op: 'replace', path: '/spec/vmiName', value: 'other' });
      expect(await read(MIGRATION, name)).toMatchObject({ metadata: { generation: 2 } });
    });

    it('cannot change what an object is', async () => {
      const name = await migration();
      const before = await read(MIGRATION, name);
      await patch(MIGRATION, name, {
        op: 'add',
        path: '/metadata/deletionTimestamp',
        value: '2026-03-01T12:00:00Z',
      });
      expect(await read(MIGRATION, name)).toEqual(before);
      const renamed = await patch(MIGRATION, name, { op: 'replace', path: '/metadata/name', value: 'other' });
      expect(renamed).toMatchObject({ ok: false });
    });

    it('writes status through its door only, and nothing else through that', async () => {
      const name = await migration();
      const status = { op: 'add', path: '/status', value: { phase: 'Pending' } } as const;
      expect(await patch(MIGRATION, name, status)).toMatchObject({ ok: true });
      expect(await read(MIGRATION, name)).not.toHaveProperty('status');
      const both = [status, { op: 'replace', path: '/spec/vmiName', value: 'other' } as const];
      const options = { subresource: 'status' } as const;
      expect(await trial.cluster.patch(MIGRATION, keyFor(name), both, options)).toMatchObject({ ok: true });
      expect(await read(MIGRATION, name)).toMatchObject({
        spec: { vmiName: 'db' },
        status: { phase: 'Pending' },
      });
    });

    it('writes the status of a VMI through the object: there is no door', async () => {
      const name = await make(VMI, { status: {} });
      expect(await patchStatus(VMI, name, { phase: 'Running' })).toMatchObject({ ok: false, code: 404 });
      await patch(VMI, name, { op: 'add', path: '/status/phase', value: 'Running' });
      expect(await read(VMI, name)).toMatchObject({ status: { phase: 'Running' } });
    });

    it('keeps nothing of a dry run, and refuses there what it would refuse', async () => {
      const name = await migration();
      const dry = (operation: JsonPatchOperation) =>
        trial.cluster.patch(MIGRATION, keyFor(name), [operation], { dryRun: true });
      expect(await dry({ op: 'replace', path: '/spec/vmiName', value: 'other' })).toEqual({ ok: true, name });
      expect(await dry({ op: 'test', path: '/spec/vmiName', value: 'other' })).toMatchObject({ code: 422 });
      expect(await read(MIGRATION, name)).toMatchObject({ spec: { vmiName: 'db' } });
    });
  });
}
