import { expect, it } from 'vitest';
import { aBudget, aPod } from '../../../kubevirt/builders.ts';
import { SelectedPods } from './selected-pods.ts';

const web = () => aBudget('web').selecting('app', 'web');
const pod = (name: string, app = 'web') => aPod(name).labelled('app', app).labelled('tier', 'front');

it('knows which budget selects which pod', () => {
  const selected = new SelectedPods();
  selected.setBudget(web().build(), [pod('a').build(), pod('b', 'db').build()]);
  selected.setPod(pod('c').build());
  expect([...selected.podsOf('shop/web')]).toEqual(['shop/a', 'shop/c']);
  expect(selected.budgetsOf('shop/a')).toEqual(['shop/web']);
  expect(selected.budgetsOf('shop/b')).toEqual([]);
});

it('follows labels, deletions and other selectors', () => {
  const selected = new SelectedPods();
  const pods = [pod('a').build(), pod('b').build(), pod('c', 'db').build()];
  selected.setBudget(web().build(), pods);
  selected.setPod(pod('a', 'db').build());
  expect([...selected.podsOf('shop/web')]).toEqual(['shop/b']);
  selected.deletePod('shop/b');
  expect([...selected.podsOf('shop/web')]).toEqual([]);
  selected.setBudget(aBudget('web').selecting('app', 'db').build(), pods);
  expect([...selected.podsOf('shop/web')]).toEqual(['shop/c']);
  selected.deleteBudget('shop/web');
  selected.setPod(pod('d', 'db').build());
  expect([...selected.podsOf('shop/web')]).toEqual([]);
  expect(selected.budgetsOf('shop/c')).toEqual([]);
});

it('asks every label that a budget names, and expressions too', () => {
  const selected = new SelectedPods();
  const picky = aBudget('picky').spec({ selector: { matchLabels: { app: 'web', tier: 'back' } } });
  const open = aBudget('open').spec({ selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } });
  for (const budget of [picky, open]) selected.setBudget(budget.build(), []);
  selected.setPod(pod('a').build());
  expect(selected.budgetsOf('shop/a')).toEqual(['shop/open']);
});

it('keeps namespaces apart', () => {
  const selected = new SelectedPods();
  selected.setBudget(web().build(), []);
  selected.setPod(aPod('a', 'ci').labelled('app', 'web').build());
  expect(selected.budgetsOf('ci/a')).toEqual([]);
});
