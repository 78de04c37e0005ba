/** Where the Leases of a namespace are. */
export function collectionOf(namespace: string): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
}
