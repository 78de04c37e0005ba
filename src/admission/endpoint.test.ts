import { describe, expect, it } from 'vitest';
import { endpointOf } from './endpoint.ts';
import type { AdmissionDecision, AdmissionWebhook } from './ports.ts';
import { aRecord } from './test-admission.ts';

const LATE: AdmissionDecision = { allowed: false, code: 429, message: 'late', reason: 'Late', evidence: [] };
const review = (more: object = {}): string =>
  JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    request: { uid: 'u1', namespace: 'shop', name: 'db', ...more },
  });

function endpoint(decide: AdmissionWebhook['decide']) {
  const record = aRecord();
  const times = [1_000, 1_250];
  const webhook: AdmissionWebhook = { name: 'w', path: '/w', decide, late: () => LATE };
  const handle = endpointOf(webhook, { ...record, elapsed: () => times.shift() ?? 0 });
  const post = (body: string, contentType = 'application/json') =>
    handle({ contentType, body, answerWithinSeconds: 0.05 });
  return { post, lines: record.lines };
}

describe('an endpoint', () => {
  it('answers with uid, code and message, and tells the decision', async () => {
    const refusal = { allowed: false, code: 429, message: 'no', reason: 'Never', evidence: [] };
    const { post, lines } = endpoint(async () => refusal);
    expect(await post(review({ dryRun: true }))).toEqual({
      status: 200,
      body: {
        kind: 'AdmissionReview',
        apiVersion: 'admission.k8s.io/v1',
        response: { uid: 'u1', allowed: false, status: { metadata: {}, message: 'no', code: 429 } },
      },
    });
    expect(lines).toEqual([
      ['count', 'drover_admissions_total', { webhook: 'w', allowed: 'false', reason: 'Never' }],
      ['observe', 'drover_admission_seconds', 0.25, { webhook: 'w' }],
      [
        'info',
        'refused',
        {
          webhook: 'w',
          uid: 'u1',
          namespace: 'shop',
          name: 'db',
          dryRun: true,
          reason: 'Never',
          code: 429,
          message: 'no',
          evidence: [],
          seconds: 0.25,
        },
      ],
    ]);
  });

  it('passes patch and warnings on, and says less of what goes through', async () => {
    const patch = [{ op: 'add' as const, path: '/spec/é', value: 1 }];
    const { post, lines } = endpoint(async () => ({
      allowed: true,
      reason: 'Stamped',
      evidence: [],
      patch,
      warnings: ['mind'],
    }));
    const answer = await post(review());
    expect(answer.body?.response).toEqual({
      uid: 'u1',
      allowed: true,
      warnings: ['mind'],
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    });
    expect(lines[2]).toMatchObject(['debug', 'let through', { dryRun: false }]);
  });

  it('answers in time', async () => {
    const { post, lines } = endpoint(() => new Promise(() => {}));
    expect((await post(review())).body?.response).toMatchObject({
      allowed: false,
      status: { message: 'late' },
    });
    expect(lines[0]).toEqual([
      'count',
      'drover_admissions_total',
      { webhook: 'w', allowed: 'false', reason: 'Late' },
    ]);
  });

  it('tells the webhook when it is too late to write', async () => {
    const told: boolean[] = [];
    const { post } = endpoint(async (_, isLate = () => true) => {
      told.push(isLate());
      await new Promise((resolve) => setTimeout(resolve, 100));
      told.push(isLate());
      return LATE;
    });
    await post(review());
    await expect.poll(() => told).toEqual([false, true]);
  });

  it('leaves a failure to the server', async () => {
    const { post } = endpoint(() => Promise.reject(new Error('bug')));
    await expect(post(review())).rejects.toThrow('bug');
  });

  it('says 400 and nothing else to what is no review', async () => {
    const { post, lines } = endpoint(() => Promise.reject(new Error('never asked')));
    expect(await post('{', 'application/json')).toEqual({ status: 400 });
    expect(await post(review(), 'text/plain')).toEqual({ status: 400 });
    expect(lines.slice(0, 2)).toEqual([
      ['count', 'drover_admission_unreadable_total', { webhook: 'w' }],
      ['warn', 'a request is no AdmissionReview', { webhook: 'w', bytes: 1 }],
    ]);
  });
});
