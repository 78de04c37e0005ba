/** How virt-api registers its admission of new and changed objects. */
import { VALIDATING_CONFIGURATION_NAME } from '../../decide/eviction/registration.ts';
import { KUBEVIRT_ACCOUNT, type KubeVirtAccount, userOf } from '../../kubevirt/requester.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1';

const [VMS, VMIS, MIGRATIONS] = [
  'virtualmachines',
  'virtualmachineinstances',
  'virtualmachineinstancemigrations',
];

const DEFAULTS: Hook = {
  name: 'defaults.kubevirt.io',
  resources: [VMS, VMIS, MIGRATIONS],
  operations: ['CREATE'],
};
const VMI_MUTATION: Hook = {
  name: 'virtualmachineinstances-mutator.kubevirt.io',
  resources: [VMIS],
  operations: ['UPDATE'],
};
const VALIDATORS: readonly Hook[] = [
  { name: 'virtualmachine-validator.kubevirt.io', resources: [VMS], operations: ['CREATE', 'UPDATE'] },
  { name: 'virtualmachineinstances-create-validator.kubevirt.io', resources: [VMIS], operations: ['CREATE'] },
  { name: 'migration-create-validator.kubevirt.io', resources: [MIGRATIONS], operations: ['CREATE'] },
  { name: 'migration-update-validator.kubevirt.io', resources: [MIGRATIONS], operations: ['UPDATE'] },
];
const VMI_UPDATE: Hook = {
  name: 'virtualmachineinstances-update-validator.kubevirt.io',
  resources: [VMIS],
  operations: ['UPDATE'],
};

/** Accounts whose changes of VMIs are let through, and those whose changes are not noted: virt-handler's too. */
const TRUSTED: readonly KubeVirtAccount[] = Object.values(KUBEVIRT_ACCOUNT).filter(
  (account) => account !== KUBEVIRT_ACCOUNT.handler,
);
const ALL: readonly KubeVirtAccount[] = [...TRUSTED, KUBEVIRT_ACCOUNT.handler];

type ClientConfig = (path: string) => object;

/** The registrations, each with the path of its kind. `clientConfig` says how a webhook is reached, `namespace` where KubeVirt is. */
export function registrationsOf(clientConfig: ClientConfig, namespace: string) {
  const mutators = [DEFAULTS, { ...VMI_MUTATION, matchConditions: [askedByOthers(ALL, namespace)] }];
  const validators = [...VALIDATORS, { ...VMI_UPDATE, matchConditions: [askedByOthers(TRUSTED, namespace)] }];
  return [
    [
      `${CONFIGURATIONS}/mutatingwebhookconfigurations`,
      {
        ...configuration('MutatingWebhookConfiguration', 'virt-api-mutator'),
        webhooks: mutators.map((hook) => webhook(hook, clientConfig('mutate'))),
      },
    ],
    [
      `${CONFIGURATIONS}/validatingwebhookconfigurations`,
      {
        ...configuration('ValidatingWebhookConfiguration', VALIDATING_CONFIGURATION_NAME),
        webhooks: validators.map((hook) => webhook(hook, clientConfig('validate'))),
      },
    ],
  ] as const;
}

interface Hook {
  readonly name: string;
  readonly resources: readonly string[];
  readonly operations: readonly string[];
  readonly matchConditions?: readonly object[];
}

function webhook({ name, resources, operations, matchConditions = [] }: Hook, clientConfig: object): object {
  return {
    name,
    clientConfig,
    rules: [{ apiGroups: ['kubevirt.io'], apiVersions: ['*'], resources, operations }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 10,
    matchConditions,
  };
}

function configuration(kind: string, name: string) {
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name } };
}

/** The webhook's answer to these accounts is known, and most writes are theirs. */
function askedByOthers(accounts: readonly KubeVirtAccount[], namespace: string): object {
  const users = accounts.map((account) => `'${userOf(account, namespace)}'`);
  return { name: 'others', expression: `!(request.userInfo.username in [${users.join(', ')}])` };
}
