import { describe, expect, it } from 'vitest';
import { decide, firstRule, type Table, traceOf } from './rules.ts';

const rule = (name: string, least: number) => ({
  name,
  asks: `the number is at least ${least}`,
  source: 'test',
  when: (input: number) => input >= least,
  reads: (input: number) => [{ object: 'Number', path: name, value: input }],
  then: (input: number) => `${name} of ${input}`,
});

const TABLE: Table<number, string> = [
  rule('Big', 10),
  rule('Small', 1),
  rule('Any', Number.NEGATIVE_INFINITY),
];

describe('a table', () => {
  it.each([
    [10, 'Big'],
    [9, 'Small'],
    [0, 'Any'],
  ])('decides %i by its first rule that holds: %s', (input, name) => {
    expect(firstRule(TABLE, input).name).toBe(name);
    expect(decide(TABLE, input)).toEqual({
      result: `${name} of ${input}`,
      reason: name,
      evidence: [{ object: 'Number', path: name, value: input }],
    });
  });

  it('tells every rule tried, up to and with the one that decides', () => {
    expect(traceOf(TABLE, 5)).toEqual([
      {
        rule: 'Big',
        asks: 'the number is at least 10',
        source: 'test',
        held: false,
        evidence: [{ object: 'Number', path: 'Big', value: 5 }],
      },
      {
        rule: 'Small',
        asks: 'the number is at least 1',
        source: 'test',
        held: true,
        evidence: [{ object: 'Number', path: 'Small', value: 5 }],
      },
    ]);
  });

  it('that holds for nothing is a programming error, named by its rules', () => {
    expect(() => decide([rule('Big', 10), rule('Small', 1)], 0)).toThrow(
      'incomplete table: none of Big, Small holds',
    );
  });
});
