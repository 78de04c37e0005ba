import { expect, it } from 'vitest';
import { aForecast } from '../builders.ts';
import { nodePicture, nodeStrips, outcomeBar } from './picture.ts';

it('a bar of outcomes has the worst first, whatever the order of the counts', () => {
  const counts = new Map([
    ['LiveMigrates', 3],
    ['Blocks', 1],
  ] as const);
  expect(outcomeBar(counts, 14, true).html).toContain('aria-label="1 Blocks, 3 LiveMigrates"');
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
