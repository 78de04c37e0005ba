import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const SCRIPTS = [
  'src/main/accuracy.ts',
  'src/main/histories.ts',
  'src/main/conformance.ts',
  'bench/main.ts',
  'scripts/fleet.ts',
];

function run(script: string, ...flags: readonly string[]) {
  return spawnSync(process.execPath, ['--import', 'tsx', script, ...flags], { encoding: 'utf8' });
}

describe.each(SCRIPTS)('%s', (script) => {
  it('prints its usage with --help', () => {
    const { status, stdout, stderr } = run(script, '--help');
    expect(stdout).toMatch(/^usage: npm run \w+ -- /);
    expect([status, stderr]).toEqual([0, '']);
  });

  it('says which flag is none of it, without a stack', () => {
    const { status, stdout, stderr } = run(script, '--verbatim');
    expect(stderr).toMatch(/^error: Unknown option '--verbatim'.*\n\nusage: /);
    expect(stderr).not.toContain('    at ');
    expect([status, stdout]).toEqual([2, '']);
  });
});

it.each([
  ['src/main/accuracy.ts', '--clusters', 'many', '--clusters takes a whole number, not "many"'],
  [
    'src/main/accuracy.ts',
    '--action',
    'nap',
    '--action takes drain or upgrade or evict or config or edit, not "nap"',
  ],
  ['src/main/accuracy.ts', '--with', 'pods,luck', '--with has nothing called "luck"'],
  ['bench/main.ts', '--vms', '-1', "'--vms' argument is ambiguous"],
  ['scripts/fleet.ts', '--seed', '1', 'say how many: --vms N'],
])('%s %s %s is refused', (script, flag, value, problem) => {
  const { status, stderr } = run(script, flag, value);
  expect(stderr).toContain(problem);
  expect(status).toBe(2);
});
