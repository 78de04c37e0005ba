import { expect, it } from 'vitest';
import { undoAll } from './undo.ts';

it('a step that fails at the end keeps nothing else from being taken away', async () => {
  const done: string[] = [];
  const steps = [
    () => done.push('lab'),
    async () => {
      throw new Error('no room');
    },
    () => done.push('file'),
  ];
  await expect(undoAll(steps)).rejects.toThrow('no room');
  expect([done, steps]).toEqual([['file', 'lab'], []]);
});
