import {
  configurationsOf,
  type RegistrationOptions,
  type WebhookMode,
} from '../../admission/registration.ts';
import type { WebhookManifests } from '../../cli/services.ts';
import { yamlView } from '../../forecast/views/yaml.ts';
import type { JsonObject } from '../../kubevirt/json.ts';

export function modeOf({ guard }: WebhookManifests): WebhookMode {
  return guard ? 'guard' : 'kubevirt';
}

export function addressOf({ url, service }: WebhookManifests): RegistrationOptions['address'] {
  return url === undefined ? { service: { ...service, port: 443 } } : { url };
}

/** The name under which the API server calls, which the certificate must be for. */
export function hostOf({ url, service }: WebhookManifests): string {
  if (url !== undefined) return new URL(url).hostname.replace(/^\[|\]$/g, '');
  return `${service.name}.${service.namespace}.svc`;
}

/** `drover webhook --print-manifests`: the webhook configurations, and with cert-manager the certificate. */
export async function webhookManifests(request: WebhookManifests): Promise<string> {
  const { certManagerIssuer } = request;
  const { namespace, name } = request.secret;
  const annotations =
    certManagerIssuer === undefined
      ? undefined
      : { 'cert-manager.io/inject-ca-from': `${namespace}/${name}` };
  const objects = [
    ...(certManagerIssuer === undefined ? [] : [certificate(request, certManagerIssuer)]),
    ...configurationsOf({ mode: modeOf(request), address: addressOf(request), annotations }),
  ];
  return objects.map(yamlView).join('---\n');
}

/** cert-manager v1: a certificate of the issuer in the Secret, under the Secret's name. */
function certificate(request: WebhookManifests, issuer: string): JsonObject {
  const { namespace, name } = request.secret;
  const [kind, issuerName] = issuer.includes('/') ? issuer.split('/') : ['Issuer', issuer];
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { namespace, name },
    spec: { secretName: name, dnsNames: [hostOf(request)], issuerRef: { kind, name: issuerName } },
  };
}
