import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginCopy, endPreCopy, type GuestMemory } from './copy.ts';
import {
  addFlow,
  alterFlow,
  copyAt,
  type FluidNetwork,
  idleNetwork,
  type NewFlow,
  nextEnd,
  passTo,
  removeFlow,
} from './fluid-network.ts';
import { GOODPUT, wiringOf } from './wiring.ts';

/** Cards of 100 MB/s of memory, so that the numbers below can be followed. */
const CARD = 800 / GOODPUT;
const nodes = ['a', 'b', 'c', 'd', 'e', 'f'].map((node, index) => ({
  node,
  nicMbps: CARD,
  rack: index < 3 ? 'r1' : 'r2',
}));
const idle = idleNetwork(wiringOf(nodes));
const racks = idleNetwork(wiringOf(nodes, CARD));
const FOREVER = Number.POSITIVE_INFINITY;

function memory(memoryMB: number, hotSetMB = 0): GuestMemory {
  return { memoryMB, hotSetMB, hotSetSeconds: 1, coldDirtyMBps: 0 };
}

function flow(key: string, from: string, to: string, guest = memory(1000)): NewFlow {
  return { key, from, to, copy: beginCopy(guest, 0.1) };
}

function withFlows(network: FluidNetwork, at: number, ...flows: NewFlow[]): FluidNetwork {
  return flows.reduce((sum, next) => addFlow(sum, next, at), network);
}

function endsOf(network: FluidNetwork): Record<string, number> {
  return Object.fromEntries(passTo(network, FOREVER).ended.map(({ key, at }) => [key, Math.round(at)]));
}

describe('flows that share', () => {
  it('end as if alone where they do not meet', () => {
    expect(endsOf(withFlows(idle, 0, flow('x', 'a', 'b'), flow('y', 'c', 'd')))).toEqual({
      x: 10_000,
      y: 10_000,
    });
  });

  it('use both directions of a card at once', () => {
    expect(endsOf(withFlows(idle, 0, flow('x', 'a', 'b'), flow('y', 'b', 'a')))).toEqual({
      x: 10_000,
      y: 10_000,
    });
  });

  it.each([
    ['the card of the source', idle, flow('x', 'a', 'b'), flow('y', 'a', 'c')],
    ['the card of the target', idle, flow('x', 'a', 'c'), flow('y', 'b', 'c')],
    ['the uplinks', racks, flow('x', 'a', 'd'), flow('y', 'b', 'e')],
  ])('take twice as long over %s', (_, network, x, y) => {
    expect(endsOf(withFlows(network, 0, x, y))).toEqual({ x: 20_000, y: 20_000 });
  });

  it('do not share uplinks within their racks', () => {
    const both = withFlows(racks, 0, flow('x', 'a', 'b'), flow('y', 'd', 'e'), flow('z', 'c', 'f'));
    expect(endsOf(both)).toEqual({ x: 10_000, y: 10_000, z: 10_000 });
  });

  it('speed up when another is through', () => {
    const both = withFlows(idle, 0, flow('x', 'a', 'b', memory(400)), flow('y', 'a', 'c'));
    expect(endsOf(both)).toEqual({ x: 8000, y: 14_000 });
  });

  it('slow down when another comes', () => {
    const later = addFlow(withFlows(idle, 0, flow('x', 'a', 'b')), flow('y', 'a', 'c'), 5000);
    expect(endsOf(later)).toEqual({ x: 15_000, y: 20_000 });
  });

  it('keep to their caps', () => {
    const capped = { ...flow('x', 'a', 'b'), capMbps: CARD / 4 };
    expect(endsOf(withFlows(idle, 0, capped, flow('y', 'a', 'c', memory(750))))).toEqual({
      x: 40_000,
      y: 10_000,
    });
  });

  it('may stop converging, and converge again', () => {
    const alone = withFlows(idle, 0, flow('x', 'a', 'b', memory(1000, 60)));
    expect(nextEnd(alone)?.at).toBeLessThan(12_000);
    const crowded = addFlow(alone, flow('y', 'a', 'c', memory(100, 60)), 1000);
    expect(nextEnd(crowded)).toBeUndefined();
    expect(crowded.flows.get('x')?.endsAt).toBe(FOREVER);
    const lonely = removeFlow(crowded, 'y', 60_000);
    expect(nextEnd(lonely)?.key).toBe('x');
  });
});

describe('time', () => {
  const three = withFlows(
    idle,
    0,
    flow('slow', 'a', 'b'),
    flow('twin-b', 'c', 'd', memory(500)),
    flow('twin-a', 'e', 'f', memory(500)),
  );

  it('passes from end to end, by key where two end together', () => {
    const first = passTo(three, 5000);
    expect(first.ended).toEqual([
      { key: 'twin-a', at: 5000 },
      { key: 'twin-b', at: 5000 },
    ]);
    expect([...first.network.flows.keys()]).toEqual(['slow']);
    expect(passTo(first.network, 9999)).toEqual({ network: first.network, ended: [] });
  });

  it('does not change the network given', () => {
    expect(three.flows.size).toBe(3);
    expect(idle.flows.size).toBe(0);
  });

  it('shows each flow as it stands', () => {
    expect(copyAt(three, 'slow', 2500)).toMatchObject({ phase: 'PreCopy', round: 1 });
    expect(copyAt(three, 'slow', 2500)?.remainingMB).toBeCloseTo(750, 9);
    expect(copyAt(three, 'slow', 10_000)).toMatchObject({ phase: 'Done', remainingMB: 0 });
    expect(copyAt(three, 'other', 0)).toBeUndefined();
  });

  it('must not be skipped', () => {
    const late = () => addFlow(three, flow('new', 'a', 'c'), 5001);
    expect(late).toThrow('flow twin-a ended before and is still there');
    expect(() => removeFlow(three, 'slow', 5001)).toThrow('ended before');
    expect(() => alterFlow(three, 'slow', 5001, () => ({}))).toThrow('ended before');
    expect(addFlow(three, flow('new', 'a', 'c'), 5000).flows.size).toBe(4);
  });

  it('leaves flows alone that nothing happens to', () => {
    const later = addFlow(three, flow('new', 'c', 'e', memory(1)), 1000);
    expect(later.flows.get('slow')).toBe(three.flows.get('slow'));
    expect(later.flows.get('twin-a')).toBe(three.flows.get('twin-a'));
    expect(later.flows.get('twin-b')).not.toBe(three.flows.get('twin-b'));
  });
});

