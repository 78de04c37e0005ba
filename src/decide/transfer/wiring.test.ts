import { describe, expect, it } from 'vitest';
import { linkKey, linksBetween, payloadMBps, soloMbps, wiringOf } from './wiring.ts';

const nodes = [
  { node: 'a', nicMbps: 1000, rack: 'r1' },
  { node: 'b', nicMbps: 500, rack: 'r1' },
  { node: 'c', nicMbps: 25_000, rack: 'r2' },
  { node: 'd', nicMbps: 25_000 },
];
const racks = wiringOf(nodes, 10_000);
const keysOf = (from: string, to: string, wiring = racks) => linksBetween(wiring, from, to).map(linkKey);

describe('the links of a move', () => {
  it('are the two cards within a rack', () => {
    expect(keysOf('a', 'b')).toEqual(['NodeOut a', 'NodeIn b']);
    expect(linksBetween(racks, 'a', 'b').map(({ mbps }) => mbps)).toEqual([1000, 500]);
  });

  it('are the uplinks too between racks', () => {
    expect(keysOf('a', 'c')).toEqual(['NodeOut a', 'NodeIn c', 'RackUp r1', 'RackDown r2']);
    expect(linksBetween(racks, 'a', 'c').map(({ mbps }) => mbps)).toEqual([1000, 25_000, 10_000, 10_000]);
  });

  it('take nodes without a rack for neighbours of each other only', () => {
    expect(keysOf('d', 'd')).toEqual(['NodeOut d', 'NodeIn d']);
    expect(keysOf('c', 'd')).toEqual(['NodeOut c', 'NodeIn d', 'RackUp r2', 'RackDown ']);
  });

  it('are the cards alone where uplinks are never full', () => {
    expect(keysOf('a', 'c', wiringOf(nodes))).toEqual(['NodeOut a', 'NodeIn c']);
  });

  it.each([
    ['a', 'x'],
    ['x', 'a'],
  ])('need both nodes: %s to %s', (from, to) => {
    expect(() => linksBetween(racks, from, to)).toThrow('the wiring has no node x');
  });
});

describe('the bandwidth of a move alone', () => {
  it.each([
    ['the narrower card', 'a', 'b', undefined, 500],
    ['the uplink', 'c', 'd', undefined, 10_000],
    ['its cap', 'a', 'b', 200, 200],
    ['no cap that is wider', 'a', 'b', 800, 500],
  ])('is that of %s', (_, from, to, capMbps, expected) => {
    expect(soloMbps(racks, from, to, capMbps)).toBe(expected);
  });
});

it('a gigabit carries 116 megabytes of memory a second', () => {
  expect(payloadMBps(1000)).toBeCloseTo(116.25, 9);
});
