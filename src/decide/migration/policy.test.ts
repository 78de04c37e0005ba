import { describe, expect, it } from 'vitest';
import type { MigrationPolicy } from '../../kubevirt/objects.ts';
import type { Behavior } from '../rules.ts';
import { fittingPolicies, policyFit } from './policy.ts';

type Labels = Record<string, string>;
const policy = (name: string, vmi?: Labels, namespace?: Labels): MigrationPolicy => ({
  metadata: { name },
  spec: { selectors: { virtualMachineInstanceSelector: vmi, namespaceSelector: namespace } },
});
const vmiLabels = { tier: 'db', zone: 'a', os: 'linux' };
const namespaceLabels = { team: 'shop', env: 'prod', region: 'eu' };
const input = { vmiLabels, namespaceLabels, behavior: 'exact' as Behavior };

describe('does a policy fit', () => {
  it.each([
    ['no spec', { metadata: { name: 'p' } }, undefined],
    ['no selectors', { metadata: { name: 'p' }, spec: { maxDowntimeMs: 1 } }, undefined],
    ['empty selectors', policy('p'), [0, 0]],
    ['selectors without keys', policy('p', {}, {}), [0, 0]],
    ['one label of the VMI', policy('p', { tier: 'db' }), [1, 0]],
    ['two labels of the VMI', policy('p', { tier: 'db', zone: 'a' }), [2, 0]],
    ['a label with another value', policy('p', { tier: 'web' }), undefined],
    ['a label that is not there', policy('p', { other: 'x' }), undefined],
    ['one of two labels', policy('p', { tier: 'db', zone: 'b' }), undefined],
    ['a label of the namespace', policy('p', undefined, { env: 'prod' }), [0, 1]],
    ['a wrong label of the namespace', policy('p', { tier: 'db' }, { env: 'test' }), undefined],
    ['both', policy('p', { tier: 'db' }, { env: 'prod', team: 'shop' }), [1, 2]],
    ['the label of the VMI on the namespace', policy('p', undefined, { tier: 'db' }), undefined],
  ])('%s', (_, given, expected) => {
    const fit = policyFit(given, input);
    expect(fit && [fit.vmiLabels, fit.namespaceLabels]).toEqual(expected);
    expect(policyFit(given, { ...input, behavior: 'intended' })).toEqual(fit);
  });
});

describe('defect: the labels of the VMI decide whether the namespace is looked at', () => {
  const given = policy('p', undefined, { env: 'prod' });
  const without = { vmiLabels: undefined, namespaceLabels: { env: 'test' } };

  it('exact: a VMI without labels passes every selector, and none counts', () => {
    expect(policyFit(given, { ...without, behavior: 'exact' })).toMatchObject({
      vmiLabels: 0,
      namespaceLabels: 0,
    });
    expect(policyFit(policy('p', { tier: 'db' }), { ...without, behavior: 'exact' })).toMatchObject({
      vmiLabels: 0,
    });
  });

  it('exact: an empty set of labels is not none', () => {
    expect(policyFit(given, { ...without, vmiLabels: {}, behavior: 'exact' })).toBeUndefined();
  });

  it('intended: each selector is judged by its own labels', () => {
    expect(policyFit(given, { ...without, behavior: 'intended' })).toBeUndefined();
    expect(policyFit(policy('p', { tier: 'db' }), { ...without, behavior: 'intended' })).toBeUndefined();
    const fitting = { vmiLabels: undefined, namespaceLabels, behavior: 'intended' } as const;
    expect(policyFit(given, fitting)).toMatchObject({ vmiLabels: 0, namespaceLabels: 1 });
  });

  it('a namespace without labels fits no label', () => {
    expect(policyFit(given, { ...input, namespaceLabels: undefined })).toBeUndefined();
  });
});

describe('which policy applies', () => {
  const order = (...policies: MigrationPolicy[]) =>
    fittingPolicies({ ...input, policies }).map(({ policy: { metadata } }) => metadata.name);

  it.each([
    [
      'most labels in total',
      [policy('a', { tier: 'db' }), policy('b', undefined, { env: 'prod', team: 'shop' })],
      ['b', 'a'],
    ],
    [
      'of as many, most of the VMI',
      [policy('a', undefined, { env: 'prod' }), policy('b', { tier: 'db' })],
      ['b', 'a'],
    ],
    [
      'the total before the labels of the VMI',
      [policy('a', { tier: 'db', zone: 'a' }), policy('b', { tier: 'db' }, { env: 'prod', team: 'shop' })],
      ['b', 'a'],
    ],
    [
      'equals by name',
      [policy('c', { tier: 'db' }), policy('a', { zone: 'a' }), policy('b', { os: 'linux' })],
      ['a', 'b', 'c'],
    ],
    ['one that does not fit has no part', [policy('a', { tier: 'web' }), policy('b')], ['b']],
    ['none', [policy('a', { tier: 'web' })], []],
    ['no policies', [], []],
  ])('%s', (_, policies, expected) => {
    expect(order(...policies)).toEqual(expected);
    expect(order(...policies.toReversed())).toEqual(expected);
  });
});