it('a flow is not touched if its rate stays, whoever else comes', () => {
  const capped = withFlows(idle, 0, { ...flow('x', 'a', 'b'), capMbps: CARD / 2 });
  const both = addFlow(capped, { ...flow('y', 'a', 'c'), capMbps: CARD / 4 }, 1000);
  expect(both.flows.get('x')).toBe(capped.flows.get('x'));
  expect(both.flows.get('y')?.mbps).toBe(CARD / 4);
});

describe('changes', () => {
  const one = withFlows(idle, 0, flow('x', 'a', 'b', memory(1000, 150)));

  it('a key is taken once', () => {
    expect(() => addFlow(one, flow('x', 'c', 'd'), 0)).toThrow('a flow x is under way already');
  });

  it('what is not there cannot go or change', () => {
    expect(removeFlow(one, 'y', 0)).toBe(one);
    expect(alterFlow(one, 'y', 0, () => ({}))).toBe(one);
  });

  it('post-copy brings a copy to its end that would not come to it', () => {
    expect(nextEnd(one)).toBeUndefined();
    const moved = alterFlow(one, 'x', 20_000, ({ copy }) => ({ copy: endPreCopy(copy, 'PostCopy') }));
    const copy = copyAt(moved, 'x', 20_000);
    expect(copy?.phase).toBe('PostCopy');
    expect(nextEnd(moved)?.at).toBeCloseTo(20_000 + (copy?.remainingMB ?? 0) * 10, 6);
  });

  it('a longer downtime does so too', () => {
    const patient = alterFlow(one, 'x', 500, ({ copy }) => ({ copy: { ...copy, downtimeLimitSeconds: 2 } }));
    expect(nextEnd(patient)?.at).toBeCloseTo(11_500, 6);
  });

  it('a cap holds from then on', () => {
    const calm = withFlows(idle, 0, flow('x', 'a', 'b'));
    const capped = alterFlow(calm, 'x', 5000, () => ({ capMbps: CARD / 2 }));
    expect(nextEnd(capped)?.at).toBeCloseTo(15_000, 6);
    const freed = alterFlow(capped, 'x', 7000, () => ({ capMbps: undefined }));
    expect(nextEnd(freed)?.at).toBeCloseTo(11_000, 6);
  });
});

describe('in any network', () => {
  const moves = fc.array(
    fc.record({
      from: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      to: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      memoryMB: fc.integer({ min: 1, max: 3000 }),
      hotSetMB: fc.integer({ min: 0, max: 5 }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const flowsOf = (list: { from: string; to: string; memoryMB: number; hotSetMB: number }[]) =>
    list.map(({ from, to, memoryMB, hotSetMB }, index) =>
      flow(`m${index}`, from, to, memory(memoryMB, hotSetMB)),
    );

  it('the order of coming does not matter', () => {
    fc.assert(
      fc.property(moves, (list) => {
        const flows = flowsOf(list);
        const forwards = passTo(withFlows(racks, 0, ...flows), FOREVER).ended;
        const backwards = passTo(withFlows(racks, 0, ...flows.reverse()), FOREVER).ended;
        expect(backwards).toEqual(forwards);
      }),
    );
  });

  it('looking at it on the way changes no end', () => {
    fc.assert(
      fc.property(moves, fc.integer({ min: 0, max: 60_000 }), (list, at) => {
        const network = withFlows(racks, 0, ...flowsOf(list));
        const half = passTo(network, at);
        const rest = passTo(half.network, FOREVER).ended;
        expect([...half.ended, ...rest]).toEqual(passTo(network, FOREVER).ended);
      }),
    );
  });

  it('each is done at its end', () => {
    fc.assert(
      fc.property(moves, fc.integer({ min: 0, max: 999 }), (list, at) => {
        const network = withFlows(racks, at, ...flowsOf(list));
        for (const { key, endsAt } of network.flows.values()) {
          expect(copyAt(network, key, endsAt)).toMatchObject({ phase: 'Done', remainingMB: 0 });
        }
      }),
    );
  });

  it('each carries at least its memory, and none is faster than alone', () => {
    fc.assert(
      fc.property(moves, (list) => {
        const ends = new Map(
          passTo(withFlows(racks, 0, ...flowsOf(list)), FOREVER).ended.map(({ key, at }) => [key, at]),
        );
        list.forEach(({ memoryMB }, index) => {
          expect(ends.get(`m${index}`)).toBeGreaterThanOrEqual(memoryMB * 10 - 1e-6);
        });
      }),
    );
  });
});
