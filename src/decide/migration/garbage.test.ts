import { describe, expect, it } from 'vitest';
import { aMigration } from '../../kubevirt/builders.ts';
import { defunctPodOf, finishedToDelete } from './garbage.ts';

const final = (day: number, phase = 'Succeeded') =>
  aMigration(`m${day}`).phase(phase).createdAt(`2026-03-0${day}T12:00:00Z`);
const build = (builders: { build(): ReturnType<ReturnType<typeof final>['build']> }[]) =>
  builders.map((b) => b.build());
const names = (deletions: readonly { name: string }[]) => deletions.map(({ name }) => name);
const five = [final(3), final(4), final(5, 'Failed'), final(6), final(7)];

describe('clearing away finished migrations', () => {
  it.each([
    ['none', []],
    ['five finished', five],
    ['five finished and one running', [...five, aMigration('r').phase('Running')]],
    ['five finished and one that is already being deleted', [...five, final(1).deleting()]],
  ])('%s: keeps all', (_, migrations) => {
    expect(finishedToDelete(build(migrations))).toEqual([]);
  });

  it('deletes all but the newest five, oldest first, whatever the order of the list', () => {
    expect(names(finishedToDelete(build([...five, final(2, 'Failed'), final(1)])))).toEqual(['m1', 'm2']);
    expect(finishedToDelete(build([final(9), ...five]))).toEqual([
      { kind: 'VirtualMachineInstanceMigration', namespace: 'shop', name: 'm3' },
    ]);
  });

  it('deletes the pod that was left first', () => {
    const moved = final(1).status({
      migrationState: { completed: true, sourcePod: 'old', targetPod: 'new' },
    });
    expect(finishedToDelete(build([...five, moved]))).toEqual([
      { kind: 'Pod', namespace: 'shop', name: 'old' },
      { kind: 'VirtualMachineInstanceMigration', namespace: 'shop', name: 'm1' },
    ]);
  });

  it.each([
    ['the source of a successful one', { completed: true, sourcePod: 'old', targetPod: 'new' }, 'old'],
    [
      'the target of a failed one',
      { completed: true, failed: true, sourcePod: 'old', targetPod: 'new' },
      'new',
    ],
    ['none of one that failed before it had a target', { failed: true, sourcePod: 'old' }, undefined],
    ['none of one that never began', { sourcePod: 'old' }, undefined],
    ['none without a state', undefined, undefined],
  ])('the pod left is %s', (_, migrationState, expected) => {
    expect(defunctPodOf(aMigration().status({ migrationState }).build())).toBe(expected);
  });
});
