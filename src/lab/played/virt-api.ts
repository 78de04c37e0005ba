import { json } from 'node:stream/consumers';
import type { Cluster } from '../../controllers/ports.ts';
import type { Behavior } from '../../decide/rules.ts';
import { LABEL } from '../../kubevirt/names.ts';
import { requesterOf } from '../../kubevirt/requester.ts';
import type { AdmissionLookup } from '../../simulation/admission/admit-creation.ts';
import type { Lab } from '../lab.ts';
import { mustCreate } from '../must-create.ts';
import { defaultsFor, type ReviewRequest, verdictOn } from './admission-review.ts';
import { openDoor } from './https-door.ts';
import { registrationsOf } from './virt-api-registration.ts';

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
  const clientConfig = (path: string) => ({
    url: `https://127.0.0.1:${door.port}/${path}`,
    caBundle: Buffer.from(lab.authority).toString('base64'),
  });
  const registered = registrationsOf(clientConfig, options.namespace);
  for (const [path, body] of registered) await mustCreate(lab.admin, path, body);
  return {
    async stop() {
      for (const [path, { metadata }] of registered) {
        await lab.admin.call({ method: 'DELETE', path: `${path}/${metadata.name}` });
      }
      await door.close();
    },
  };
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
