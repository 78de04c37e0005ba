import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { busyTimes, lowerBound } from './bound.ts';
import { placeInOrder } from './placing.ts';
import { emptyProfile, firstFree, take, takenAt } from './profile.ts';
import type { Resource, Task, Tasks } from './resources.ts';
import { searchPlacing, usualPlacings } from './search.ts';

function resource(of: string, capacity: number): Resource {
  return { kind: 'NodeOut', of, capacity };
}

function task(milliseconds: number, ...claims: [resource: number, amount: number][]): Task {
  return { milliseconds, claims: claims.map(([index, amount]) => ({ resource: index, amount })) };
}

describe('a profile', () => {
  it('knows what is taken when', () => {
    const profile = emptyProfile();
    take(profile, 10, 30, 5);
    take(profile, 20, 40, 2);
    take(profile, 10, 20, 1);
    expect([0, 9, 10, 19, 20, 29, 30, 39, 40, 99].map((at) => takenAt(profile, at))).toEqual([
      0, 0, 6, 6, 7, 7, 2, 2, 0, 0,
    ]);
    expect(profile.startsAt).toEqual([0, 10, 20, 30, 40]);
  });

  it.each([
    ['at once before what is taken, if it just fits in', 0, 10, 5, 0],
    ['after it if not', 0, 11, 5, 30],
    ['beside it if there is room', 0, 100, 4, 0],
    ['never if there is not so much at all', 0, 1, 11, Number.POSITIVE_INFINITY],
    ['not before it is asked for', 3, 7, 5, 3],
    ['where nothing is taken any more', 35, 1000, 10, 35],
    ['at the instant at which the other leaves', 30, 5, 10, 30],
    ['not within the other', 15, 5, 5, 30],
  ])('finds room %s', (_, from, milliseconds, amount, expected) => {
    const profile = emptyProfile();
    take(profile, 10, 30, 6);
    expect(firstFree(profile, from, milliseconds, amount, 10)).toBe(expected);
  });

  it('forgives sums that miss the capacity by rounding', () => {
    const profile = emptyProfile();
    take(profile, 0, 10, 0.1 + 0.2);
    expect(firstFree(profile, 0, 5, 0.3, 0.6)).toBe(0);
    expect(firstFree(profile, 0, 5, 0.301, 0.6)).toBe(10);
  });
});

describe('placing in order', () => {
  const tasks: Tasks = {
    started: 0,
    resources: [resource('a', 1), resource('b', 1)],
    tasks: [task(10, [0, 1]), task(20, [0, 1], [1, 1]), task(5, [1, 1])],
  };

  it.each([
    [[0, 1, 2], [0, 10, 0], 30],
    [[1, 0, 2], [20, 0, 20], 30],
    [[2, 1, 0], [25, 5, 0], 35],
  ])('%j starts at %j and takes %i', (order, starts, makespan) => {
    expect(placeInOrder(tasks, order)).toEqual({ starts, makespan });
  });

  it('closes gaps that an earlier one left', () => {
    const gaps: Tasks = {
      started: 0,
      resources: [resource('a', 1), resource('b', 1)],
      tasks: [task(10, [0, 1]), task(10, [0, 1], [1, 1]), task(10, [1, 1])],
    };
    expect(placeInOrder(gaps, [0, 1, 2]).starts).toEqual([0, 10, 0]);
  });

  it('never starts what needs more than there is, and goes on without it', () => {
    const over: Tasks = {
      started: 0,
      resources: [resource('a', 1)],
      tasks: [task(10, [0, 2]), task(10, [0, 1])],
    };
    const never = Number.POSITIVE_INFINITY;
    expect(placeInOrder(over, [0, 1])).toEqual({ starts: [never, 0], makespan: never });
  });

  it('leaves where they are those that have started, however much they hold', () => {
    const under: Tasks = {
      started: 2,
      resources: [resource('a', 1), resource('b', 1)],
      tasks: [task(10, [0, 1]), task(4, [0, 1]), task(5, [0, 1]), task(5, [1, 1])],
    };
    expect(placeInOrder(under, [2, 3])).toEqual({ starts: [0, 0, 10, 0], makespan: 15 });
    expect(placeInOrder(under, [])).toMatchObject({ makespan: 10 });
    expect(searchPlacing(under, 0, { placings: 9, draw: () => 0.6 }).starts).toEqual([0, 0, 10, 0]);
  });

  it('skips what does not exist', () => {
    expect(placeInOrder(tasks, [7])).toEqual({ starts: [0, 0, 0], makespan: 0 });
  });
});

