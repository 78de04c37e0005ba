import { expect, it } from 'vitest';
import { guestsOf } from './guests.ts';

it.each(['/nowhere/guests.yaml', '/'])('a file of guests that cannot be read is named: %s', (file) => {
  expect(() => guestsOf(file)).toThrow(
    expect.objectContaining({ code: 'GuestsUnreadable', message: expect.stringContaining(`${file}: `) }),
  );
});
