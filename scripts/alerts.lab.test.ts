import { spawnSync } from 'node:child_process';
import { expect, inject, it } from 'vitest';

const SERIES = 'testdata/alerts/alerts.test.yaml';

const isLeftOut = inject('promtool') === '' && process.env.CI !== 'true';

/** Real rules on made-up series, by Prometheus' own code. */
it.skipIf(isLeftOut)('every alert fires when it should, and not before', () => {
  const { stdout, stderr } = spawnSync(inject('promtool'), ['test', 'rules', SERIES], { encoding: 'utf8' });
  expect(stdout + stderr).toMatch(/^Processing test file: .+\n {2}SUCCESS\n\s*$/);
});
