import { defineConfig } from 'vitest/config';

/** The tests that a mutant of src/decide must survive: those beside the decisions, not the long conformance runs. */
export default defineConfig({
  test: { include: ['src/decide/**/*.test.ts', 'src/kubevirt/**/*.test.ts'] },
});
