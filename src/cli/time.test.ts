import { describe, expect, it } from 'vitest';
import { runCli, words } from './builders.ts';

const timesIn = (asked: readonly { name: string; question: unknown; options: unknown }[]) =>
  asked.filter(({ name }) => name === 'time');

describe('--time', () => {
  it.each([
    ['plan upgrade', { action: 'upgrade' }, { runs: 5, whatIf: [] }],
    ['plan drain n1 --deadline 5m --runs 2', { action: 'drain' }, { runs: 2, deadlineSeconds: 300 }],
    [
      'plan round n1 --reboot 10m --runs 1 --what-if parallelOutboundMigrationsPerNode=4',
      { action: 'round', question: { steps: [], rebootSeconds: 600 } },
      { runs: 1, whatIf: [{ path: 'parallelOutboundMigrationsPerNode', value: '4' }] },
    ],
  ])('%s', async (line, question, options) => {
    const { asked, stderr } = await runCli(words(`${line} --time -f x --fail-on never`));
    expect(stderr).toBe('');
    expect(timesIn(asked)).toMatchObject([{ question, options: { behavior: 'exact', ...options } }]);
  });

  it('plays a round with all VMs, whatever is shown', async () => {
    const { asked } = await runCli(words('plan round n1 -n shop --time --runs 1 -f x --fail-on never'));
    const scopes = asked.flatMap(({ name, options }) =>
      name === 'round' ? [(options as { scope: object }).scope] : [],
    );
    expect(scopes).toEqual([{ namespace: 'shop', selector: undefined }, {}]);
  });

  it.each(['plan round n1 -f x', 'plan round n1 -n shop -f x'])('%s plays nothing without', async (line) => {
    const { asked } = await runCli(words(`${line} --fail-on never`));
    expect(asked.map(({ name }) => name)).toEqual(['round']);
  });

  it.each([
    ['plan round n1 -f x --what-if parallelOutboundMigrationsPerNode=4', '--what-if goes with --time'],
    ['plan drain n1 -f x --deadline 5m --runs 3', '--runs and --deadline go with --time'],
    ['plan upgrade -f x --runs 3', '--runs goes with --time'],
    ['plan round n1 -f x --reboot 5m', '--reboot goes with --time'],
    ['plan upgrade -f x --time --runs 1.5', 'whole number'],
    [
      'plan upgrade -f x --time --what-if parallelMigrationPerCluster=4',
      'is not one of parallelMigrationsPerCluster,',
    ],
    [
      'plan upgrade -f x --time --what-if bandwidthPerMigration=64Mi',
      'is not one of parallelMigrationsPerCluster,',
    ],
    ['plan upgrade -f x --time --what-if parallelMigrationsPerCluster=four', '"four" is no value for'],
    ['plan upgrade -f x --time --what-if parallelMigrationsPerCluster=-1', '"-1" is no value for'],
    ['plan upgrade -f x --time --what-if batchEvictionInterval=-1m', '"-1m" is no value for'],
    ['plan upgrade -f x --time --what-if progressTimeout=', 'looks like parallelMigrationsPerCluster=10'],
    ['plan upgrade -f x --time --what-if progressTimeout', 'looks like'],
  ])('%s is refused', async (line, why) => {
    const { code, stderr } = await runCli(words(line));
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  });

  it('tells whoever watches how far it is', async () => {
    const terminal = { width: 100, colour: false, watched: true };
    const { stderr } = await runCli(words('plan drain n1 --time --runs 1 -f x --fail-on never'), {
      terminal,
    });
    expect(stderr).toMatch(/\d+s in: 0 of 1 VM moved or restarted/);
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
  });
});
