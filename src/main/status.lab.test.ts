import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { RolloutStatus } from '../forecast/status/report.ts';
import { describeLab } from '../lab/describe-lab.ts';
import type { Lab } from '../lab/lab.ts';
import { waitFor } from '../lab/wait.ts';
import {
  NEW_IMAGE,
  runOldVm,
  runVirtController,
  setStrategy,
  startControllerLab,
} from './controller/test-controller.ts';
import { patch, put, vmiPath } from './webhook/test-webhook.ts';

describeLab('drover status of a real API server', () => {
  let lab: Lab;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    lab = await startControllerLab();
    await setStrategy(lab, { methods: ['LiveMigrate'] });
    await runVirtController(lab);
    await runOldVm(lab, 'moves', true);
    await runOldVm(lab, 'stays', false);
  }, 90_000);
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  afterAll(() => lab?.stop());

  function start(...flags: readonly string[]) {
    const program = fileURLToPath(new URL('drover.ts', import.meta.url));
    const args = ['--import', 'tsx', program, 'status', '--kubeconfig', lab.kubeconfig, ...flags];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    return { child, lines, ended: once(child, 'close').then(([code]) => code as number) };
  }

  const standings = ({ status }: RolloutStatus): string[] =>
    status.vms.map(({ name, state, reason }) => `${name} ${state} ${reason}`);
  /** What the node's agents write when a VM has arrived. */
  const arrive = async (name: string) => {
    const conditions = [{ type: 'LiveMigratable', status: 'True' }];
    await patch(lab, vmiPath(name), { status: { launcherContainerImageVersion: NEW_IMAGE, conditions } });
  };

  it('shows once how it stands', async () => {
    const { lines, ended } = start('-o', 'json');
    expect(await ended).toBe(1);
    const report = JSON.parse(lines.join('\n')) as RolloutStatus;
    expect(report.spec.launcherImage).toBe(NEW_IMAGE);
    expect(standings(report)).toEqual(['moves Waiting WaitsForTurn', 'stays Stuck NoMethodApplies']);
  });

  it('follows a roll-out to its end, and shows each change', async () => {
    const { lines, ended } = start('-w', '-o', 'json');
    await waitFor(() => lines.length === 1, { what: 'the first picture', seconds: 40 });
    const migrations = '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstancemigrations';
    await put(lab, migrations, {
      ...{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstanceMigration' },
      ...{ metadata: { name: 'm' }, spec: { vmiName: 'moves' } },
    });
    await waitFor(() => lines.length === 2, { what: 'the migration to be seen' });
    await patch(lab, `${migrations}/m/status`, { status: { phase: 'Succeeded' } });
    await arrive('moves');
    expect(await ended).toBe(1);
    const reports = lines.map((line) => JSON.parse(line) as RolloutStatus);
    expect(standings(reports[1] as RolloutStatus)[0]).toBe('moves Moving MigrationCreated');
    expect(standings(reports.at(-1) as RolloutStatus)).toEqual([
      'moves Done UpToDate',
      'stays Stuck NoMethodApplies',
    ]);
  });

  it('ends when it is asked to', async () => {
    await runOldVm(lab, 'waits', true);
    const { lines, child, ended } = start('-w');
    await waitFor(() => lines.length === 1, { what: 'the first line', seconds: 40 });
    expect(lines[0]).toMatch(/^\S+ {2}33% {2}Done 1 {2}Waiting 1 {2}Moving 0 {2}Stuck 1$/);
    child.kill('SIGINT');
    expect(await ended).toBe(1);
  });
});
