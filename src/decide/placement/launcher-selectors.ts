/**
 * The node selectors of a launcher pod: what KubeVirt renders for the VM, and what a migration adds to it.
 * kubevirt v1.9.0 pkg/virt-controller/services/nodeselectorrenderer.go, pkg/virt-controller/watch/migration/migration.go:938-1045.
 */
import { LABEL, NODE_LABEL_PREFIX } from '../../kubevirt/names.ts';
import type { Labels } from '../../kubevirt/node-selector.ts';
import type { Node, Pod, Vmi } from '../../kubevirt/objects.ts';
import { field, podField, refOf, vmiField } from '../evidence.ts';
import type { Behavior, Evidence } from '../rules.ts';

export interface LauncherQuestion {
  readonly vmi: Vmi;
  /** `spec.addedNodeSelector` of the migration. */
  readonly addedNodeSelector?: Labels | undefined;
  /** Selectors that every launcher gets beside those of its VM (`developerConfiguration.nodeSelectors`, a namespace's). */
  readonly enforcedNodeSelector?: Labels | undefined;
  readonly behavior: Behavior;
}

/** A selector with where it comes from. */
export interface Selector {
  readonly key: string;
  readonly value: string;
  readonly from: Evidence;
}

const PREFIX = NODE_LABEL_PREFIX;

/** The selectors of a freshly rendered launcher: today's without what a migration put there, and the VMI's own, which win. */
export function templateSelectors(question: LauncherQuestion, pod: Pod): Selector[] {
  const { vmi } = question;
  const rendered = carriedBy(pod).filter(({ key }) => isRendered(question, pod, key));
  const own = Object.entries(vmi.spec?.nodeSelector ?? {}).map(([key, value]) => {
    return { key, value, from: vmiField(vmi, `spec.nodeSelector[${key}]`, value) };
  });
  return lastOfEach([...rendered, ...own]);
}

/**
 * The selectors of a migration's target: the migration's own under those of the template, then the CPU of the node that
 * is left. `missing` names what a guest with the host's CPU model cannot be judged without.
 */
export function withMigration(
  question: LauncherQuestion,
  pod: Pod,
  source: Node | undefined,
  leaves: string | undefined,
): { readonly selectors: readonly Selector[]; readonly missing?: string | undefined } {
  const template = lastOfEach([...addedSelectors(question), ...templateSelectors(question, pod)]);
  const isHostModel = question.vmi.spec?.domain?.cpu?.model === 'host-model';
  const { selectors: hostModel, missing } = isHostModel
    ? hostModelSelectors(question, pod, source, leaves)
    : { selectors: [] };
  const selectors = lastOfEach([...template, ...hostModel]);
  return { selectors: [...selectors, ...vendorSelectors(selectors, source)], missing };
}

/** Later selectors win over earlier ones of the same key. */
function lastOfEach(selectors: readonly Selector[]): Selector[] {
  return [...new Map(selectors.map((selector) => [selector.key, selector])).values()];
}

function carriedBy(pod: Pod): Selector[] {
  return Object.entries(pod.spec?.nodeSelector ?? {}).map(([key, value]) => {
    return { key, value, from: podField(pod, `spec.nodeSelector[${key}]`, value) };
  });
}

function addedSelectors({ addedNodeSelector }: LauncherQuestion): Selector[] {
  return Object.entries(addedNodeSelector ?? {}).map(([key, value]) => {
    const path = `spec.addedNodeSelector[${key}]`;
    return { key, value, from: { object: 'VirtualMachineInstanceMigration', path, value } };
  });
}

/**
 * Whether a fresh launcher would carry a selector of today's pod again. A pod that no migration made carries nothing
 * else; on the target of an earlier one, what is neither KubeVirt's nor enforced came from that migration.
 */
function isRendered({ vmi, enforcedNodeSelector }: LauncherQuestion, pod: Pod, key: string): boolean {
  if (pod.metadata.labels?.[LABEL.migrationJobUid] === undefined) return true;
  if (key.startsWith(PREFIX.cpuModelMigration) || key.startsWith(PREFIX.cpuVendor)) return false;
  if (key.startsWith(PREFIX.cpuFeature)) return isRequiredFeature(vmi, key.slice(PREFIX.cpuFeature.length));
  if (key === LABEL.arch || key === LABEL.cpuManager || key.includes('kubevirt.io/')) return true;
  return enforcedNodeSelector?.[key] !== undefined;
}

function isRequiredFeature(vmi: Vmi, feature: string): boolean {
  const features = vmi.spec?.domain?.cpu?.features ?? [];
  return features.some(({ name, policy }) => name === feature && (policy || 'require') === 'require');
}

/**
 * What keeps a guest with the host's CPU model on nodes that have that model: the selectors that today's pod carries
 * already, else those that follow from the node that it leaves. Where that node does not tell its model, KubeVirt loses
 * its own error and goes on without them (`exact`); `intended` says that the label is missing.
 */
function hostModelSelectors(
  { behavior }: LauncherQuestion,
  pod: Pod,
  source: Node | undefined,
  leaves: string | undefined,
): { selectors: Selector[]; missing?: string } {
  const carried = carriedBy(pod).filter(
    ({ key }) => key.startsWith(PREFIX.cpuFeature) || key.startsWith(PREFIX.cpuModelMigration),
  );
  if (carried.length > 0) return { selectors: carried };
  if (!source) return { selectors: [], missing: `Node ${leaves ?? 'of the VM'}` };
  const model = relabelled(source, PREFIX.hostModelCpu, PREFIX.cpuModelMigration);
  const features = relabelled(source, PREFIX.hostModelRequiredFeature, PREFIX.cpuFeature);
  if (model.length > 0) return { selectors: [...model, ...features] };
  const missing = `label ${PREFIX.hostModelCpu}… of ${refOf(source, 'Node')}`;
  return behavior === 'exact' ? { selectors: [] } : { selectors: [], missing };
}

function relabelled(node: Node, prefix: string, to: string): Selector[] {
  return Object.entries(node.metadata.labels ?? {})
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => {
      const from = field(node, `metadata.labels[${key}]`, value, 'Node');
      return { key: to + key.slice(prefix.length), value, from };
    });
}

/** The CPU vendor of the node that is left, where nothing selects a vendor yet. */
function vendorSelectors(selectors: readonly Selector[], source: Node | undefined): Selector[] {
  const isVendor = ({ key }: Selector) => key.startsWith(PREFIX.cpuVendor);
  if (!source || selectors.some(isVendor)) return [];
  return relabelled(source, PREFIX.cpuVendor, PREFIX.cpuVendor).map((from) => ({ ...from, value: 'true' }));
}
