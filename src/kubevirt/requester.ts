/** Who asks the API server for something, as virt-api tells them apart. kubevirt v1.9.0 pkg/virt-api/webhooks/serviceaccounts.go:28-37. */

/** The accounts of KubeVirt's own components, in the namespace where it is installed. */
export const KUBEVIRT_ACCOUNT = {
  api: 'kubevirt-apiserver',
  controller: 'kubevirt-controller',
  handler: 'kubevirt-handler',
  synchronization: 'kubevirt-synchronization-controller',
} as const;

export type KubeVirtAccount = (typeof KUBEVIRT_ACCOUNT)[keyof typeof KUBEVIRT_ACCOUNT];

export interface Requester {
  /** One of KubeVirt's own accounts; undefined: anybody else, an administrator too. */
  readonly account?: KubeVirtAccount | undefined;
  /** The node of the pod that a token is bound to, or that an impersonator names. */
  readonly nodeName?: string | undefined;
}

/** The user extra that names the node. */
export const NODE_NAME_EXTRA = 'authentication.kubernetes.io/node-name';

const ACCOUNTS = Object.values(KUBEVIRT_ACCOUNT);

/** The user name of one of KubeVirt's accounts. */
export function userOf(account: KubeVirtAccount, namespace: string): string {
  return `system:serviceaccount:${namespace}:${account}`;
}

/** Who a user is to a KubeVirt that is installed in the namespace. */
export function requesterOf(
  username: string | undefined,
  extra: Readonly<Record<string, readonly string[] | undefined>> | undefined,
  namespace: string,
): Requester {
  return {
    account: ACCOUNTS.find((account) => username === userOf(account, namespace)),
    nodeName: extra?.[NODE_NAME_EXTRA]?.[0],
  };
}
