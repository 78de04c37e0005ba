import { describe, expect, it } from 'vitest';
import { parseSelector } from '../kubevirt/selector.ts';
import { runCli, words } from './builders.ts';

const FILES = '--tls-cert c.pem --tls-key k.pem';

describe('drover webhook', () => {
  const byDefault = {
    guard: false,
    defaults: [],
    service: { namespace: 'drover-system', name: 'drover-webhook' },
    secret: { namespace: 'drover-system', name: 'drover-webhook-certs' },
    url: undefined,
    certManagerIssuer: undefined,
    source: { context: undefined, kubeconfig: undefined },
    behavior: 'intended',
    kubevirtVersion: undefined,
    bindAddress: '0.0.0.0',
    port: 9443,
    metricsPort: 8080,
    metricsTls: false,
    certificate: { certificateFile: 'c.pem', keyFile: 'k.pem' },
    answerWithinSeconds: 8,
    mostBytes: 4 * 1024 * 1024,
    stopDelaySeconds: 5,
    logLevel: 'info',
  };

  it.each<[string, object]>([
    [FILES, {}],
    ['--bootstrap-certs', { certificate: 'bootstrap' }],
    [
      `${FILES} --guard`,
      {
        guard: true,
        service: { namespace: 'drover-system', name: 'drover-guard' },
        secret: { namespace: 'drover-system', name: 'drover-guard-certs' },
      },
    ],
    [
      `${FILES} --guard --service a/b --secret c/d --default-strategy External:role=worker --default-strategy None`,
      {
        guard: true,
        service: { namespace: 'a', name: 'b' },
        secret: { namespace: 'c', name: 'd' },
        defaults: [{ strategy: 'External', selector: parseSelector('role=worker') }, { strategy: 'None' }],
      },
    ],
    [
      `${FILES} --service a/b --url https://10.0.0.1:9443/ --context x --kubeconfig y`,
      {
        service: { namespace: 'a', name: 'b' },
        secret: { namespace: 'a', name: 'b-certs' },
        url: 'https://10.0.0.1:9443',
        source: { context: 'x', kubeconfig: 'y' },
      },
    ],
    [
      `${FILES} --behavior exact --kubevirt-version v1.7.0 --port 1 --metrics-port 0 --metrics-tls --bind-address ::1`,
      {
        behavior: 'exact',
        kubevirtVersion: { major: 1, minor: 7 },
        port: 1,
        metricsPort: 0,
        metricsTls: true,
        bindAddress: '::1',
      },
    ],
    [
      `${FILES} --answer-within 2s --max-body 64Ki --stop-delay 0s --log-level warn`,
      { answerWithinSeconds: 2, mostBytes: 65_536, stopDelaySeconds: 0, logLevel: 'warn' },
    ],
  ])('%s', async (flags, change) => {
    const ran = await runCli(words(`webhook ${flags}`));
    expect([ran.code, ran.stderr, ran.stdout]).toEqual([0, '', '']);
    expect(ran.asked).toEqual([
      { name: 'webhook', question: { ...byDefault, ...change }, options: undefined },
    ]);
  });

  it('prints manifests, for which it needs no certificate', async () => {
    const ran = await runCli(
      words('webhook --print-manifests --guard --cert-manager-issuer ClusterIssuer/ca'),
    );
    expect([ran.code, ran.stdout]).toEqual([0, 'manifests\n']);
    expect(ran.asked).toMatchObject([
      { name: 'manifests', question: { guard: true, certManagerIssuer: 'ClusterIssuer/ca' } },
    ]);
  });

  it.each([
    ['', 'give either --tls-cert with --tls-key, or --bootstrap-certs'],
    ['--tls-cert c.pem', 'give either --tls-cert with --tls-key, or --bootstrap-certs'],
    [`${FILES} --bootstrap-certs`, 'give either --tls-cert with --tls-key, or --bootstrap-certs'],
    [`${FILES} --default-strategy None`, '--default-strategy goes with --guard'],
    [`${FILES} --guard --default-strategy none`, '--default-strategy cannot be "none": a strategy is one of'],
    [`${FILES} --guard --default-strategy None:a=b=c`, '--default-strategy cannot be "None:a=b=c":'],
    [`${FILES} --port 65536`, '--port cannot be "65536": a port is a number up to 65535'],
    [`${FILES} --port -1`, '--port cannot be "-1":'],
    [`${FILES} --service drover`, '--service cannot be "drover": it looks like NAMESPACE/NAME'],
    [`${FILES} --service a/b/c`, '--service cannot be "a/b/c": it looks like NAMESPACE/NAME'],
    [`${FILES} --url http://a`, '--url cannot be "http://a": it looks like https://HOST:PORT'],
    [`${FILES} --url https://a/b`, '--url cannot be "https://a/b": it looks like https://HOST:PORT'],
    [`${FILES} --url nowhere`, '--url cannot be "nowhere": it looks like https://HOST:PORT'],
    [`${FILES} --max-body 0`, '--max-body cannot be "0": it must be a number of bytes, as in 4Mi'],
    [`${FILES} --max-body lots`, '--max-body cannot be "lots": it must be a number of bytes, as in 4Mi'],
  ])('%s: refused', async (flags, message) => {
    const ran = await runCli(words(`webhook ${flags}`));
    expect([ran.code, ran.asked]).toEqual([2, []]);
    expect(ran.stderr).toContain(message);
  });
});
