import { EVICTION_WEBHOOK_PATH, EVICTION_WEBHOOKS } from '../decide/eviction/registration.ts';
import { GUARD_WEBHOOK } from '../decide/guard/guard.ts';
import type { JsonObject } from '../kubevirt/json.ts';
import { GUARD_PATH } from './guard.ts';
import { DEFAULT_STRATEGY_PATH, VMI_MUTATOR_PATH } from './strategy-stamp.ts';

/** `kubevirt`: in place of KubeVirt's own webhooks. `guard`: beside them. */
export type WebhookMode = 'kubevirt' | 'guard';

/** Where the API server finds the webhooks: a service of the cluster, or a URL. */
export type WebhookAddress =
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
  | { readonly url: string };

export interface RegistrationOptions {
  readonly mode: WebhookMode;
  readonly address: WebhookAddress;
  /** PEM of the authorities that the API server is to trust; left out where something else puts it there. */
  readonly caBundle?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/**
 * Mutating configurations run in the order of their names, and the guard's default strategies hold only if its own comes
 * before KubeVirt's `virt-api-mutator`.
 */
const CONFIGURATION_NAME: Readonly<Record<WebhookMode, string>> = {
  kubevirt: 'drover-webhook',
  guard: 'drover-guard',
};

interface Registration {
  readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration';
  readonly webhooks: readonly { readonly path: string; readonly webhook: JsonObject }[];
}

const NEW_VMIS = [
  {
    operations: ['CREATE'],
    apiGroups: ['kubevirt.io'],
    apiVersions: ['v1', 'v1alpha3'],
    resources: ['virtualmachineinstances'],
  },
];

const REGISTRATIONS: Readonly<Record<WebhookMode, readonly Registration[]>> = {
  kubevirt: [
    {
      kind: 'ValidatingWebhookConfiguration',
      webhooks: EVICTION_WEBHOOKS.map((webhook) => ({
        path: EVICTION_WEBHOOK_PATH,
        webhook: { ...webhook },
      })),
    },
    {
      kind: 'MutatingWebhookConfiguration',
      webhooks: [
        {
          path: VMI_MUTATOR_PATH,
          webhook: {
            name: 'virtualmachineinstances-mutator.kubevirt.io',
            admissionReviewVersions: ['v1'],
            rules: NEW_VMIS,
            failurePolicy: 'Fail',
            timeoutSeconds: 10,
            sideEffects: 'None',
          },
        },
      ],
    },
  ],
  guard: [
    {
      kind: 'MutatingWebhookConfiguration',
      webhooks: [
        {
          // Mutating, though it changes nothing: these run before all validating ones, so KubeVirt's own has not marked the
          // VMI yet when this one refuses.
          path: GUARD_PATH,
          webhook: {
            name: GUARD_WEBHOOK,
            admissionReviewVersions: ['v1'],
            rules: [
              { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/eviction'] },
            ],
            matchConditions: [
              { name: 'only-vms', expression: 'object.metadata.name.startsWith("virt-launcher")' },
            ],
            failurePolicy: 'Fail',
            timeoutSeconds: 10,
            sideEffects: 'None',
          },
        },
        {
          path: DEFAULT_STRATEGY_PATH,
          webhook: {
            name: 'default-eviction-strategy.drover.dev',
            admissionReviewVersions: ['v1'],
            rules: NEW_VMIS,
            // A VM that cannot start is worse than one with the strategy of the cluster.
            failurePolicy: 'Ignore',
            timeoutSeconds: 5,
            sideEffects: 'None',
          },
        },
      ],
    },
  ],
};

/** Kinds and names of the configurations of a mode. */
export function configurationNames(
  mode: WebhookMode,
): readonly { readonly kind: Registration['kind']; readonly name: string }[] {
  return REGISTRATIONS[mode].map(({ kind }) => ({ kind, name: CONFIGURATION_NAME[mode] }));
}

/** The webhook configurations of a mode, as `kubectl apply` takes them. */
export function configurationsOf(options: RegistrationOptions): readonly JsonObject[] {
  const name = CONFIGURATION_NAME[options.mode];
  const { annotations } = options;
  return REGISTRATIONS[options.mode].map(({ kind, webhooks }) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: {
      name,
      labels: { 'app.kubernetes.io/name': 'drover', 'app.kubernetes.io/component': name },
      ...(annotations ? { annotations } : {}),
    },
    webhooks: webhooks.map(({ path, webhook }) => ({
      ...webhook,
      clientConfig: clientConfig(options, path),
    })),
  }));
}

function clientConfig({ address, caBundle }: RegistrationOptions, path: string): JsonObject {
  const where =
    'url' in address ? { url: `${address.url}${path}` } : { service: { ...address.service, path } };
  return caBundle === undefined ? where : { ...where, caBundle: Buffer.from(caBundle).toString('base64') };
}
