import { describe, expect, it } from 'vitest';
import {
  BASELINE,
  formatVersion,
  isKnownVersion,
  parseVersion,
  strangeRelease,
  versionRules,
} from './versions.ts';

describe('parseVersion', () => {
  it.each([
    ['v1.9.0', { major: 1, minor: 9 }],
    ['1.8', { major: 1, minor: 8 }],
    ['v1.7.0-rc.1', { major: 1, minor: 7 }],
    ['v1.10.2+build', { major: 1, minor: 10 }],
    ['v1.6+x', { major: 1, minor: 6 }],
    ['v1.6-x', { major: 1, minor: 6 }],
    ['v2.0.0', { major: 2, minor: 0 }],
  ])('reads %s', (text, version) => {
    expect(parseVersion(text)).toEqual(version);
  });

  it.each(['', 'latest', 'v1', '1.x', 'xv1.9.0', 'v1.9x', undefined])('refuses %s', (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });
});

it('writes a version as people name a release', () => {
  expect(formatVersion(BASELINE)).toBe('1.9');
});

it.each([
  ['1.4', false],
  ['1.5', true],
  ['1.9', true],
  ['1.10', false],
  ['0.7', false],
  ['2.7', false],
])('knows %s: %s', (text, known) => {
  const version = parseVersion(text);
  expect(version && isKnownVersion(version)).toBe(known);
});

it.each([
  [
    'v1.4.0',
    'KubeVirt 1.4 is not among those that are known (1.5 to 1.9): it is played as the nearest of them',
  ],
  ['v1.5.2', undefined],
  ['latest', undefined],
])('%s, to be played, is said to be strange: %s', (tag, said) => {
  expect(strangeRelease(tag)).toBe(said);
});

describe('versionRules', () => {
  const at = (minor: number, major = 1) => versionRules({ major, minor });

  it.each([
    ['budgetPerVmi', [3, 4, 5], [6, 7, 8, 9, 10]],
    ['webhookFailsOpen', [3, 4], [5, 6, 7, 8, 9]],
    ['hotplugPodsRefused', [6, 7, 8, 9], [3, 4, 5]],
    ['inProgressRefused', [5, 6, 7, 8, 9], [3, 4]],
    ['migrationPriorities', [7, 8, 9], [4, 5, 6]],
    ['evacuatesAllAtOnce', [9, 10], [6, 7, 8]],
    ['criticalMigrationAbortsBackup', [9, 10], [6, 7, 8]],
  ] as const)('%s holds in %s and not in %s', (rule, on, off) => {
    expect(on.map((minor) => at(minor)[rule])).toEqual(on.map(() => true));
    expect(off.map((minor) => at(minor)[rule])).toEqual(off.map(() => false));
  });

  it('takes a later major release for newer than every 1.x, and an earlier one for older', () => {
    expect(at(0, 2)).toEqual(at(99));
    expect(at(99, 0)).toEqual(at(0));
  });
});
