/**
 * A launcher as it would be rendered for a VMI today, worked out from the one that it runs in: what VMs, clusters and
 * webhooks put into launchers is in there already, and only what has changed since is put in its place.
 * evacuation-and-migration §5 of the spec; kubevirt v1.9.0 pkg/virt-controller/services/template.go.
 */
import { ANNOTATION, APP, LABEL } from '../../kubevirt/names.ts';
import type { Labels } from '../../kubevirt/node-selector.ts';
import type { Container, NodeSelectorTerm, Pod, Vmi } from '../../kubevirt/objects.ts';
import { templateSelectors } from '../placement/launcher-selectors.ts';
import type { Behavior } from '../rules.ts';
import { type Growth, grown, growthOf } from './growth.ts';

export interface LauncherTemplateInput {
  readonly vmi: Vmi;
  /** The launcher that the VMI is in. */
  readonly pod: Pod;
  /** What launchers are started from now; undefined: from what this one was. */
  readonly launcherImage: string | undefined;
  /** `developerConfiguration.nodeSelectors`. */
  readonly enforcedNodeSelector: Labels | undefined;
  readonly behavior: Behavior;
}

type PodSpec = NonNullable<Pod['spec']>;
type Affinity = NonNullable<PodSpec['affinity']>;

/**
 * The template.
 *
 * Promise: without name, UID, node and status; labels are the VMI's and those by which launchers are found; what an
 * earlier migration put into the pod is not in it. Neither object is changed.
 */
export function launcherTemplate(input: LauncherTemplateInput): Pod {
  const { vmi, pod } = input;
  const { name, namespace } = vmi.metadata;
  const growth = growthOf(vmi);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: '',
      generateName: `virt-launcher-${name}-`,
      namespace,
      labels: { ...vmi.metadata.labels, ...launcherLabels(pod, vmi) },
      annotations: annotationsOf(pod, vmi, growth),
      ownerReferences: pod.metadata.ownerReferences?.filter(({ controller }) => controller),
    },
    spec: specOf(input, growth),
  };
}

function launcherLabels({ metadata }: Pod, vmi: Vmi): Record<string, string> {
  const kept = [LABEL.vmName, LABEL.vmiId].flatMap((key) => {
    const value = metadata.labels?.[key];
    return value === undefined ? [] : [[key, value]];
  });
  return {
    ...Object.fromEntries(kept),
    [LABEL.app]: APP.launcher,
    [LABEL.createdBy]: vmi.metadata.uid ?? '',
  };
}

/** On the pod or the VMI for reasons of their own. */
const NOT_RENDERED: ReadonlySet<string> = new Set([
  ANNOTATION.migrationJobName,
  ANNOTATION.migrationTargetReady,
  ANNOTATION.evictionInProgress,
  ANNOTATION.latestApiVersion,
  ANNOTATION.storageApiVersion,
  ANNOTATION.lastApplied,
]);

function annotationsOf({ metadata }: Pod, vmi: Vmi, growth: Growth): Record<string, string> {
  const all = { ...metadata.annotations, ...vmi.metadata.annotations };
  const kept = Object.entries(all).filter(([name]) => !NOT_RENDERED.has(name));
  const overhead = metadata.annotations?.[ANNOTATION.memoryOverheadBytes];
  return {
    ...Object.fromEntries(kept),
    ...(overhead !== undefined && {
      [ANNOTATION.memoryOverheadBytes]: String(Number(overhead) + growth.overheadBytes),
    }),
  };
}

function specOf(input: LauncherTemplateInput, growth: Growth): PodSpec {
  const { vmi, pod, launcherImage } = input;
  const { nodeName: _, securityContext: { seLinuxOptions: __, ...security } = {}, ...spec } = pod.spec ?? {};
  const image = spec.containers?.find(({ name }) => name === COMPUTE)?.image;
  const renewed = (container: Container): Container =>
    launcherImage !== undefined && container.image !== undefined && container.image === image
      ? { ...container, image: launcherImage }
      : container;
  return {
    ...spec,
    ...(pod.spec?.securityContext && { securityContext: security }),
    nodeSelector: Object.fromEntries(templateSelectors(input, pod).map(({ key, value }) => [key, value])),
    affinity: affinityOf(vmi, pod),
    tolerations: tolerationsOf(vmi, pod),
    containers: spec.containers?.map((container) =>
      container.name === COMPUTE ? grown(renewed(container), vmi, growth) : renewed(container),
    ),
    initContainers: spec.initContainers?.map(renewed),
  };
}

/** The container with the guest. */
const COMPUTE = 'compute';

/** The VMI's own, and the requirements that KubeVirt adds to each of its terms. */
function affinityOf(vmi: Vmi, pod: Pod): Affinity | undefined {
  const own = vmi.spec?.affinity;
  const added = kubevirtRequirements(pod);
  if (added.length === 0) return own;
  const terms = own?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
  return {
    ...own,
    nodeAffinity: {
      ...own?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map(({ matchExpressions = [], ...term }) => ({
          ...term,
          matchExpressions: [...matchExpressions, ...added],
        })),
      },
    },
  };
}

function kubevirtRequirements({ spec }: Pod): NonNullable<NodeSelectorTerm['matchExpressions']> {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const [first] = required?.nodeSelectorTerms ?? [];
  return (first?.matchExpressions ?? []).filter(({ key }) => key.includes('kubevirt.io/'));
}

/** The VMI's, which may have changed since, and what Kubernetes adds to every pod. */
function tolerationsOf(vmi: Vmi, { spec }: Pod): PodSpec['tolerations'] {
  const added = (spec?.tolerations ?? []).filter(({ key }) => key?.startsWith('node.kubernetes.io/'));
  const own = vmi.spec?.tolerations ?? [];
  const missing = added.filter(({ key, effect }) => !own.some((o) => o.key === key && o.effect === effect));
  return own.length + missing.length === 0 ? undefined : [...own, ...missing];
}
