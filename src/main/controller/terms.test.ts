import { expect, it } from 'vitest';
import { Terms } from './terms.ts';

/** Terms that note what happens; a term ends when the test lets it. */
function someTerms() {
  const noted: string[] = [];
  const enders: (() => void)[] = [];
  let made = 0;
  const terms = new Terms(() => {
    const number = ++made;
    noted.push(`${number} begins`);
    return {
      stop: async () => {
        noted.push(`${number} is to end`);
        await new Promise<void>((resolve) => enders.push(resolve));
        noted.push(`${number} has ended`);
      },
    };
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { terms, noted, end: () => enders.shift()?.(), settle };
}

it('begins one term when the other has ended', async () => {
  const { terms, noted, end, settle } = someTerms();
  terms.begin();
  terms.begin();
  await settle();
  terms.end();
  terms.begin();
  await settle();
  expect(noted).toEqual(['1 begins', '1 is to end']);
  end();
  await settle();
  expect(noted).toEqual(['1 begins', '1 is to end', '1 has ended', '2 begins']);
});

it('begins none that nobody wants any more', async () => {
  const { terms, noted, settle } = someTerms();
  terms.begin();
  terms.end();
  await settle();
  expect(noted).toEqual([]);
});

it('is closed when the last term has ended, and begins none after it', async () => {
  const { terms, noted, end, settle } = someTerms();
  terms.begin();
  await settle();
  let isClosed = false;
  const closing = terms.close().then(() => {
    isClosed = true;
  });
  terms.begin();
  await settle();
  expect([isClosed, noted]).toEqual([false, ['1 begins', '1 is to end']]);
  end();
  await closing;
  terms.begin();
  await settle();
  expect(noted).toEqual(['1 begins', '1 is to end', '1 has ended']);
});
