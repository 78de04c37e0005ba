import { expect, it } from 'vitest';
import { chanceOf } from './chance.ts';

it('is the same for the same text, and even over texts that differ in little', () => {
  expect(chanceOf('virt-launcher-a-bv7qh')).toBe(chanceOf('virt-launcher-a-bv7qh'));
  const drawn = Array.from({ length: 2000 }, (_, i) => chanceOf(`virt-launcher-a-${i}`));
  expect(drawn.every((chance) => chance >= 0 && chance < 1)).toBe(true);
  for (const tenth of Array.from({ length: 10 }, (_, i) => i / 10)) {
    const there = drawn.filter((chance) => chance >= tenth && chance < tenth + 0.1).length;
    expect(Math.abs(there - 200)).toBeLessThan(60);
  }
});
