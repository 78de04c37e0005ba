import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../lab/describe-lab.ts';
import { type Lab, startLab } from '../lab/lab.ts';
import { kubevirtCrds } from '../lab/objects/crds.ts';
import { loadCrds } from '../lab/objects/load-crds.ts';
import { runDrover } from './ask.ts';

describeLab('the command line on a live cluster', () => {
  let lab: Lab;

  beforeAll(async () => {
    lab = await startLab();
    await loadCrds(lab.admin, kubevirtCrds());
    const items = [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'KubeVirt',
        metadata: { name: 'kubevirt', namespace: 'default' },
        spec: { workloadUpdateStrategy: { workloadUpdateMethods: ['LiveMigrate'] } },
      },
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        metadata: { name: 'db', namespace: 'default' },
        spec: { evictionStrategy: 'LiveMigrate' },
        status: {
          phase: 'Running',
          nodeName: 'n1',
          conditions: [{ type: 'LiveMigratable', status: 'False' }],
        },
      },
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } },
    ];
    const list = { apiVersion: 'v1', kind: 'List', items };
    await lab.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(list) });
  }, 90_000);
  afterAll(() => lab?.stop());

  it('foresees without a file', async () => {
    const { code, out, err } = await runDrover(['plan', 'drain', 'n1', '--kubeconfig', lab.kubeconfig]);
    expect(err).toBe('');
    expect(out).toMatch(/db +\w+/);
    expect(code).toBe(1);
  });

  it('says what it may not see, and goes on', async () => {
    const kubeconfig = await lab.kubeconfigForAccount('default/nobody');
    const { code, err } = await runDrover(['lint', '--kubeconfig', kubeconfig]);
    expect(err).toContain('Node is missing from the picture: nodes is forbidden');
    expect(code).toBeLessThanOrEqual(2);
  });

  it.each([
    [['--kubeconfig', '/no/such/file'], 'KubeconfigUnreadable'],
    [['--context', 'none'], 'UnknownContext'],
  ])('%j ends with 2 and %s', async (flags, errorCode) => {
    const given = flags[0] === '--context' ? ['--kubeconfig', lab.kubeconfig, ...flags] : flags;
    const { code, err } = await runDrover(['plan', 'upgrade', ...given]);
    expect(code).toBe(2);
    expect(err).toContain(`(${errorCode})`);
    expect(err).toContain('to do: ');
  });
});
