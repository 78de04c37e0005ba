import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../../lab/describe-lab.ts';
import type { Lab } from '../../lab/lab.ts';
import { deniedTo, grantShipped, type Part, shippedArgs, unusedRights } from '../../lab/test-shipped.ts';
import { waitFor } from '../../lab/wait.ts';
import { patch, put, vmiPath } from '../webhook/test-webhook.ts';
import {
  evictions,
  migrations,
  NEW_IMAGE,
  runOldVm,
  setStrategy,
  startControllerLab,
} from './test-controller.ts';

/** By the chart: in the place of virt-controller, and with metrics for those with a token. */
const FOR_TOKENS = ['guard.enabled=false', 'controller.enabled=true', 'controller.metricsAuth=true'];
const SHIPPED: readonly (readonly [string, Part])[] = [
  ['of the overlay controller', 'controller'],
  ['of the overlay controller-by-cr', 'controller-by-cr'],
  ['of the chart, with metrics for those with a token', FOR_TOKENS],
];

describeLab.each(SHIPPED)('drover controller with the words and the rights %s', (_, part) => {
  let lab: Lab;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    lab = await startControllerLab();
    await grantShipped(lab, part);
  }, 90_000);
  afterEach(() => void child?.kill('SIGKILL'));
  afterAll(() => lab?.stop());

  async function start(): Promise<Record<string, unknown>[]> {
    const kubeconfig = await lab.kubeconfigForAccount('drover-system/drover-controller');
    const strategy = join(lab.folder, 'strategy.yaml');
    writeFileSync(strategy, 'workloadUpdateMethods: [LiveMigrate, Evict]\n');
    const shipped = (await shippedArgs(lab, part)).map((word) =>
      word.replace('/etc/drover/strategy/strategy.yaml', strategy),
    );
    const here = ['--kubeconfig', kubeconfig, '--bind-address', '127.0.0.1', '--metrics-port', '0'];
    const program = fileURLToPath(new URL('../drover.ts', import.meta.url));
    child = spawn(process.execPath, ['--import', 'tsx', program, ...shipped, ...here], {
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    const lines: Record<string, unknown>[] = [];
    if (child.stderr)
      createInterface({ input: child.stderr }).on('line', (line) => lines.push(JSON.parse(line)));
    return lines;
  }

  /** The Deployment that names the image, of a virt-controller that does not run. */
  async function nameImage(): Promise<void> {
    const labels = { app: 'virt-controller' };
    const containers = [{ name: 'c', image: 'i', args: ['--launcher-image', NEW_IMAGE] }];
    await put(lab, '/apis/apps/v1/namespaces/default/deployments', {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'virt-controller' } },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    });
  }

  /** With a token of somebody who may, where it takes one; without, everybody may. */
  async function readMetrics(lines: readonly Record<string, unknown>[]): Promise<void> {
    const { metricsPort } = lines.find((line) => 'metricsPort' in line) ?? {};
    const read = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers })).status;
    expect(await read({})).toBe(part === FOR_TOKENS ? 401 : 200);
    if (part !== FOR_TOKENS) return;
    for (const name of ['prometheus', 'stranger']) await lab.kubectl(['create', 'serviceaccount', name]);
    await lab.kubectl(['create', 'clusterrole', 'reader', '--verb=get', '--non-resource-url=/metrics']);
    const account = '--serviceaccount=default:prometheus';
    await lab.kubectl(['create', 'clusterrolebinding', 'reader', '--clusterrole=reader', account]);
    const bearer = async (name: string) => ({
      authorization: `Bearer ${(await lab.kubectl(['create', 'token', name])).stdout}`,
    });
    expect(await read(await bearer('prometheus'))).toBe(200);
    expect(await read(await bearer('stranger'))).toBe(403);
  }

  it('uses every right, and is denied nothing', async () => {
    await nameImage();
    await setStrategy(lab, { methods: part === 'controller-by-cr' ? ['LiveMigrate', 'Evict'] : [] });
    await runOldVm(lab, 'moves', true);
    await runOldVm(lab, 'restarts', false);
    // Without a budget's controller every eviction of this one is refused.
    await runOldVm(lab, 'refused', false);
    const refused = '/api/v1/namespaces/default/pods/virt-launcher-refused';
    await patch(lab, refused, { metadata: { labels: { app: 'refused' } } });
    await put(lab, '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'refused' } },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'refused' } } },
    });
    const lines = await start();
    await waitFor(() => migrations(lab).length === 1 && evictions(lab).length === 1, {
      what: 'both moves',
      seconds: 60,
    });
    // It is not outdated any more: its migration is taken back.
    await patch(lab, vmiPath('moves'), { status: { launcherContainerImageVersion: NEW_IMAGE } });
    await waitFor(() => lines.some(({ msg }) => msg === 'deleted'), { what: 'the migration to be deleted' });
    await readMetrics(lines);
    const unused = await waitFor(
      async () => {
        const rights = await unusedRights(lab, part);
        return rights.length === 0 && rights;
      },
      { what: 'every right to be used', seconds: 90, everyMs: 1_000 },
    ).catch(() => unusedRights(lab, part));
    expect(unused).toEqual([]);
    const ended = once(child as ChildProcess, 'exit');
    child?.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(deniedTo(lab, 'drover-system/drover-controller')).toEqual([]);
  }, 240_000);
});
