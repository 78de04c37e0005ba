import fc from 'fast-check';
import { expect, it } from 'vitest';
import { selectsPod } from '../../decide/budget/controller.ts';
import { aBudget, aPod } from '../../kubevirt/builders.ts';
import { Budgets } from './budgets.ts';
import { aFleet } from './builders.ts';

const label = fc.constantFrom('a', 'b');
const labels = fc.dictionary(fc.constantFrom('k', 'l'), label);
const namespace = fc.constantFrom('x', 'y');
const pods = fc
  .array(fc.record({ namespace, labels }), { maxLength: 8 })
  .map((drawn) =>
    drawn.map(({ namespace: at, labels: worn }, i) => aPod(`p${i}`, at).meta({ labels: worn }).build()),
  );
const selector = fc.option(
  fc.record({
    matchLabels: labels,
    matchExpressions: fc.array(
      fc.record({ key: fc.constantFrom('k', 'l'), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
      { maxLength: 1 },
    ),
  }),
  { nil: undefined },
);
const budgets = fc
  .array(fc.record({ namespace, selector }), { maxLength: 5 })
  .map((drawn) =>
    drawn.map(({ namespace: at, selector: asked }, i) =>
      aBudget(`b${i}`, at).spec({ selector: asked }).build(),
    ),
  );

it('finds for every budget the pods that it selects, and for every pod the budgets over it', () => {
  fc.assert(
    fc.property(pods, budgets, (allPods, allBudgets) => {
      const known = new Budgets(aFleet(...allPods, ...allBudgets));
      for (const [budget, selected] of known.selections()) {
        expect(new Set(selected)).toEqual(new Set(allPods.filter((pod) => selectsPod(budget, pod))));
      }
      for (const pod of allPods) {
        const over = allBudgets.filter((budget) => selectsPod(budget, pod));
        expect(new Set(known.over(pod))).toEqual(new Set(over));
      }
    }),
  );
});

it('asks the budgets of a pod with the pods that they count', () => {
  const [a, b] = ['a', 'b'].map((name) => aPod(name).labelled('app', 'web').build());
  const budget = aBudget().selecting('app', 'web').spec({ minAvailable: 1 }).build();
  if (!a || !b) throw new Error('two pods');
  expect(new Budgets(aFleet(a, b, budget)).answerFor(a)).toMatchObject({ reason: 'BudgetAllows' });
  expect(new Budgets(aFleet(a, budget)).answerFor(a)).toMatchObject({ reason: 'NoneToSpare' });
  expect(new Budgets(aFleet(a)).answerFor(a)).toMatchObject({ reason: 'NoBudget' });
});
