import { describe, expect, it } from 'vitest';
import { CodedError, codedBy } from './coded-error.ts';

const ERRORS = { Empty: { cause: 'There is nothing.', cure: 'Give something.' } } as const;

class FruitError extends codedBy(ERRORS) {
  override readonly name = 'FruitError';
}

describe('an error of a table', () => {
  it('has code, message, name and the cure of its code', () => {
    const error = new FruitError('Empty', 'the bowl is empty');
    expect(error).toMatchObject({ code: 'Empty', cure: 'Give something.' });
    expect(String(error)).toBe('FruitError: the bowl is empty');
  });

  it('says what to do this time, where that is known', () => {
    expect(new FruitError('Empty', 'no pears', 'Buy pears.').cure).toBe('Buy pears.');
  });

  it('is a coded error', () => {
    expect(new FruitError('Empty', 'x')).toBeInstanceOf(CodedError);
    expect(new CodedError('Other', 'x', 'Do y.')).toMatchObject({
      code: 'Other',
      message: 'x',
      cure: 'Do y.',
    });
  });
});
