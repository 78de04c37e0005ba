import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Bench, Measurement } from './measure.ts';

const CHILD = fileURLToPath(new URL('classify-child.ts', import.meta.url));

/**
 * What a roll-out costs: the pass over all VMIs, an event, a reading, the heap. Of 10,000 VMIs, with `--full` of
 * 100,000, in a process of its own.
 */
export const bench: Bench = {
  name: 'classify',
  run: async ({ full }) => measure(full ? 100_000 : 10_000),
};

function measure(vmis: number): readonly Measurement[] {
  const args = ['--expose-gc', '--import', 'tsx', CHILD, String(vmis)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the measurement ended with ${status}\n${stderr}`);
  return JSON.parse(stdout) as Measurement[];
}
