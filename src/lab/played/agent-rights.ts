import type { JsonObject } from '../../kubevirt/json.ts';
import { KUBEVIRT_ACCOUNT, NODE_NAME_EXTRA } from '../../kubevirt/requester.ts';

/** Who node agents are: an account of their own, which may write VMIs in the name of virt-handler. */
export const AGENTS_NAMESPACE = 'drover-system';
export const AGENTS_ACCOUNT = 'drover-lab-agents';
const RBAC = 'rbac.authorization.k8s.io';

/**
 * What `drover lab agents` needs and no more, as `kubectl apply` takes it. The right of virt-handler's account to write VMIs is
 * KubeVirt's own where it is installed; here it stands for clusters where it is not.
 */
export function agentRights(kubevirtNamespace: string): JsonObject[] {
  const account = { kind: 'ServiceAccount', name: AGENTS_ACCOUNT, namespace: AGENTS_NAMESPACE };
  const handler = { kind: 'ServiceAccount', name: KUBEVIRT_ACCOUNT.handler, namespace: kubevirtNamespace };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: AGENTS_NAMESPACE } },
    { apiVersion: 'v1', kind: account.kind, metadata: { name: account.name, namespace: account.namespace } },
    ...granted('ClusterRole', { name: AGENTS_ACCOUNT }, account, [
      rule('kubevirt.io', ['kubevirts', 'virtualmachineinstances'], ['list', 'watch']),
      rule('', ['nodes'], ['list', 'watch', 'get', 'create', 'update']),
      rule('', ['pods'], ['list', 'watch', 'get', 'delete']),
      rule('', ['pods/status'], ['update']),
      rule('', ['events'], ['create', 'patch']),
      rule('authentication.k8s.io', [`userextras/${NODE_NAME_EXTRA}`], ['impersonate']),
    ]),
    ...granted('Role', { name: AGENTS_ACCOUNT, namespace: kubevirtNamespace }, account, [
      { ...rule('', ['serviceaccounts'], ['impersonate']), resourceNames: [KUBEVIRT_ACCOUNT.handler] },
    ]),
    ...granted('Role', { name: AGENTS_ACCOUNT, namespace: 'kube-node-lease' }, account, [
      rule('coordination.k8s.io', ['leases'], ['create', 'patch']),
    ]),
    ...granted('ClusterRole', { name: `${AGENTS_ACCOUNT}-virt-handler` }, handler, [
      rule('kubevirt.io', ['virtualmachineinstances'], ['get', 'update']),
    ]),
  ];
}

function rule(group: string, resources: readonly string[], verbs: readonly string[]): JsonObject {
  return { apiGroups: [group], resources, verbs };
}

function granted(
  kind: 'ClusterRole' | 'Role',
  metadata: { readonly name: string; readonly namespace?: string },
  subject: JsonObject,
  rules: readonly JsonObject[],
): JsonObject[] {
  const apiVersion = `${RBAC}/v1`;
  const roleRef = { apiGroup: RBAC, kind, name: metadata.name };
  return [
    { apiVersion, kind, metadata, rules },
    { apiVersion, kind: `${kind}Binding`, metadata, roleRef, subjects: [subject] },
  ];
}
