import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt } from '../src/kubevirt/json.ts';
import { describeLab } from '../src/lab/describe-lab.ts';
import { type Lab, startLab } from '../src/lab/lab.ts';
import { kubevirtCrds } from '../src/lab/objects/crds.ts';
import { loadCrds } from '../src/lab/objects/load-crds.ts';
import type { ProgramResult } from '../src/lab/run-program.ts';
import { waitFor } from '../src/lab/wait.ts';
import { KUSTOMIZE, OVERLAYS, renderChart, renderOverlay } from './manifest-files.ts';
import { othersCrds } from './test-crds.ts';

const PARTS = Object.keys(OVERLAYS).filter((overlay) => overlay !== 'base');
const folderOf = (overlay: string): string => join(KUSTOMIZE, 'overlays', overlay);

const keyOf = ({ kind, metadata }: JsonObject): string => `${kind} ${(metadata as JsonObject).name}`;
const byKey = (objects: readonly JsonObject[]): JsonObject[] =>
  [...objects].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

describeLab('what is shipped, on a real API server', () => {
  let lab: Lab;

  beforeAll(async () => {
    lab = await startLab();
    await loadCrds(lab.admin, [...kubevirtCrds(), ...othersCrds()]);
  }, 90_000);
  afterAll(async () => {
    await lab?.stop();
  });

  /** With every warning of the API server, which kubectl writes to stderr. */
  const apply = (objects: readonly JsonObject[], ...flags: readonly string[]): Promise<ProgramResult> =>
    lab.kubectl(['apply', '--server-side', ...flags, '-f', '-'], {
      stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
    });

  describe.each(PARTS)('the overlay %s', (overlay) => {
    it('is what the chart gives', async () => {
      const { stdout } = await lab.kubectl(['kustomize', folderOf(overlay)]);
      const chart = [...(await renderOverlay('base')), ...(await renderOverlay(overlay))];
      expect(byKey(loadAll(stdout) as JsonObject[])).toEqual(byKey(chart));
    });

    it('is taken, without a warning, and taken again', async () => {
      for (const _ of ['first', 'second']) {
        const { code, stderr } = await lab.kubectl(['apply', '--server-side', '-k', folderOf(overlay)]);
        expect([code, stderr]).toEqual([0, '']);
      }
      const { code, stdout } = await lab.kubectl(['diff', '--server-side', '-k', folderOf(overlay)]);
      expect([code, stdout]).toEqual([0, '']);
    });
  });

  it('several components go together', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'drover-kustomize-'));
    const to = (path: string): string => relative(realpathSync(folder), join(process.cwd(), KUSTOMIZE, path));
    const together = PARTS.filter((part) => part !== 'controller-by-cr');
    const kustomization = {
      resources: [to('base')],
      components: together.map((part) => to(`components/${part}`)),
      namespace: 'elsewhere',
      images: [{ name: 'drover', newName: 'registry.example/drover', newTag: 'v9' }],
    };
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
    const { stdout, stderr } = await lab.kubectl(['kustomize', folder]);
    rmSync(folder, { recursive: true });
    expect(stderr).toBe('');
    const objects = loadAll(stdout) as JsonObject[];
    const alone = await Promise.all(['base', ...together].map(renderOverlay));
    expect(objects.map(keyOf).sort().join().replaceAll('elsewhere', 'drover-system')).toEqual(
      alone.flat().map(keyOf).sort().join(),
    );
    const deployments = objects.filter(({ kind }) => kind === 'Deployment');
    expect(JSON.stringify(deployments).match(/"image":"[^"]*"/g)).toEqual(
      Array(deployments.length).fill('"image":"registry.example/drover:v9"'),
    );
    // The API server is told to call where the Service is, too.
    expect(stdout).not.toContain('drover-system');
  });

  /** A pod as the Deployment's controller makes it. */
  async function podOf(overlay: string): Promise<JsonObject> {
    const [deployment = {}] = (await renderOverlay(overlay)).filter(({ kind }) => kind === 'Deployment');
    const template = objectAt(objectAt(deployment, 'spec'), 'template');
    const metadata = {
      ...objectAt(template, 'metadata'),
      name: `${overlay}-pod`,
      namespace: 'drover-system',
    };
    return { ...template, apiVersion: 'v1', kind: 'Pod', metadata };
  }
  const WITH_PODS = PARTS.filter((overlay) => !['check', 'monitoring'].includes(overlay));

  it.each(WITH_PODS)('the pods of %s are let in at the restricted level', async (overlay) => {
    const { code, stderr } = await apply([await podOf(overlay)], '--dry-run=server');
    expect([code, stderr]).toEqual([0, '']);
  });

  it('others are not', async () => {
    const pod = await podOf('guard');
    const spec = { ...objectAt(pod, 'spec'), securityContext: {} };
    const { code, stderr } = await apply([{ ...pod, spec }], '--dry-run=server');
    expect([code, stderr]).toEqual([1, expect.stringContaining('violates PodSecurity "restricted')]);
  });

  it.each([
    ['everything', [...PARTS.flatMap((part) => OVERLAYS[part] ?? []), 'namespace.create=true']],
    [
      'certificates of cert-manager',
      ['webhook.enabled=true', 'certificates.source=cert-manager', 'certificates.issuer.name=corp'],
    ],
    [
      'certificates that are there',
      ['certificates.source=secret', 'certificates.caBundle=-----BEGIN CERTIFICATE-----'],
    ],
    [
      'what a user may want',
      [
        'guard.replicas=1,guard.priorityClassName=system-cluster-critical',
        'guard.tolerations[0].operator=Exists,guard.nodeSelector.a=b',
        'guard.extraEnv[0].name=HTTPS_PROXY,guard.extraEnv[0].value=http://proxy:3128',
        'guard.podAnnotations.a=b,guard.podLabels.a=b,commonLabels.a=b,imagePullSecrets[0].name=pull',
        'networkPolicy.metricsFrom[0].podSelector.matchLabels.a=b,networkPolicy.apiServerCidrs={10.0.0.0/8}',
        'monitoring.prometheusRule.enabled=true,monitoring.prometheusRule.runbookBaseUrl=https://example.org/r',
      ],
    ],
  ])('the chart is taken with %s', async (_, values) => {
    const objects = await renderChart(values.map((value) => `--set=${value}`));
    const { code, stderr } = await apply(
      objects,
      '--dry-run=server',
      '--force-conflicts',
      '--field-manager=helm',
    );
    expect([code, stderr]).toEqual([0, '']);
  });

  it('the account of the check may ask, and may not evict', async () => {
    const pod = await podOf('guard');
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const metadata = { name: 'p', namespace: 'default' };
    const account = '/api/v1/namespaces/default/serviceaccounts';
    await lab.admin.call({
      method: 'POST',
      path: account,
      body: { ...pod, kind: 'ServiceAccount', metadata: { name: 'default' } },
    });
    expect((await apply([{ apiVersion: 'v1', kind: 'Pod', metadata, spec }])).stderr).toBe('');
    const kubeconfig = await lab.kubeconfigForAccount('drover-system/drover-check');
    const evict = (query: string): Promise<ProgramResult> =>
      lab.kubectl(['create', '--raw', `/api/v1/namespaces/default/pods/p/eviction${query}`, '-f', '-'], {
        kubeconfig,
        stdin: JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata }),
      });
    const refused = await waitFor(
      async () => {
        const { stderr } = await evict('');
        return stderr.includes('dry runs only') && stderr;
      },
      { what: 'the policy to be in force' },
    );
    expect(refused).toContain('the account of drover check may ask about evictions as dry runs only');
    expect((await evict('?dryRun=All')).code).toBe(0);
    expect((await lab.kubectl(['get', 'pod', 'p'])).code).toBe(0);
  });
});
