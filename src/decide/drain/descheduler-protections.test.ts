import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { PodDisruptionBudget } from '../../kubevirt/objects.ts';
import { at, judge, launcher, no } from './test-descheduler.ts';

const budget = (app: string, namespace = 'shop'): PodDisruptionBudget => ({
  metadata: { name: 'p', namespace },
  spec: { selector: { matchLabels: { app } } },
});

describe('the protections of the descheduler', () => {
  it.each<[string, PodDisruptionBudget[] | undefined, string]>([
    ['no budgets known', undefined, 'PodsWithoutPDB'],
    ['a budget of its own', [budget('db')], 'Selected'],
    ['a budget of other pods', [budget('web')], 'PodsWithoutPDB'],
    ['a budget of another namespace', [budget('db', 'web')], 'PodsWithoutPDB'],
  ])('with pods without budgets protected: %s', (_name, budgets, reason) => {
    const pod = launcher().labelled('app', 'db').build();
    expect(judge(pod, { protectPodsWithoutBudget: true }, { budgets }).reason).toBe(reason);
    expect(judge(pod, {}, { budgets }).reason).toBe('Selected');
  });

  it('tells the protection of pods without budgets', () => {
    const { result, evidence } = judge(aPod('l').ownedBy('Job', 'j').labelled('a', 'b').build(), {
      protectPodsWithoutBudget: true,
    });
    expect(result).toEqual(no('pod does not have a PodDisruptionBudget and is protected against eviction'));
    expect(evidence).toEqual(at('metadata.labels', { a: 'b' }));
  });

  it.each`
    nodeFit  | fitsElsewhere | reason
    ${true}  | ${false}      | ${'FitsNowhereElse'}
    ${true}  | ${true}       | ${'Selected'}
    ${true}  | ${undefined}  | ${'Selected'}
    ${false} | ${false}      | ${'Selected'}
  `('nodeFit $nodeFit, fits elsewhere $fitsElsewhere: $reason', ({ nodeFit, fitsElsewhere, reason }) => {
    const { reason: decided, result } = judge(
      launcher()
        .spec({ nodeSelector: { a: 'b' } })
        .build(),
      { nodeFit },
      { fitsElsewhere },
    );
    expect(decided).toBe(reason);
    if (reason === 'FitsNowhereElse') {
      expect(result.message).toBe(
        'pod does not fit on any other node because of nodeSelector(s), Taint(s), or nodes marked as unschedulable',
      );
    }
  });

  it('rests that on the selector', () => {
    const { evidence } = judge(
      launcher()
        .spec({ nodeSelector: { a: 'b' } })
        .build(),
      { nodeFit: true },
      { fitsElsewhere: false },
    );
    expect(evidence).toEqual(at('spec.nodeSelector', { a: 'b' }));
  });
});
