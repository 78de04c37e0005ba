import { defineConfig } from 'vitest/config';

const LAB = ['src/**/*.lab.test.ts', 'scripts/**/*.lab.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: LAB,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'lab',
          include: LAB,
          globalSetup: ['src/lab/test-setup.ts'],
          // Each starts an API server of its own: more of them at once than this only take each other's time.
          maxWorkers: 2,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    testTimeout: 60_000,
    coverage: {
      provider: 'v8',
      include: ['src/decide/**'],
      exclude: ['**/*.test.ts', '**/test-*.ts'],
      thresholds: { statements: 95, branches: 95, functions: 95, lines: 95 },
    },
  },
});
