import { expect, it } from 'vitest';
import { extended, plainShape, recordOf } from '../kubevirt/shapes.ts';
import { scenarioSchema } from '../scenario/schema.ts';
import { beginningOfScenario } from './beginning/prepare.ts';
import { haveSameClass, learns } from './test-classes.ts';

it('does not give each object a class of its own once a fleet of thousands is there', () => {
  const fleet = { nodes: 2, vms: 3_000 };
  const { objects } = beginningOfScenario(scenarioSchema.parse({ title: 'many', cluster: { fleet } }));
  expect(objects.length).toBeGreaterThan(3_000);
  expect(learns('after the fleet')).toBe(true);
});

it('gives one class to objects that gain the same key', () => {
  const [one, other] = [1, 2].map((n) => extended({ a: n }, { more: n })) as [object, object];
  expect(haveSameClass(one, other)).toBe(true);
});

it('does not use up the classes of all objects with keys that are data', () => {
  const Shape = plainShape();
  for (let i = 0; i < 3_000; i++) {
    recordOf([[`uid-${i}`, 'n1']]);
    new Shape()[`other-${i}`] = 1;
  }
  expect(learns('after records')).toBe(true);
});

it('notices when they are used up', () => {
  for (let i = 0; i < 3_000; i++) Object.fromEntries([[`uid-${i}`, 'n1']]);
  expect(learns('too late')).toBe(false);
});
