import { describe, expect, it } from 'vitest';
import { runCli, words } from './builders.ts';
import { DroverError } from './errors.ts';

describe('what goes wrong is told in two lines, and gives 2', () => {
  it.each([
    ['plan drain -f x', 'the node is missing (WrongFlags)'],
    ['plan evict -f x', 'name the VMs to evict, or give -l (WrongFlags)'],
    ['plan evict shop/db-1 -f x', 'VM "shop/db-1" is not in the input (UnknownVm)'],
    ['plan evict db-0 -f x', '"db-0" does not name a VM (UnknownVm)'],
    ['plan config -f x', 'say what changes: either --set or --kubevirt (WrongFlags)'],
    ['plan config -f x --set a=b --kubevirt k', 'say what changes: either --set or --kubevirt (WrongFlags)'],
    ['plan config -f x --kubevirt k', 'k holds no KubeVirt object (NoKubeVirt)'],
    ['plan edit shop/db-0 -f x', '--set is missing, or has no value (WrongFlags)'],
    [
      'plan edit shop/db-0 -f x --set a',
      '--set cannot be "a": a setting looks like path.of.field=value (WrongFlags)',
    ],
    [
      'plan upgrade -f x --kubevirt-version one',
      '--kubevirt-version cannot be "one": a version looks like v1.9.0 or 1.9 (WrongFlags)',
    ],
    [
      'plan upgrade -f x --at noon',
      '--at cannot be "noon": a time looks like 2026-03-01T12:00:00Z (WrongFlags)',
    ],
    [
      'plan drain n1 -f x --timeout 5',
      '--timeout cannot be "5": a duration is a number with a unit, as in 5m or 90s (WrongFlags)',
    ],
    ['plan upgrade -f x --namspace y', 'there is no flag --namspace; did you mean --namespace? (WrongFlags)'],
    ['plan upgrade -f x -q', 'there is no flag -q (WrongFlags)'],
    [
      'plan upgrade -f x -oxml',
      '--output cannot be "xml": it is one of table, wide, name, json, yaml, markdown, html (WrongFlags)',
    ],
    ['plan upgrade -f x y', '"y" is one argument too many (WrongFlags)'],
    ['plan upgrade -f x -n a -n b', '--namespace was given twice: "a" and "b" (WrongFlags)'],
    ['plan drian n1', 'there is no command "drian" (WrongFlags)'],
    ['completion tcsh', 'bash|zsh|fish cannot be "tcsh": it must be one of bash, zsh, fish (WrongFlags)'],
  ])('%s', async (line, message) => {
    const { code, stdout, stderr } = await runCli(words(line));
    expect(stderr.split('\n')).toEqual([`error: ${message}`, expect.stringMatching(/^ {2}to do: \S/), '']);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('suggests what is there', async () => {
    expect((await runCli(words('plan evict x/db-0 -f x'))).stderr).toContain('Name one of: shop/db-0.');
    expect((await runCli(words('plan drian n1'))).stderr).toContain('Did you mean `drain`?');
    expect((await runCli(words('plan evict db-0 -f x'))).stderr).toContain('Name one of: shop/db-0.');
  });

  it.each([
    ['plan drain n1 --nope', 'See drover plan drain --help.'],
    ['explain vm shop/db-0 --nope', 'See drover explain vm --help.'],
    ['lint -q', 'See drover lint --help.'],
    ['explain shop/db-0', 'See drover explain --help.'],
    ['expalin', 'Did you mean'],
    ['shop/db-0', 'See drover --help.'],
    ['--nope', 'See drover --help.'],
    ['plan drain n1 -f x --deadline 5m', 'See drover plan drain --help.'],
    ['plan config -f x', 'See drover plan config --help.'],
  ])('%s: names the help of that command', async (line, cure) => {
    expect((await runCli(words(line))).stderr).toContain(`to do: ${cure}`);
  });

  it('tells an unforeseen error without its stack, and with it on request', async () => {
    const readInput = async (): Promise<never> => {
      throw new TypeError('x is not a function');
    };
    const { code, stderr } = await runCli(words('plan upgrade -f x'), { readInput });
    expect([code, stderr]).toEqual([
      2,
      'error: TypeError: x is not a function (Internal)\n  to do: Please report it, with the output of the same command under DROVER_DEBUG=1.\n',
    ]);
    const told = await runCli(words('plan upgrade -f x'), { readInput }, { DROVER_DEBUG: '1' });
    expect(told.stderr).toContain('    at ');
  });

  it('tells several problems of one input', async () => {
    const readInput = async (): Promise<never> => {
      throw Object.assign(new DroverError('NoInput', 'first (and 3 more)', 'mend it'), {
        lines: ['first', 'second'],
        count: 4,
      });
    };
    expect((await runCli(words('plan upgrade -f x'), { readInput })).stderr).toBe(
      'error: first (NoInput)\nerror: second\nerror: and 2 more\n  to do: mend it\n',
    );
  });
});
