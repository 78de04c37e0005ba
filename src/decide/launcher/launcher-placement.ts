/** Where a fresh launcher may run. kubevirt v1.9.0 pkg/virt-controller/services/nodeselectorrenderer.go */
import { LABEL, NODE_LABEL_PREFIX as PREFIX } from '../../kubevirt/names.ts';
import type { NodeSelectorTerm, Pod, Vmi } from '../../kubevirt/objects.ts';

const HOST_MODELS: ReadonlySet<string | undefined> = new Set([undefined, '', 'host-model']);
const BY_THE_HOST: ReadonlySet<string | undefined> = new Set([...HOST_MODELS, 'host-passthrough']);

const NO_OBSOLETE_MODEL = { key: 'node-labeller.kubevirt.io/obsolete-host-model', operator: 'DoesNotExist' };

/** `clusterSelectors`: those that the cluster puts on every launcher; the VMI's own win over them. */
export function launcherNodeSelector(
  vmi: Vmi,
  clusterSelectors: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { architecture = 'amd64', domain, nodeSelector } = vmi.spec ?? {};
  const { model, features = [], dedicatedCpuPlacement } = domain?.cpu ?? {};
  const machine = domain?.machine?.type;
  const required = features.filter(({ policy }) => (policy || 'require') === 'require');
  return {
    ...clusterSelectors,
    ...nodeSelector,
    ...(!BY_THE_HOST.has(model) && { [`${PREFIX.cpuModel}${model}`]: 'true' }),
    ...Object.fromEntries(required.map(({ name }) => [PREFIX.cpuFeature + name, 'true'])),
    ...(dedicatedCpuPlacement && { [LABEL.cpuManager]: 'true' }),
    ...securitySelector(vmi),
    ...(machine && { [PREFIX.machineType + machine]: 'true' }),
    [LABEL.arch]: architecture,
    [LABEL.schedulable]: 'true',
  };
}

function securitySelector(vmi: Vmi): Record<string, string> {
  const { sev, snp, tdx } = vmi.spec?.domain?.launchSecurity ?? {};
  return {
    ...(sev && { 'kubevirt.io/sev': 'true' }),
    ...(snp && { 'kubevirt.io/sev-snp': 'true' }),
    ...(tdx && { 'kubevirt.io/tdx': 'true' }),
  };
}

type Affinity = NonNullable<Pod['spec']>['affinity'];

/** A guest with the CPU of its host keeps off nodes whose model is not known for sure. */
export function launcherAffinity(vmi: Vmi): Affinity {
  const affinity = vmi.spec?.affinity;
  if (!HOST_MODELS.has(vmi.spec?.domain?.cpu?.model)) return affinity;
  const nodeAffinity = affinity?.nodeAffinity;
  const terms = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const nodeSelectorTerms = (terms.length > 0 ? terms : [{}]).map(withoutObsoleteModel);
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  return { ...affinity, nodeAffinity: { ...nodeAffinity, ...required } };
}

function withoutObsoleteModel(term: NodeSelectorTerm): NodeSelectorTerm {
  return { ...term, matchExpressions: [...(term.matchExpressions ?? []), NO_OBSOLETE_MODEL] };
}
