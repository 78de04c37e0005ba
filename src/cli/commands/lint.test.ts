import { describe, expect, it } from 'vitest';
import type { LintOptions } from '../../forecast/lint/context.ts';
import type { Severity } from '../../forecast/lint/finding.ts';
import { aFinding, aLintReport } from '../../forecast/views/builders.ts';
import { parseSelector } from '../../kubevirt/selector.ts';
import { runCli } from '../builders.ts';
import type { CliContext } from '../context.ts';

function answering(report: ReturnType<typeof aLintReport>): Partial<CliContext> {
  return { answers: { lint: async () => report } as unknown as CliContext['answers'] };
}

const two = aLintReport([
  aFinding({ code: 'DRV002', objects: ['Node n2'], cause: 'Why two.' }),
  aFinding({ code: 'DRV001', severity: 'info', objects: ['Node n1'], cause: 'Why one.' }),
]);

const run = (line: string, change = answering(two)) =>
  runCli(['lint', '-f', 'x', ...line.split(' ').filter(Boolean)], change);

it.each([
  ['error', '', 1],
  ['warning', '', 0],
  ['warning', '--fail-on warning', 1],
  ['info', '--fail-on warning', 0],
  ['info', '--fail-on info', 1],
  ['error', '--fail-on never', 0],
] as const)('a finding of severity %s with "%s" gives %i', async (severity: Severity, flags, code) => {
  expect((await run(flags, answering(aLintReport([aFinding({ severity })])))).code).toBe(code);
});

describe('forms', () => {
  it.each([
    ['table', 'lint · KubeVirt 1.9'],
    ['wide', 'lint · KubeVirt 1.9'],
    ['name', 'node/n2\nnode/n1\n'],
    ['json', '{\n  "apiVersion": "drover.dev/v1alpha1",\n  "kind": "LintReport"'],
    ['yaml', 'apiVersion: drover.dev/v1alpha1\nkind: LintReport'],
    ['markdown', '### ❌ 2 found.'],
    ['html', '<!doctype html>'],
  ])('-o %s', async (form, start) => {
    const { stdout, stderr } = await run(`-o ${form}`);
    expect(stdout.startsWith(start)).toBe(true);
    expect(stderr).toBe('');
  });

  it('-o wide names all objects', async () => {
    const objects = Array.from({ length: 9 }, (_, i) => `Node n${i}`);
    const many = answering(aLintReport([aFinding({ objects })]));
    expect((await run('-o wide', many)).stdout).toContain('n7, n8\n');
    expect((await run('', many)).stdout).toContain('n3 and 5 more\n');
  });

  it('--no-headers leaves one line for each finding', async () => {
    expect((await run('--no-headers')).stdout).toBe(
      'error  DRV002  DrainRefused  1  node/n2  Why two.\ninfo   DRV001  DrainRefused  1  node/n1  Why one.\n',
    );
  });

  it.each([
    ['', ['n2', 'n1']],
    ['--sort-by severity', ['n2', 'n1']],
    ['--sort-by code', ['n1', 'n2']],
    ['--sort-by object', ['n1', 'n2']],
  ])('"%s" orders the findings', async (flags, order) => {
    const { stdout } = await run(`${flags} -o name`);
    expect(stdout).toBe(order.map((node) => `node/${node}\n`).join(''));
  });

  it('JSON and YAML come in one order', async () => {
    for (const form of ['json', 'yaml']) {
      expect((await run(`-o ${form} --sort-by code`)).stdout).toBe((await run(`-o ${form}`)).stdout);
    }
  });
});

it.each([
  ['', {}],
  ['-n shop', { namespace: 'shop' }],
  ['-n shop -A', {}],
  ['-l app=db', { selector: parseSelector('app=db') }],
])('"%s" asks about a scope', async (flags, scope) => {
  let asked: LintOptions | undefined;
  const lint = async (_: unknown, options: LintOptions) => {
    asked = options;
    return two;
  };
  await run(flags, { answers: { lint } as unknown as CliContext['answers'] });
  expect(asked?.scope).toEqual({ namespace: undefined, selector: undefined, ...scope });
});
