import type { CallFailure } from '../../kubernetes/answer.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';
import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';

/** A webhook configuration of the cluster. */
export interface ConfigurationName {
  readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration';
  readonly name: string;
}

/**
 * Makes the API server trust the authorities in all webhooks of a configuration. Gives what kept it from that; a
 * configuration that trusts them already is not written.
 */
export async function injectAuthorities(
  api: ApiClient,
  { kind, name }: ConfigurationName,
  bundle: string,
): Promise<CallFailure | undefined> {
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s/${name}`;
  const found = await api.call({ method: 'GET', path, verb: 'get' });
  if (!found.ok) return found;
  const operations = injection(found.object, Buffer.from(bundle).toString('base64'));
  if (operations.length === 0) return undefined;
  const patched = await api.call({
    method: 'PATCH',
    path,
    body: operations,
    contentType: 'application/json-patch+json',
    verb: 'patch',
  });
  return patched.ok ? undefined : patched;
}

/** Each webhook is tested to be the one that was read, since somebody may have changed their order meanwhile. */
function injection(configuration: JsonObject, caBundle: string): object[] {
  return objectsAt(configuration, 'webhooks').flatMap((webhook, i) => {
    if (objectAt(webhook, 'clientConfig').caBundle === caBundle) return [];
    return [
      { op: 'test', path: `/webhooks/${i}/name`, value: webhook.name },
      { op: 'add', path: `/webhooks/${i}/clientConfig/caBundle`, value: caBundle },
    ];
  });
}
