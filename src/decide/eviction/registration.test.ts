import { describe, expect, it } from 'vitest';
import {
  EVICTION_WEBHOOK,
  EVICTION_WEBHOOK_PATH,
  EVICTION_WEBHOOKS,
  evictionWebhookOf,
  VALIDATING_CONFIGURATION_NAME,
  webhookDenied,
} from './registration.ts';

describe('the registrations', () => {
  const common = {
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/eviction'] }],
    failurePolicy: 'Fail',
    timeoutSeconds: 10,
    sideEffects: 'NoneOnDryRun',
  };

  it("are KubeVirt's", () => {
    expect(EVICTION_WEBHOOKS).toEqual([
      {
        name: 'virt-launcher-eviction-interceptor.kubevirt.io',
        admissionReviewVersions: ['v1'],
        matchConditions: [
          { name: 'only-vms', expression: 'object.metadata.name.startsWith("virt-launcher")' },
        ],
        ...common,
      },
      {
        name: 'hotplug-pod-eviction-interceptor.kubevirt.io',
        admissionReviewVersions: ['v1', 'v1beta1'],
        matchConditions: [
          { name: 'only-hotplug-pods', expression: 'object.metadata.name.startsWith("hp-volume-")' },
        ],
        ...common,
      },
    ]);
    expect(VALIDATING_CONFIGURATION_NAME).toBe('virt-api-validator');
    expect(EVICTION_WEBHOOK_PATH).toBe('/pod-eviction-validate');
  });
});

describe('evictionWebhookOf', () => {
  it.each([
    ['virt-launcher-db-x1', EVICTION_WEBHOOK.launcher],
    ['virt-launcher', EVICTION_WEBHOOK.launcher],
    ['hp-volume-x1', EVICTION_WEBHOOK.hotplug],
    ['hp-volume', undefined],
    ['my-virt-launcher-db', undefined],
    ['my-hp-volume-1', undefined],
    ['web-0', undefined],
  ])('%s: %s', (pod, webhook) => {
    expect(evictionWebhookOf(pod)).toBe(webhook);
  });
});

describe('webhookDenied', () => {
  it('is the text that drain clients print', () => {
    expect(webhookDenied(EVICTION_WEBHOOK.launcher, 'Eviction request for target Pod')).toBe(
      'admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: Eviction request for target Pod',
    );
  });
});
