import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../forecast/forecast.ts';
import { aForecast } from '../../forecast/views/builders.ts';
import { aVmi } from '../../kubevirt/builders.ts';
import { aSmallFleet, runCli } from '../builders.ts';
import type { CliContext } from '../context.ts';

/** Forecasts with these outcomes, one after the other, about whatever VM is asked for. */
function answering(...outcomes: readonly Outcome[]): Partial<CliContext> {
  const explainVmi = async (_: unknown, vm: string) =>
    outcomes.map((outcome) => aForecast().asking({ action: 'evict' }).with(vm, outcome).build());
  return { answers: { explainVmi } as unknown as CliContext['answers'] };
}

const run = (line: string, change?: Partial<CliContext>) =>
  runCli(['explain', 'vmi', '-f', 'x', ...line.split(' ').filter(Boolean)], change);

describe('forms', () => {
  it.each([
    ['table', '── drain n1'],
    ['text', '── drain n1'],
    ['wide', '── drain n1'],
    ['name', 'virtualmachineinstance/shop/db-0  # drain n1 Blocks\n'],
    ['json', '{\n  "apiVersion": "drover.dev/v1alpha1",\n  "kind": "ForecastList"'],
    ['yaml', 'apiVersion: drover.dev/v1alpha1\nkind: ForecastList'],
    ['markdown', '### ❌ db-0 is Blocks'],
    ['html', '<!doctype html>'],
  ])('-o %s', async (form, start) => {
    const { stdout, stderr } = await run(`shop/db-0 -o ${form}`);
    expect(stdout.startsWith(start)).toBe(true);
    expect(stderr).toBe('');
  });

  it('the table is the default, and what text means', async () => {
    const { stdout } = await run('shop/db-0');
    expect(stdout).toContain('✗ shop/db-0 on n1: Blocks');
    expect((await run('shop/db-0 -o text')).stdout).toBe(stdout);
    expect((await run('shop/db-0 -o table')).stdout).toBe(stdout);
  });

  it('--no-headers leaves one line for each VM and occasion', async () => {
    expect((await run('shop/db-0 --no-headers')).stdout).toBe(
      'shop/db-0  drain n1  Blocks  BlocksReason  db-0 is Blocks\n',
    );
  });

  it('JSON has all forecasts, empty stages included', async () => {
    const list = JSON.parse((await run('shop/db-0 -o json', answering('Cut', 'Blocks'))).stdout);
    expect(list.items.map((item: { kind: string }) => item.kind)).toEqual(['Forecast', 'Forecast']);
    expect(list.items[0].status.vms[0].stages).toEqual([]);
  });
});

describe('which VMs', () => {
  it.each([
    ['shop/db-0', ['shop/db-0']],
    ['db-0 -n shop', ['shop/db-0']],
    ['shop/db-0 vmi/shop/db-0', ['shop/db-0']],
    ['-l app=db', ['shop/db-0']],
    ['-l app=db -A -n ci', ['shop/db-0']],
    ['-l app=db -n shop', ['shop/db-0']],
  ])('%s', async (line, vms) => {
    expect((await run(line)).asked.map(({ question }) => question)).toEqual(vms);
  });

  it('named ones come by namespace and name', async () => {
    const fleet = aSmallFleet();
    fleet.apply('VirtualMachineInstance', aVmi('web', 'ci').on('n1').build());
    const { asked } = await run('shop/db-0 ci/web', { readInput: async () => ({ fleet, warnings: [] }) });
    expect(asked.map(({ question }) => question)).toEqual(['ci/web', 'shop/db-0']);
  });

  it.each([
    ['', 'name the VMs to explain, or give -l (WrongFlags)'],
    ['-l app=web', 'no VM in the input has these labels (UnknownVm)'],
    ['-l app=db -n ci', 'no VM in the input has these labels (UnknownVm)'],
    ['shop/db-1', 'VM "shop/db-1" is not in the input (UnknownVm)'],
  ])('"%s" is an error', async (line, message) => {
    const { code, stderr, stdout } = await run(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`error: ${message}\n`);
  });
});

it.each<[readonly Outcome[], string, number]>([
  [['LiveMigrates', 'Blocks'], '', 1],
  [['Restarts', 'LiveMigrates'], '', 1],
  [['LiveMigrates', 'Deferred'], '', 0],
  [['Restarts', 'LiveMigrates'], '--fail-on Blocks', 0],
  [['Cut'], '--fail-on never', 0],
  [[], '', 0],
])('%j with "%s" gives %i', async (outcomes, flags, code) => {
  expect((await run(`shop/db-0 ${flags}`, answering(...outcomes))).code).toBe(code);
});
