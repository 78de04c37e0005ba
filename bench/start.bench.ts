import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import type { Bench, Measurement } from './measure.ts';

const COMMANDS = ['--version', '--help', 'completion bash'];

/** How long the built program takes for what must feel instant; wants `npm run build` before. */
export const bench: Bench = {
  name: 'start',
  run: async () => [run('node', ['-e', '0'], 'node alone'), ...COMMANDS.map(drover)],
};

function drover(command: string): Measurement {
  return run('node', ['dist/drover.js', ...command.split(' ')], `drover ${command}`);
}

function run(program: string, args: readonly string[], name: string): Measurement {
  const start = performance.now();
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ended with ${status}; run npm run build first\n${stderr}`);
  return { name, unit: 'ms', value: performance.now() - start };
}
