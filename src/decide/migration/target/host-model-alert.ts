/** Why the target of a guest with the host's CPU model fits nowhere. node-agent §2 of the spec. */
import { MIGRATION_EVENT, NODE_LABEL_PREFIX } from '../../../kubevirt/names.ts';
import type { Node, Pod, Vmi } from '../../../kubevirt/objects.ts';
import { compareText } from '../../../kubevirt/order.ts';
import { type EventDraft, eventOnVmi } from '../../events.ts';

const BINDING = [NODE_LABEL_PREFIX.cpuModelMigration, NODE_LABEL_PREFIX.cpuFeature];

/**
 * The event on the VMI where no other node has the CPU that an unschedulable target pod asks for; undefined: some node has,
 * or the guest does not depend on its host's model (kubevirt v1.9.0 pkg/virt-controller/watch/migration/migration.go,
 * alertIfHostModelIsUnschedulable).
 */
export function hostModelAlert(vmi: Vmi, targetPod: Pod, nodes: Iterable<Node>): EventDraft | undefined {
  if (vmi.spec?.domain?.cpu?.model !== 'host-model') return undefined;
  const wanted = Object.entries(targetPod.spec?.nodeSelector ?? {}).filter(([key]) =>
    BINDING.some((prefix) => key.startsWith(prefix)),
  );
  for (const { metadata } of nodes) {
    const isOther = metadata.name !== vmi.status?.nodeName;
    if (isOther && wanted.every(([key, value]) => metadata.labels?.[key] === value)) return undefined;
  }
  const message = `Migration cannot proceed since no node is suitable to run the required CPU model / required features: ${asMap(wanted)}`;
  return eventOnVmi(vmi, 'Warning', MIGRATION_EVENT.noNodeForHostModel, message);
}

/** As Go prints a map. */
function asMap(entries: readonly (readonly [string, string])[]): string {
  const pairs = [...entries].sort(([a], [b]) => compareText(a, b)).map(([key, value]) => `${key}:${value}`);
  return `map[${pairs.join(' ')}]`;
}
