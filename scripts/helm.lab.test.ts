import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../src/lab/describe-lab.ts';
import { runHelm } from '../src/lab/helm.ts';
import { type Lab, startLab } from '../src/lab/lab.ts';
import { loadCrds } from '../src/lab/objects/load-crds.ts';
import { CHART, OVERLAYS, renderChart } from './manifest-files.ts';
import { othersCrds } from './test-crds.ts';

describeLab('helm, on a real API server', () => {
  let lab: Lab;

  beforeAll(async () => {
    lab = await startLab();
    await loadCrds(lab.admin, othersCrds());
  }, 90_000);
  afterAll(async () => {
    await lab?.stop();
  });

  async function helm(...args: readonly string[]): Promise<void> {
    const { code, stderr } = await runHelm([...args, '-n', 'drover-system'], { KUBECONFIG: lab.kubeconfig });
    expect([code, stderr]).toEqual([0, '']);
  }
  const authority = async (): Promise<string> => {
    const path = 'jsonpath={.webhooks[*].clientConfig.caBundle}';
    return (await lab.kubectl(['get', 'mutatingwebhookconfiguration', 'drover-guard', '-o', path])).stdout;
  };

  it('installs, upgrades without taking away the authority that Drover has put in, and leaves nothing', async () => {
    await lab.kubectl(['create', 'namespace', 'drover-system']);
    await helm('install', 'drover', CHART, ...(OVERLAYS.monitoring ?? []).map((value) => `--set=${value}`));
    const caBundle = Buffer.from(lab.authority).toString('base64');
    await lab.admin.call({
      method: 'PATCH',
      path: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/drover-guard',
      contentType: 'application/json-patch+json',
      body: [0, 1].map((i) => ({ op: 'add', path: `/webhooks/${i}/clientConfig/caBundle`, value: caBundle })),
    });
    await helm('upgrade', 'drover', CHART, '--reset-values', '--set=guard.replicas=3');
    expect(await authority()).toBe(`${caBundle} ${caBundle}`);
    const { stdout } = await lab.kubectl([
      'get',
      'deployments',
      '-A',
      '-o',
      'jsonpath={.items[*].spec.replicas}',
    ]);
    expect(stdout).toBe('3');
    await helm('uninstall', 'drover');
    const kinds = [...new Set((await renderChart([])).map(({ kind }) => String(kind)))].join();
    const left = await lab.kubectl(['get', kinds, '-A', '-l', 'app.kubernetes.io/name=drover', '-o', 'name']);
    expect([left.stdout, left.code]).toEqual(['', 0]);
  });
});
