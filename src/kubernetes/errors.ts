import { codedBy, type ErrorTable } from '../kubevirt/coded-error.ts';

/** What can go wrong between Drover and an API server, by code. The codes are stable; `cause` and `cure` are general, an error says more. */
export const KUBERNETES_ERRORS = {
  NoKubeconfig: {
    cause: 'There is no kubeconfig, and Drover runs in no pod of a cluster.',
    cure: 'Name one with --kubeconfig or KUBECONFIG.',
  },
  KubeconfigUnreadable: {
    cause: 'A kubeconfig cannot be read.',
    cure: 'Check --kubeconfig and KUBECONFIG: kubectl config view shows what kubectl makes of them.',
  },
  UnknownContext: {
    cause: 'The kubeconfig has no such context, or the context names a cluster or user that is not there.',
    cure: 'Choose one of those that kubectl config get-contexts lists.',
  },
  CredentialPluginFailed: {
    cause: 'The program that the kubeconfig names for credentials failed.',
    cure: 'Run a kubectl command with the same context: the program has to work there first.',
  },
  ClusterUnreachable: {
    cause: 'The API server did not answer, or not in time.',
    cure: 'Check the server in kubectl config view --minify, the network, and --request-timeout.',
  },
  CredentialsRefused: {
    cause: 'The API server does not accept the credentials.',
    cure: 'Log in again as for kubectl; kubectl auth whoami says who you are to the cluster.',
  },
} as const satisfies ErrorTable;

/** An error that a user can do something about. */
export class KubernetesError extends codedBy(KUBERNETES_ERRORS) {
  override readonly name = 'KubernetesError';
}
