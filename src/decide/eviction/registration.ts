/**
 * How KubeVirt registers its two eviction webhooks, as the API server wants it (`webhooks` of a
 * ValidatingWebhookConfiguration, less `clientConfig`). Eviction-webhook §1 of the spec.
 */

/** As clients see them in a refusal. */
export const EVICTION_WEBHOOK = {
  launcher: 'virt-launcher-eviction-interceptor.kubevirt.io',
  hotplug: 'hotplug-pod-eviction-interceptor.kubevirt.io',
} as const;
type EvictionWebhookName = (typeof EVICTION_WEBHOOK)[keyof typeof EVICTION_WEBHOOK];

export const VALIDATING_CONFIGURATION_NAME = 'virt-api-validator';
export const EVICTION_WEBHOOK_PATH = '/pod-eviction-validate';

interface EvictionWebhook {
  readonly name: EvictionWebhookName;
  readonly admissionReviewVersions: readonly string[];
  readonly rules: readonly {
    readonly operations: readonly string[];
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    readonly resources: readonly string[];
  }[];
  readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
  readonly failurePolicy: 'Fail';
  readonly timeoutSeconds: number;
  readonly sideEffects: 'NoneOnDryRun';
}

const RULES: EvictionWebhook['rules'] = [
  { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/eviction'] },
];
const COMMON = {
  rules: RULES,
  failurePolicy: 'Fail',
  timeoutSeconds: 10,
  sideEffects: 'NoneOnDryRun',
} as const;

/** Beginnings of pod names; the API server asks a webhook about no other pods. */
const POD_NAME_PREFIX = { launcher: 'virt-launcher', hotplug: 'hp-volume-' } as const;

/** Both registrations, in KubeVirt's order. kubevirt v1.9.0 pkg/virt-operator/resource/generate/components/webhooks.go:318-400. */
export const EVICTION_WEBHOOKS: readonly EvictionWebhook[] = [
  {
    name: EVICTION_WEBHOOK.launcher,
    admissionReviewVersions: ['v1'],
    matchConditions: [nameCondition('only-vms', POD_NAME_PREFIX.launcher)],
    ...COMMON,
  },
  {
    name: EVICTION_WEBHOOK.hotplug,
    admissionReviewVersions: ['v1', 'v1beta1'],
    matchConditions: [nameCondition('only-hotplug-pods', POD_NAME_PREFIX.hotplug)],
    ...COMMON,
  },
];

function nameCondition(name: string, prefix: string): { name: string; expression: string } {
  return { name, expression: `object.metadata.name.startsWith("${prefix}")` };
}

/** The webhook that the API server asks about an eviction of this pod; `undefined` for pods that no webhook sees. */
export function evictionWebhookOf(podName: string): EvictionWebhookName | undefined {
  if (podName.startsWith(POD_NAME_PREFIX.launcher)) return EVICTION_WEBHOOK.launcher;
  return podName.startsWith(POD_NAME_PREFIX.hotplug) ? EVICTION_WEBHOOK.hotplug : undefined;
}

/** The text that a client gets when a webhook refuses: the API server's frame around the webhook's message. */
export function webhookDenied(name: string, message: string): string {
  return `admission webhook "${name}" denied the request: ${message}`;
}
