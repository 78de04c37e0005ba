import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type JsonObject, objectAt } from '../kubevirt/json.ts';
import { describeLab } from '../lab/describe-lab.ts';
import type { Lab } from '../lab/lab.ts';
import { grantShipped } from '../lab/test-shipped.ts';
import { waitFor } from '../lab/wait.ts';
import { drover } from './lab/test-process.ts';
import {
  get,
  launcherOf,
  patch,
  podPath,
  register,
  runVm,
  startWebhookLab,
  vmiPath,
} from './webhook/test-webhook.ts';

const DENIAL = { code: 429, message: 'Eviction triggered evacuation of VMI "default/db"' };

describeLab('drover check and a webhook that takes a dry run for an eviction', () => {
  let lab: Lab;
  let careless: Server;
  let reviews = 0;

  /** Marks whatever it is asked about. */
  beforeAll(async () => {
    lab = await startWebhookLab();
    await runVm(lab, 'db', { strategy: 'LiveMigrate', migratable: 'True' });
    const { certificate, key } = await lab.serverCertificate();
    careless = createServer({ cert: certificate, key }, async (request, response) => {
      const { uid } = objectAt((await json(request)) as JsonObject, 'request');
      reviews += 1;
      await patch(lab, vmiPath('db'), { status: { evacuationNodeName: 'n1' } });
      const review = {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid, allowed: false, status: DENIAL },
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(review));
    });
    await new Promise<void>((resolve) => careless.listen(0, '127.0.0.1', resolve));
    await register(lab, careless.address() as AddressInfo);
  }, 90_000);
  afterAll(async () => {
    careless?.close();
    await lab?.stop();
  });

  it('finds that it marks, though it answers as foretold', async () => {
    const dryRun = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: launcherOf('db') } };
    const path = `${podPath(launcherOf('db'))}/eviction`;
    await waitFor(
      async () => {
        await lab.admin.call({ method: 'POST', path, query: { dryRun: 'All' }, body: dryRun });
        return reviews > 0;
      },
      { what: 'the webhook to be asked', everyMs: 200 },
    );
    await patch(lab, vmiPath('db'), { status: { evacuationNodeName: null } });

    const kubeconfig = await lab.kubeconfigForAccount(await grantShipped(lab, 'check'));
    const { code, out } = await drover(['check', '--kubeconfig', kubeconfig, '-o', 'json']);
    const [pod] = JSON.parse(out).status.pods;
    expect([code, pod.result, pod.reason, pod.answered.code]).toEqual([1, 'Differs', 'MarkAppeared', 429]);
    expect(pod.message).toContain('the VMI was marked for evacuation from n1 while a dry run was under way');
    expect(objectAt((await get(lab, podPath(launcherOf('db')))) ?? {}, 'metadata')).not.toHaveProperty(
      'deletionTimestamp',
    );
  });
});
