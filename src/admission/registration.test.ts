import { describe, expect, it } from 'vitest';
import { GUARD_WEBHOOK } from '../decide/guard/guard.ts';
import { objectAt, objectsAt } from '../kubevirt/json.ts';
import { configurationNames, configurationsOf } from './registration.ts';

const address = { service: { namespace: 'drover-system', name: 'drover', port: 443 } };

describe('the configurations', () => {
  it("in KubeVirt's place have KubeVirt's webhooks", () => {
    const [validating, mutating] = configurationsOf({ mode: 'kubevirt', address });
    expect(validating).toMatchObject({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'drover-webhook' },
      webhooks: [
        {
          name: 'virt-launcher-eviction-interceptor.kubevirt.io',
          failurePolicy: 'Fail',
          sideEffects: 'NoneOnDryRun',
          clientConfig: { service: { ...address.service, path: '/pod-eviction-validate' } },
        },
        { name: 'hotplug-pod-eviction-interceptor.kubevirt.io' },
      ],
    });
    expect(mutating).toMatchObject({
      kind: 'MutatingWebhookConfiguration',
      webhooks: [
        {
          name: 'virtualmachineinstances-mutator.kubevirt.io',
          rules: [{ operations: ['CREATE'], resources: ['virtualmachineinstances'] }],
          clientConfig: { service: { path: '/virtualmachineinstances-mutate' } },
        },
      ],
    });
  });

  it('of the guard only change, which comes before all validation, and come before those of virt-api', () => {
    const configurations = configurationsOf({ mode: 'guard', address });
    expect(configurations.map(({ kind }) => kind)).toEqual(['MutatingWebhookConfiguration']);
    const [guard] = configurations;
    expect(String(objectAt(guard ?? {}, 'metadata').name) < 'virt-api-mutator').toBe(true);
    expect(guard).toMatchObject({
      webhooks: [
        {
          name: GUARD_WEBHOOK,
          failurePolicy: 'Fail',
          rules: [{ resources: ['pods/eviction'] }],
          matchConditions: [{ expression: 'object.metadata.name.startsWith("virt-launcher")' }],
        },
        { name: 'default-eviction-strategy.drover.dev', failurePolicy: 'Ignore' },
      ],
    });
  });

  it('can lead to a URL, trust authorities and carry annotations', () => {
    const [configuration = {}] = configurationsOf({
      mode: 'guard',
      address: { url: 'https://10.0.0.1:9443' },
      caBundle: 'PEM',
      annotations: { a: 'b' },
    });
    expect(objectAt(configuration, 'metadata').annotations).toEqual({ a: 'b' });
    expect(objectsAt(configuration, 'webhooks').map(({ clientConfig }) => clientConfig)).toEqual([
      { url: 'https://10.0.0.1:9443/guard-pod-eviction', caBundle: 'UEVN' },
      { url: 'https://10.0.0.1:9443/default-eviction-strategy', caBundle: 'UEVN' },
    ]);
  });

  it('are named as they are written', () => {
    for (const mode of ['kubevirt', 'guard'] as const) {
      const written = configurationsOf({ mode, address }).map(({ kind, metadata }) => ({
        kind,
        name: (metadata as { name: string }).name,
      }));
      expect(configurationNames(mode)).toEqual(written);
    }
  });
});
