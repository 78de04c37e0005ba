import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kubevirt/json.ts';
import { keyFor, MIGRATION, type Trial } from './test-trial.ts';

/** What the contract says of deletions, and of news. */
export function describeDeletions(trial: Trial): void {
  const { changes, create, hear, make, migration, patch, read, remove } = trial;

  describe('a deletion', () => {
    it('takes an object away, which the fleet learns of, and finds none the next time', async () => {
      const name = await migration();
      expect(await remove(MIGRATION, name)).toEqual({ ok: true, name });
      await hear(name, 'came', 'gone');
      expect(trial.cluster.fleet.get(MIGRATION, keyFor(name))).toBeUndefined();
      expect(await remove(MIGRATION, name)).toMatchObject({ ok: false, code: 404, reason: 'NotFound' });
    });

    it('waits for finalizers, to which none is added then', async () => {
      const name = await make(MIGRATION, { metadata: { finalizers: ['kubevirt.io/migrationJobFinalize'] } });
      expect(await remove(MIGRATION, name)).toEqual({ ok: true, name });
      expect(await remove(MIGRATION, name)).toEqual({ ok: true, name });
      const path = '/metadata/finalizers';
      expect(await read(MIGRATION, name)).toHaveProperty('metadata.deletionTimestamp');
      const more = { op: 'add', path: `${path}/-`, value: 'example.com/more' } as const;
      expect(await patch(MIGRATION, name, more)).toMatchObject({ ok: false, code: 422, reason: 'Invalid' });
      expect(await patch(MIGRATION, name, { op: 'remove', path })).toEqual({ ok: true, name });
      expect(await read(MIGRATION, name)).toBeUndefined();
      await hear(name, 'came', 'changed', 'gone');
    });

    it('and a creation of the same name are an end and a beginning', async () => {
      const name = await migration();
      await remove(MIGRATION, name);
      await create(MIGRATION, { metadata: { name }, spec: { vmiName: 'other' } });
      await hear(name, 'came', 'gone', 'came');
    });
  });

  it('tells the changes of one object in their order, and nobody who has left', async () => {
    const heard: string[] = [];
    const leave = trial.cluster.subscribe(({ key }) => void heard.push(key));
    const name = await make(MIGRATION, { spec: { vmiName: '0' } });
    for (let i = 1; i <= 5; i++) {
      await patch(MIGRATION, name, { op: 'replace', path: '/spec/vmiName', value: String(i) });
    }
    await hear(name, 'came', 'changed', 'changed', 'changed', 'changed', 'changed');
    const versions = changes.flatMap(({ key, after }) => (key === keyFor(name) ? [after] : []));
    expect(versions.map((version) => (version as JsonObject).spec)).toEqual(
      [0, 1, 2, 3, 4, 5].map((i) => ({ vmiName: String(i) })),
    );
    leave();
    const before = heard.length;
    const unheard = await migration();
    await hear(unheard, 'came');
    expect(heard).toHaveLength(before);
  });
}
