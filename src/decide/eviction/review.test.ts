import { describe, expect, it } from 'vitest';
import type { EvictionAnswer } from './admit.ts';
import { admissionResponse, decodeReview, encodeReview, isEvictionReview } from './review.ts';

const JSON_TYPE = 'application/json';
const BAD_REQUEST = { status: 400 };
const DENIED: EvictionAnswer = { allowed: false, code: 429, message: 'no', reason: 'X', evidence: [] };
const ALLOWED: EvictionAnswer = { allowed: true, reason: 'Y', evidence: [] };
const review = (change: object = {}) =>
  JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u-1',
      name: 'p',
      namespace: 'shop',
      dryRun: true,
      object: { kind: 'Eviction' },
      oldObject: null,
    },
    ...change,
  });

describe('decodeReview', () => {
  it('reads the eviction and what the answer repeats', () => {
    const decoded = decodeReview(JSON_TYPE, review());
    expect(decoded).toEqual({
      apiVersion: 'admission.k8s.io/v1',
      uid: 'u-1',
      request: { namespace: 'shop', name: 'p', dryRun: true, object: { kind: 'Eviction' } },
    });
    expect(isEvictionReview(decoded)).toBe(true);
  });

  it('takes absent and null for the same', () => {
    const body = '{"apiVersion":null,"request":{"uid":null,"name":null,"dryRun":null,"object":null}}';
    expect(decodeReview(JSON_TYPE, body)).toEqual({
      apiVersion: undefined,
      uid: '',
      request: { namespace: '', name: '', dryRun: undefined, object: undefined },
    });
  });

  it('does not care for kind and apiVersion', () => {
    expect(decodeReview(JSON_TYPE, review({ kind: 'Other', apiVersion: 'v7' }))).toMatchObject({
      apiVersion: 'v7',
    });
  });

  it.each([[undefined], ['application/json; charset=utf-8'], ['APPLICATION/JSON'], ['text/plain'], ['']])(
    'answers content type %s with 400',
    (contentType) => {
      const decoded = decodeReview(contentType, review());
      expect(decoded).toEqual(BAD_REQUEST);
      expect(isEvictionReview(decoded)).toBe(false);
    },
  );

  it.each([
    '',
    '{',
    '[]',
    '"x"',
    '7',
    'true',
    `${review()} trailing`,
    '{"request":[]}',
    '{"request":{"uid":7}}',
    '{"apiVersion":7,"request":{}}',
  ])('answers the body %s with 400', (body) => {
    expect(decodeReview(JSON_TYPE, body)).toEqual(BAD_REQUEST);
  });

  it.each(['null', '{}', '{"request":null}', review({ request: undefined })])(
    'U6: answers a review without request (%s), on which KubeVirt crashes, with 400',
    (body) => {
      expect(decodeReview(JSON_TYPE, body)).toEqual(BAD_REQUEST);
    },
  );
});

describe('encodeReview', () => {
  const decoded = { apiVersion: 'bogus/v7', uid: 'u-1', request: { namespace: 'shop', name: 'p' } };

  it('repeats apiVersion and uid', () => {
    expect(encodeReview(decoded, DENIED)).toEqual({
      status: 200,
      body: {
        kind: 'AdmissionReview',
        apiVersion: 'bogus/v7',
        response: { uid: 'u-1', allowed: false, status: { metadata: {}, message: 'no', code: 429 } },
      },
    });
    expect(encodeReview(decoded, ALLOWED).body?.response).toEqual({ uid: 'u-1', allowed: true });
  });

  it.each([undefined, ''])('leaves out an apiVersion of %j', (apiVersion) => {
    const { body } = encodeReview({ ...decoded, apiVersion }, ALLOWED);
    expect(JSON.stringify(body)).toBe('{"kind":"AdmissionReview","response":{"uid":"u-1","allowed":true}}');
  });

  it('leaves out what a refusal lacks', () => {
    const bare: EvictionAnswer = { allowed: false, reason: 'X', evidence: [] };
    expect(JSON.stringify(admissionResponse('', bare))).toBe(
      '{"uid":"","allowed":false,"status":{"metadata":{}}}',
    );
  });
});
