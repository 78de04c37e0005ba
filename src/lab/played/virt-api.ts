import { json } from 'node:stream/consumers';
import type { Cluster } from '../../controllers/ports.ts';
import type { Behavior } from '../../decide/rules.ts';
import { LABEL } from '../../kubevirt/names.ts';
import { KUBEVIRT_ACCOUNT, type KubeVirtAccount, requesterOf, userOf } from '../../kubevirt/requester.ts';
import type { AdmissionLookup } from '../../simulation/admission/admit-creation.ts';
import type { Lab } from '../lab.ts';
import { defaultsFor, type ReviewRequest, verdictOn } from './admission-review.ts';
import { openDoor } from './https-door.ts';

export interface VirtApiOptions {
  readonly behavior: Behavior;
  /** Where KubeVirt has its accounts: they alone set priorities of migrations, and write the spec and the status of VMIs. */
  readonly namespace: string;
}

/** virt-api's admission of new and changed objects, in front of a real API server; evictions are `drover webhook`'s. */
export interface VirtApi {
  /** Takes its registration back, and ends. */
  stop(): Promise<void>;
}

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1';
const KINDS = {
  virtualmachines: { name: 'virtualmachine-validator.kubevirt.io', operations: ['CREATE', 'UPDATE'] },
  virtualmachineinstances: {
    name: 'virtualmachineinstances-create-validator.kubevirt.io',
    operations: ['CREATE'],
  },
  virtualmachineinstancemigrations: {
    name: 'migration-create-validator.kubevirt.io',
    operations: ['CREATE'],
  },
};
const MIGRATION_UPDATE = {
  resource: 'virtualmachineinstancemigrations',
  name: 'migration-update-validator.kubevirt.io',
  operations: ['UPDATE'],
};
const VMIS = 'virtualmachineinstances';
const VMI_UPDATE = {
  resource: VMIS,
  name: 'virtualmachineinstances-update-validator.kubevirt.io',
  operations: ['UPDATE'],
};

/** Serves the admission on any free port, and registers it. */
export async function startVirtApi(lab: Lab, cluster: Cluster, options: VirtApiOptions): Promise<VirtApi> {
  const door = await openDoor(lab, async (incoming, response) => {
    const { request } = (await json(incoming)) as { request: ReviewRequest };
    const answer = incoming.url?.startsWith('/mutate') ? defaultsFor : verdictOn;
    const body = answer(request, lookupFor(cluster, request, options));
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: body }),
    );
  });
  const url = `https://127.0.0.1:${door.port}`;
  const registered = registrationsAt(url, Buffer.from(lab.authority).toString('base64'), options.namespace);
  for (const [path, body] of registered) await must(lab, 'POST', path, body);
  return {
    async stop() {
      for (const [path, { metadata }] of registered) {
        await lab.admin.call({ method: 'DELETE', path: `${path}/${metadata.name}` });
      }
      await door.close();
    },
  };
}

function registrationsAt(url: string, caBundle: string, namespace: string) {
  const webhook = (
    path: string,
    name: string,
    resources: readonly string[],
    operations: readonly string[],
    matchConditions: readonly object[] = [],
  ) => ({
    name,
    clientConfig: { url: `${url}/${path}`, caBundle },
    rules: [{ apiGroups: ['kubevirt.io'], apiVersions: ['*'], resources, operations }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 10,
    matchConditions,
  });
  const resources = Object.keys(KINDS);
  const validators = [
    ...Object.entries(KINDS).map(([resource, facts]) => ({ resource, ...facts })),
    MIGRATION_UPDATE,
  ];
  const configuration = (kind: string, name: string, webhooks: readonly object[]) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    webhooks,
  });
  const { handler, ...trusted } = KUBEVIRT_ACCOUNT;
  const mutators = [
    webhook('mutate', 'defaults.kubevirt.io', resources, ['CREATE']),
    webhook(
      'mutate',
      'virtualmachineinstances-mutator.kubevirt.io',
      [VMIS],
      ['UPDATE'],
      [askedByOthers([handler, ...Object.values(trusted)], namespace)],
    ),
  ];
  return [
    [
      `${CONFIGURATIONS}/mutatingwebhookconfigurations`,
      configuration('MutatingWebhookConfiguration', 'virt-api-mutator', mutators),
    ],
    [
      `${CONFIGURATIONS}/validatingwebhookconfigurations`,
      configuration('ValidatingWebhookConfiguration', 'virt-api-validator', [
        ...validators.map(({ resource, name, operations }) =>
          webhook('validate', name, [resource], operations),
        ),
        webhook('validate', VMI_UPDATE.name, [VMIS], VMI_UPDATE.operations, [
          askedByOthers(Object.values(trusted), namespace),
        ]),
      ]),
    ],
  ] as const;
}

/** The webhook's answer to these accounts is known, and most writes are theirs. */
function askedByOthers(accounts: readonly KubeVirtAccount[], namespace: string): object {
  const users = accounts.map((account) => `'${userOf(account, namespace)}'`);
  return { name: 'others', expression: `!(request.userInfo.username in [${users.join(', ')}])` };
}

async function must(lab: Lab, method: 'POST', path: string, body: object): Promise<void> {
  const answer = await lab.admin.call({ method, path, body });
  if (!answer.ok) throw new Error(`${path}: ${answer.message}`);
}

/** virt-api looks at its caches too, which may be behind. */
function lookupFor(
  { fleet }: Cluster,
  { userInfo }: ReviewRequest,
  { behavior, namespace }: VirtApiOptions,
): AdmissionLookup {
  return {
    behavior,
    now: Date.now(),
    requester: requesterOf(userInfo?.username, userInfo?.extra, namespace),
    kubevirt: () => fleet.kubevirt(),
    vmi: (namespace, name) => fleet.get('VirtualMachineInstance', `${namespace}/${name}`),
    migrationsLabelled: (namespace, name) =>
      [...fleet.all('VirtualMachineInstanceMigration')].filter(
        ({ metadata }) => metadata.namespace === namespace && metadata.labels?.[LABEL.vmiName] === name,
      ),
  };
}
