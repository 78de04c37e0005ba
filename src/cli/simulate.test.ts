import { describe, expect, it } from 'vitest';
import { runCli, words } from './builders.ts';

describe('simulate', () => {
  it.each([
    ['simulate s.yaml', { file: 's.yaml', snapshot: [], runs: 1, jobs: 1 }],
    [
      'simulate s.yaml --snapshot a.yaml --snapshot b --seed 7 --runs 200 --jobs 2 --record out',
      { file: 's.yaml', snapshot: ['a.yaml', 'b'], seed: 7, runs: 200, jobs: 2, record: 'out' },
    ],
  ])('%s', async (line, question) => {
    const { code, stderr, asked } = await runCli(words(line));
    expect([code, stderr]).toEqual([0, '']);
    expect(asked).toEqual([{ name: 'simulate', question, options: undefined }]);
  });

  it.each([
    ['table', /^A scenario · seed 1\n✓ All is quiet after 0s\. Of 0 VMs, nothing happened to any\.\n/],
    ['wide', /^A scenario · seed 1\n/],
    ['json', /"kind": "Simulation"/],
    ['yaml', /^kind: Simulation$/m],
    ['markdown', /^### ✅ All is quiet after 0s\./],
  ])('answers as %s', async (form, text) => {
    expect((await runCli(['simulate', 's.yaml', '-o', form])).stdout).toMatch(text);
  });

  it.each([
    ['simulate s.yaml', ['1m15s in: 1 of 3 VMs moved or restarted', '']],
    [
      'simulate s.yaml --runs 4',
      [
        `${'█'.repeat(30)} 4 of 4 runs`,
        `${'█'.repeat(30)} 4 of 4 runs · 1m15s in: 1 of 3 VMs moved or restarted`,
        '',
      ],
    ],
  ])('%s tells whoever watches how far it is', async (line, told) => {
    const { stderr } = await runCli(words(line), { terminal: { width: 100, colour: false, watched: true } });
    expect(stderr.split('\r\u001b[K').slice(1)).toEqual(told);
  });

  it('is not 0 where it was stopped before all runs had ended', async () => {
    const { code, stdout } = await runCli(words('simulate stopped.yaml --runs 4'));
    expect(code).toBe(2);
    expect(stdout).toContain('All is quiet');
  });

  it('writes the course as a page beside the answer', async () => {
    const { asked, stdout } = await runCli(words('simulate s.yaml --timeline out.html'));
    expect(stdout).toContain('All is quiet');
    expect(asked[1]).toMatchObject({
      name: 'file',
      question: 'out.html',
      options: expect.stringContaining('<!doctype html>'),
    });
  });

  it.each([
    'simulate',
    'simulate s.yaml --runs 0',
    'simulate s.yaml --runs 100001',
    'simulate s.yaml -o html',
  ])('%s is refused', async (line) => {
    const { code, stderr, stdout } = await runCli(words(line));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: /);
  });
});

it.each(['/nowhere/x.html', '/full/x.html'])(
  'that %s cannot be written is an error, whatever else has come of it',
  async (file) => {
    const { code, stderr } = await runCli(words(`simulate s.yaml --timeline ${file}`));
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${file} (CannotWrite)`);
  },
);
