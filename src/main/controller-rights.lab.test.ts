import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../lab/describe-lab.ts';
import type { Lab } from '../lab/lab.ts';
import { deniedTo, grantShipped, shippedArgs, unusedRights } from '../lab/test-shipped.ts';
import { waitFor } from '../lab/wait.ts';
import {
  evictions,
  migrations,
  NEW_IMAGE,
  runOldVm,
  setStrategy,
  startControllerLab,
} from './test-controller.ts';
import { patch, put, vmiPath } from './test-webhook.ts';

const OVERLAYS = ['controller', 'controller-by-cr'] as const;

describeLab.each(OVERLAYS)('drover controller with the words and the rights of the overlay %s', (overlay) => {
  let lab: Lab;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    lab = await startControllerLab();
    await grantShipped(lab, overlay);
  }, 90_000);
  afterEach(() => void child?.kill('SIGKILL'));
  afterAll(() => lab?.stop());

  async function start(): Promise<Record<string, unknown>[]> {
    const kubeconfig = await lab.kubeconfigForAccount('drover-system/drover-controller');
    const strategy = join(lab.folder, 'strategy.yaml');
    writeFileSync(strategy, 'workloadUpdateMethods: [LiveMigrate, Evict]\n');
    const shipped = (await shippedArgs(lab, overlay)).map((word) =>
      word.replace('/etc/drover/strategy/strategy.yaml', strategy),
    );
    const here = ['--kubeconfig', kubeconfig, '--bind-address', '127.0.0.1', '--metrics-port', '0'];
    const program = fileURLToPath(new URL('drover.ts', import.meta.url));
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

  it('uses every right, and is denied nothing', async () => {
    await nameImage();
    await setStrategy(lab, { methods: overlay === 'controller' ? [] : ['LiveMigrate', 'Evict'] });
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
    const unused = await waitFor(
      async () => {
        const rights = await unusedRights(lab, overlay);
        return rights.length === 0 && rights;
      },
      { what: 'every right to be used', seconds: 90, everyMs: 1_000 },
    ).catch(() => unusedRights(lab, overlay));
    expect(unused).toEqual([]);
    const ended = once(child as ChildProcess, 'exit');
    child?.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(deniedTo(lab, 'drover-system/drover-controller')).toEqual([]);
  }, 240_000);
});
