import { expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { PodAffinityTerm } from '../../kubevirt/objects.ts';
import { ByLabel } from './by-label.ts';

const all = [
  { pod: aPod('web').labelled('app', 'web').build() },
  { pod: aPod('db').labelled('app', 'db').build() },
  { pod: aPod('web-2').labelled('app', 'web').build() },
  { pod: aPod('bare').build() },
];
const among = (...values: string[]) => ({ matchExpressions: [{ key: 'app', operator: 'In', values }] });

it.each<[string, PodAffinityTerm['labelSelector'], string[]]>([
  ['one value', { matchLabels: { app: 'web' } }, ['web', 'web-2']],
  ['one of several values', among('db', 'web'), ['web', 'db', 'web-2']],
  ['a value that no pod has', { matchLabels: { app: 'x' } }, []],
  ['no label by its values', {}, ['web', 'db', 'web-2', 'bare']],
  ['no labels at all', undefined, ['web', 'db', 'web-2', 'bare']],
])('finds whom a term may select, in the order given, that asks for %s', (_name, labelSelector, names) => {
  const perhaps = new ByLabel(all).perhapsSelectedBy({ topologyKey: 'zone', labelSelector });
  expect(perhaps.map(({ pod }) => pod.metadata.name)).toEqual(names);
});
