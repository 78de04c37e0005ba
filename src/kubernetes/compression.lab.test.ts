import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../lab/describe-lab.ts';
import { type Lab, startLab } from '../lab/lab.ts';
import { type FaultProxy, startFaultProxy } from '../lab/test-fault-proxy.ts';
import { liveFleet } from './live-fleet.ts';

/** The API server compresses answers from 128 KiB on. */
const BIG = 'ż'.repeat(120_000);

describeLab('long answers', () => {
  let lab: Lab;
  let proxy: FaultProxy;

  beforeAll(async () => {
    lab = await startLab();
    proxy = await startFaultProxy(lab);
    const body = { metadata: { name: 'big', annotations: { 'kubevirt.io/big': BIG } } };
    await lab.admin.call({ method: 'POST', path: '/api/v1/namespaces', body });
  });
  afterAll(async () => {
    await proxy?.close();
    await lab?.stop();
  });

  const annotation = async (kubeconfig: string): Promise<string | undefined> => {
    const { fleet } = await liveFleet({ kubeconfig, kinds: ['Namespace'] });
    return fleet.get('Namespace', 'big')?.metadata.annotations?.['kubevirt.io/big'];
  };

  it('come compressed', async () => {
    expect(await annotation(proxy.kubeconfig)).toBe(BIG);
    expect(proxy.requests.at(-1)).toMatchObject({ answerEncoding: 'gzip' });
  });

  it('come as they are where the kubeconfig wants that', async () => {
    const config = JSON.parse(readFileSync(proxy.kubeconfig, 'utf8'));
    config.clusters[0].cluster['disable-compression'] = true;
    const kubeconfig = join(lab.folder, 'plain.kubeconfig');
    writeFileSync(kubeconfig, JSON.stringify(config));
    expect(await annotation(kubeconfig)).toBe(BIG);
    expect(proxy.requests.at(-1)).toMatchObject({ answerEncoding: undefined });
  });
});
