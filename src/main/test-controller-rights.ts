import type { Lab } from '../lab/lab.ts';
import { put } from './test-webhook.ts';

/** What a controller needs to be allowed, and no more, for an account in the namespace `default`. */
export async function grantController(lab: Lab, name: string): Promise<string> {
  const rule = (
    group: string,
    resources: string,
    verbs: string,
    resourceNames?: readonly string[],
  ): object => ({
    ...{ apiGroups: [group], resources: resources.split(','), verbs: verbs.split(',') },
    ...(resourceNames && { resourceNames }),
  });
  const read = 'list,watch';
  const rules = [
    rule('kubevirt.io', 'kubevirts,virtualmachineinstances', read),
    rule('kubevirt.io', 'virtualmachineinstancemigrations', `${read},create,delete`),
    rule('kubevirt.io', 'kubevirts/status', 'patch'),
    rule('', 'namespaces,nodes,persistentvolumes,persistentvolumeclaims,pods,resourcequotas', read),
    rule('', 'pods/eviction', 'create'),
    rule('', 'events', 'create,patch'),
    rule('apps', 'deployments', read, ['virt-controller']),
  ];
  const localRules = [
    rule('coordination.k8s.io', 'leases', 'create'),
    rule('coordination.k8s.io', 'leases', 'get,patch', ['drover-controller']),
    rule('', 'configmaps', 'get', ['drover-strategy']),
  ];
  const api = '/apis/rbac.authorization.k8s.io/v1';
  const local = `${api}/namespaces/default`;
  const common = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name } };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: 'default' }];
  const roleRef = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
  await put(lab, `${api}/clusterroles`, { ...common, kind: 'ClusterRole', rules });
  await put(lab, `${local}/roles`, { ...common, kind: 'Role', rules: localRules });
  const binding = (kind: string, role: string) => ({ ...common, kind, subjects, roleRef: roleRef(role) });
  await put(lab, `${api}/clusterrolebindings`, binding('ClusterRoleBinding', 'ClusterRole'));
  await put(lab, `${local}/rolebindings`, binding('RoleBinding', 'Role'));
  return lab.kubeconfigForAccount(`default/${name}`);
}

/** Requests of an account that the API server refused it. */
export const forbidden = (lab: Lab, account: string): string[] =>
  lab.audit().flatMap(({ user, responseStatus, verb, requestURI }) => {
    const isIt = (user as { username: string }).username.endsWith(`:${account}`);
    const { code } = (responseStatus as { code?: number } | undefined) ?? {};
    return isIt && code === 403 ? [`${verb} ${requestURI}`] : [];
  });
