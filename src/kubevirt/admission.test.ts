import { describe, expect, it } from 'vitest';
import { admissionReviewSchema, evictionSchema } from './admission.ts';

describe('evictionSchema', () => {
  it('keeps what it names and drops the rest', () => {
    const eviction = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'p', namespace: 'shop', labels: { a: 'b' }, annotations: { c: 'd' } },
      deleteOptions: {
        gracePeriodSeconds: 0,
        dryRun: ['All'],
        orphanDependents: true,
        propagationPolicy: 'Orphan',
        preconditions: { uid: 'u', resourceVersion: '7' },
      },
    };
    expect(evictionSchema.parse({ ...eviction, strange: 1 })).toEqual(eviction);
    expect(evictionSchema.parse({})).toEqual({});
  });

  it.each([
    ['a text', 'Eviction'],
    ['a list', [{}]],
    ['metadata as a text', { metadata: 'x' }],
    ['annotations that are no texts', { metadata: { annotations: { a: 1 } } }],
    ['a dry run that is no list', { deleteOptions: { dryRun: 'All' } }],
    ['a grace period with a fraction', { deleteOptions: { gracePeriodSeconds: 1.5 } }],
  ])('refuses %s', (_name, value) => {
    expect(evictionSchema.safeParse(value).success).toBe(false);
  });
});

describe('admissionReviewSchema', () => {
  it('keeps what it names and leaves the object unread', () => {
    const review = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: {
        uid: 'u-1',
        kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
        resource: { group: '', version: 'v1', resource: 'pods' },
        subResource: 'eviction',
        requestKind: { group: 'policy', version: 'v1beta1', kind: 'Eviction' },
        requestResource: { group: '', version: 'v1', resource: 'pods' },
        requestSubResource: 'eviction',
        name: 'p',
        namespace: 'shop',
        operation: 'CREATE',
        userInfo: { username: 'kate', uid: '7', groups: ['ops'] },
        dryRun: true,
        object: { anything: [1, 'x'] },
      },
    };
    expect(admissionReviewSchema.parse({ ...review, response: {} })).toEqual(review);
    expect(admissionReviewSchema.parse({ request: {} })).toEqual({ request: {} });
  });

  it.each([
    ['a list', []],
    ['a request that is a list', { request: [] }],
    ['a uid that is a number', { request: { uid: 7 } }],
    ['a dry run that is a text', { request: { dryRun: 'true' } }],
  ])('refuses %s', (_name, value) => {
    expect(admissionReviewSchema.safeParse(value).success).toBe(false);
  });
});
