import { expect, it } from 'vitest';
import { aForecast } from '../builders.ts';
import { nodePicture, nodeStrips, segmentsOf, stackedBar } from './picture.ts';

it('segments are in proportion, worst first, and fill the bar', () => {
  const segments = segmentsOf(
    new Map([
      ['LiveMigrates', 3],
      ['Blocks', 1],
    ]),
  );
  expect(segments).toEqual([
    { outcome: 'Blocks', count: 1, start: 0, width: 25 },
    { outcome: 'LiveMigrates', count: 3, start: 25, width: 75 },
  ]);
});

it('one among thousands keeps a width that is seen', () => {
  const segments = segmentsOf(
    new Map([
      ['LiveMigrates', 9999],
      ['Blocks', 1],
    ]),
  );
  expect(segments[0]?.width).toBeGreaterThan(1);
  expect(segments.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(100);
});

it('a bar says in words what it shows', () => {
  expect(stackedBar(new Map([['Restarts', 2]]), 14, true).html).toContain('aria-label="2 Restarts"');
});

it('the node with the worst VM comes first, then the one with more of them; no node comes last', () => {
  const { vms } = aForecast()
    .with('a/1', 'Cut', { node: undefined })
    .with('a/2', 'LiveMigrates', { node: 'calm' })
    .with('a/3', 'Restarts', { node: 'one' })
    .with('a/4', 'Restarts', { node: 'two' })
    .with('a/5', 'Restarts', { node: 'two' })
    .with('a/6', 'Blocks', { node: 'bad' })
    .build().status;
  expect(nodeStrips(vms).map(({ node, total }) => [node, total])).toEqual([
    ['bad', 1],
    ['two', 2],
    ['one', 1],
    ['calm', 1],
    ['', 1],
  ]);
});

it('more than 40 nodes are counted, not drawn', () => {
  const forecast = aForecast();
  for (let i = 0; i < 43; i += 1) forecast.with(`a/vm-${i}`, 'Restarts', { node: `n${i}` });
  expect(nodePicture(forecast.build().status.vms).html).toContain('… and 3 more nodes');
});