describe('the lower bound', () => {
  it.each<[string, Omit<Tasks, 'started'>, number, string]>([
    ['nothing', { resources: [], tasks: [] }, 0, 'LongestMove'],
    [
      'the longest',
      { resources: [resource('a', 2)], tasks: [task(10, [0, 1]), task(30, [0, 1])] },
      30,
      'LongestMove',
    ],
    [
      'all over one',
      { resources: [resource('a', 1)], tasks: [task(10, [0, 1]), task(30, [0, 1])] },
      40,
      'FullResource',
    ],
    [
      'shares',
      { resources: [resource('a', 4)], tasks: [task(10, [0, 3]), task(10, [0, 3])] },
      20,
      'FullResource',
    ],
    [
      'all shares together',
      { resources: [resource('a', 4)], tasks: [task(10, [0, 3]), task(10, [0, 2]), task(10, [0, 1])] },
      15,
      'FullResource',
    ],
    [
      'two that must follow one another',
      { resources: [resource('a', 2)], tasks: [task(20, [0, 1]), task(20, [0, 1]), task(19, [0, 1])] },
      39,
      'FullResource',
    ],
    [
      'three that must',
      { resources: [resource('a', 2)], tasks: [9, 9, 9, 9, 8].map((length) => task(length, [0, 1])) },
      26,
      'FullResource',
    ],
  ])('is that of %s', (_, tasks, milliseconds, reason) => {
    expect(lowerBound({ ...tasks, started: 0 })).toMatchObject({ milliseconds, reason });
  });

  it('names the resource, the first of equally busy ones', () => {
    const tasks: Tasks = {
      started: 0,
      resources: [resource('a', 1), resource('b', 1)],
      tasks: [task(10, [1, 1], [0, 1]), task(10, [0, 1], [1, 1])],
    };
    expect(lowerBound(tasks).resource).toEqual(resource('a', 1));
    expect(busyTimes(tasks)).toEqual([20, 20]);
  });

  it('is met by no placing', () => {
    const claims = fc.uniqueArray(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 4 })), {
      maxLength: 3,
      selector: ([index]) => index,
    });
    const lists = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), claims), {
      minLength: 1,
      maxLength: 10,
    });
    fc.assert(
      fc.property(lists, (list) => {
        const tasks: Tasks = {
          started: 0,
          resources: [4, 5, 6, 9].map((capacity, index) => resource(`${index}`, capacity)),
          tasks: list.map(([length, claimed]) => task(length, ...claimed)),
        };
        const { makespan } = placeInOrder(tasks, [...tasks.tasks.keys()]);
        expect(makespan).toBeGreaterThanOrEqual(lowerBound(tasks).milliseconds);
      }),
    );
  });
});

describe('the search', () => {
  /** Longest first gives 7+6, 4+4+… on the two lanes; 15 is possible. */
  const lanes: Tasks = {
    started: 0,
    resources: [resource('a', 2)],
    tasks: [7, 6, 5, 5, 4, 3].map((length) => task(length, [0, 1])),
  };
  const never = (): number => {
    throw new Error('no draw is needed');
  };

  it('takes longest first where that is as short as can be', () => {
    const easy: Tasks = { ...lanes, tasks: [1, 2, 3].map((length) => task(length, [0, 1])) };
    expect(searchPlacing(easy, 3, { placings: 100, draw: never })).toEqual({
      starts: [2, 0, 0],
      makespan: 3,
    });
  });

  it('stops when the effort is spent, after one placing at least', () => {
    const longestFirst = placeInOrder(lanes, [0, 1, 2, 3, 4, 5]);
    expect(searchPlacing(lanes, 0, { placings: 1, draw: never })).toEqual(longestFirst);
    expect(searchPlacing(lanes, 0, { placings: 0, draw: never })).toEqual(longestFirst);
  });

  it('finds what longest first does not', () => {
    const hard: Tasks = { ...lanes, tasks: [5, 5, 4, 4, 3, 3, 3, 3].map((length) => task(length, [0, 1])) };
    const draw = (() => {
      let state = 7;
      return () => {
        state = (state * 48_271) % 2_147_483_647;
        return state / 2_147_483_647;
      };
    })();
    const three: Tasks = {
      started: 0,
      resources: [resource('a', 3)],
      tasks: [5, 5, 4, 4, 3, 3, 3].map((l) => task(l, [0, 1])),
    };
    expect(placeInOrder(three, [0, 1, 2, 3, 4, 5, 6]).makespan).toBe(11);
    expect(searchPlacing(three, 9, { placings: 500, draw }).makespan).toBe(9);
    expect(searchPlacing(hard, 15, { placings: 500, draw }).makespan).toBe(15);
  });

  it.each([
    [0, 10_000],
    [10, 10_000],
    [100, 4000],
    [1000, 40],
    [10_000, 1],
  ])('of %i moves usually takes %i placings', (moves, placings) => {
    expect(usualPlacings(moves)).toBe(placings);
  });
});
