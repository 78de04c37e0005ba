import type { Certificate } from '../../kubernetes/certificates.ts';

/** How a user of the lab proves itself. */
export type LabUser = Certificate | { readonly token: string };

/** A kubeconfig with one context. JSON, which is YAML too. */
export function kubeconfigOf(
  server: string,
  authority: string,
  user: LabUser,
  namespace = 'default',
): string {
  const credentials =
    'token' in user
      ? { token: user.token }
      : {
          'client-certificate-data': base64(user.certificate),
          'client-key-data': base64(user.key),
        };
  return JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'lab', cluster: { server, 'certificate-authority-data': base64(authority) } }],
      users: [{ name: 'user', user: credentials }],
      contexts: [{ name: 'lab', context: { cluster: 'lab', user: 'user', namespace } }],
      'current-context': 'lab',
    },
    undefined,
    2,
  );
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
