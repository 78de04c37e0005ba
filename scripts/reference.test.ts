import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { referencePages } from './reference.ts';

it.each([...referencePages()])('docs/reference/%s is what `npm run docs` writes', (name, text) => {
  expect(readFileSync(`docs/reference/${name}`, 'utf8')).toBe(text);
});
