import { spawnSync } from 'node:child_process';

/**
 * `npm run test:lab -- [--kubernetes 1.34|1.36|1.37] [vitest's own arguments]`: the tests that need a real API server, alone.
 */
const args = process.argv.slice(2);
const at = args.indexOf('--kubernetes');
const [, kubernetes] = at < 0 ? [] : args.splice(at, 2);
const env = kubernetes === undefined ? process.env : { ...process.env, DROVER_LAB_KUBERNETES: kubernetes };
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'lab', ...args], {
  stdio: 'inherit',
  env,
});
process.exitCode = status ?? 1;
