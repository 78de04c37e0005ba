import { describe, expect, it } from 'vitest';
import { runVectors } from './vectors.ts';

describe('the real KubeVirt v1.9.0 decided the same', () => {
  for (const file of runVectors('testdata/vectors')) {
    it(`${file.name}: all vectors agree`, () => {
      expect(file.differing.slice(0, 3)).toEqual([]);
      expect(file.agree).toBeGreaterThan(0);
    });
  }
});
