import { describe, expect, it } from 'vitest';
import type { Migration } from '../../kubevirt/objects.ts';
import { keyFor, MIGRATION, type Trial } from './test-trial.ts';

/** What the contract says of objects that are read, changed and put back. */
export function describeModifications(trial: Trial): void {
  const { hear, make, migration, patch, patchStatus, read, remove } = trial;
  const labelled = (object: Migration, label: string): Migration => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, [label]: 'yes' } },
  });

  describe('a modification', () => {
    it('changes what it changes, and keeps what no schema names', async () => {
      const name = await make(MIGRATION, { spec: { vmiName: 'db', example: { deep: [1] } } });
      const result = await trial.cluster.modify(MIGRATION, keyFor(name), (held) => labelled(held, 'seen'));
      expect(result).toEqual({ ok: true, name });
      await hear(name, 'came', 'changed');
      expect(await read(MIGRATION, name)).toMatchObject({
        metadata: { labels: { seen: 'yes' } },
        spec: { vmiName: 'db', example: { deep: [1] } },
      });
    });

    it('changes the status through its own door, and nothing else there', async () => {
      const name = await migration();
      await trial.cluster.modify(
        MIGRATION,
        keyFor(name),
        (held) => ({ ...labelled(held, 'lost'), status: { ...held.status, phase: 'Pending' } }),
        { subresource: 'status' },
      );
      const found = await read(MIGRATION, name);
      expect(found).toHaveProperty('status.phase', 'Pending');
      expect(found).not.toHaveProperty('metadata.labels.lost');
    });

    it('leaves the status alone through the door of the object', async () => {
      const name = await migration();
      await patchStatus(MIGRATION, name, { phase: 'Pending' });
      await trial.cluster.modify(MIGRATION, keyFor(name), (held) => ({
        ...held,
        status: { phase: 'Failed' },
      }));
      expect(await read(MIGRATION, name)).toHaveProperty('status.phase', 'Pending');
    });

    it('writes nothing where nothing is to be changed', async () => {
      const name = await migration();
      const leave = await trial.cluster.modify(MIGRATION, keyFor(name), () => undefined);
      expect(leave).toEqual({ ok: true, name });
      expect(await trial.cluster.modify(MIGRATION, keyFor(name), (held) => held)).toEqual({ ok: true, name });
      await patch(MIGRATION, name, { op: 'add', path: '/metadata/labels', value: { last: 'yes' } });
      await hear(name, 'came', 'changed');
    });

    it('loses nothing that others write at the same time', async () => {
      const name = await migration();
      const labels = ['a', 'b', 'c', 'd'];
      const results = await Promise.all(
        labels.map((label) => trial.cluster.modify(MIGRATION, keyFor(name), (held) => labelled(held, label))),
      );
      expect(results).toEqual(labels.map(() => ({ ok: true, name })));
      expect(await read(MIGRATION, name)).toMatchObject({
        metadata: { labels: { a: 'yes', b: 'yes', c: 'yes', d: 'yes' } },
      });
    });

    it('finds no object that is gone', async () => {
      const name = await migration();
      await remove(MIGRATION, name);
      const result = await trial.cluster.modify(MIGRATION, keyFor(name), (held) => labelled(held, 'late'));
      expect(result).toMatchObject({ ok: false, code: 404, reason: 'NotFound' });
    });
  });

  describe('a deletion with a UID', () => {
    it('spares another object of the name', async () => {
      const name = await migration();
      const uid = '00000000-0000-4000-8000-00000000dead';
      const result = await trial.cluster.delete(MIGRATION, keyFor(name), { uid });
      expect(result).toMatchObject({ ok: false, code: 409, reason: 'Conflict' });
      const metadata = (await read(MIGRATION, name))?.metadata as { uid: string };
      expect(await trial.cluster.delete(MIGRATION, keyFor(name), { uid: metadata.uid })).toEqual({
        ok: true,
        name,
      });
    });
  });

  describe('a deletion of a pod', () => {
    const pod = { spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] } };

    it('grants what it is told to, and 0 seconds end it', async () => {
      const name = await make('Pod', pod);
      expect(await trial.cluster.delete('Pod', keyFor(name), { graceSeconds: 7 })).toEqual({
        ok: true,
        name,
      });
      expect(await read('Pod', name)).toHaveProperty('metadata.deletionGracePeriodSeconds', 7);
      expect(await trial.cluster.delete('Pod', keyFor(name), { graceSeconds: 0 })).toEqual({
        ok: true,
        name,
      });
      expect(await read('Pod', name)).toBeUndefined();
    });
  });
}
