import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import { RECORDED_BEHAVIOR } from './behavior.ts';
import { behaviorByAnnotations } from './lab-annotations.ts';

const told = (key: string, value: string) =>
  behaviorByAnnotations(aVmi().annotated(`lab/${key}`, value).build());

describe('behaviour by annotations', () => {
  it('is that of the recordings where nothing is said', () => {
    expect(behaviorByAnnotations(aVmi().build())).toEqual(RECORDED_BEHAVIOR);
    expect(RECORDED_BEHAVIOR.bootSeconds).toBe(1);
  });

  it.each([
    ['clean:7', { kind: 'clean', seconds: 7 }],
    ['clean:0.5', { kind: 'clean', seconds: 0.5 }],
    ['ignore', { kind: 'ignores', seconds: 0 }],
    ['clean:', { kind: 'clean', seconds: 2 }],
    ['clean:x', { kind: 'clean', seconds: 2 }],
    ['crash:1', { kind: 'clean', seconds: 2 }],
  ])('shuts down by %s', (value, shutdown) => {
    expect(told('shutdown', value).shutdown).toEqual(shutdown);
  });

  it.each([
    ['ok:9', { kind: 'takes', seconds: 9 }],
    ['fail:2', { kind: 'fails', seconds: 2, reason: 'lab: injected failure' }],
    ['never', { kind: 'takes', seconds: 3 }],
  ])('migrates by %s', (value, migration) => {
    expect(told('migration', value).migration).toEqual(migration);
  });

  it.each([
    ['true', {}],
    ['DisksNotLiveMigratable', { reason: 'DisksNotLiveMigratable', message: 'lab: cannot migrate' }],
    ['', undefined],
  ])('is migratable by "%s"', (value, migratability) => {
    expect(told('migratable', value).migratability).toEqual(migratability);
  });
});
