/** What virt-controller makes of a node whose virt-handler has gone silent. kubevirt v1.9.0 pkg/virt-controller/watch/node/node.go. */
import { ANNOTATION, LABEL } from '../kubevirt/names.ts';
import type { Node, Pod, Vmi } from '../kubevirt/objects.ts';
import { isLauncherPod, isPodFinished } from '../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../kubevirt/time.ts';
import { type EventDraft, eventOnNode, eventOnVmi } from './events.ts';

/** A heartbeat that is older than this counts as none. */
const TIMEOUT_SECONDS = 300;

const NODE_UNRESPONSIVE = 'NodeUnresponsive';

/** From when on the node counts as silent; undefined where it never had a heartbeat, which counts as well. */
export function silentFrom(node: Node): Instant | undefined {
  const beatAt = parseInstant(node.metadata.annotations?.[ANNOTATION.heartbeat]);
  return beatAt === undefined ? undefined : beatAt + TIMEOUT_SECONDS * 1000;
}

/** A node that is gone is silent. */
export function isSilent(node: Node | undefined, now: Instant): boolean {
  if (!node) return true;
  const from = silentFrom(node);
  return from !== undefined && now > from;
}

/** Whether new VMs may still come to the node. */
export function takesVms({ metadata }: Node): boolean {
  return metadata.labels?.[LABEL.schedulable] === 'true';
}

/** A node to which no new VMs come. */
export function withoutVms(node: Node): Node | undefined {
  if (!takesVms(node)) return undefined;
  const labels = { ...node.metadata.labels, [LABEL.schedulable]: 'false' };
  return { ...node, metadata: { ...node.metadata, labels } };
}

/** VMIs of a silent node that no launcher is left for. `pods` are those on the node. */
export function strandedVmis(node: string, vmis: readonly Vmi[], pods: readonly Pod[]): Vmi[] {
  const alive = new Set(
    pods
      .filter((pod) => isLauncherPod(pod) && !isPodFinished(pod))
      .map(({ metadata }) => metadata.labels?.[LABEL.createdBy]),
  );
  return vmis.filter(({ metadata, status }) => {
    const isThere = status?.nodeName === node && (status.phase === 'Running' || status.phase === 'Scheduled');
    return isThere && !alive.has(metadata.uid);
  });
}

/** A VMI that has failed with its node; one that has ended otherwise meanwhile stays as it is. */
export function failedWithNode(vmi: Vmi): Vmi | undefined {
  const { phase } = vmi.status ?? {};
  if (phase !== 'Running' && phase !== 'Scheduled') return undefined;
  return { ...vmi, status: { ...vmi.status, phase: 'Failed', reason: NODE_UNRESPONSIVE } };
}

export function nodeSilentEvent(node: Node): EventDraft {
  const message = 'virt-handler is not responsive, marking node as unresponsive';
  return eventOnNode(node, 'Normal', NODE_UNRESPONSIVE, message);
}

export function vmiStrandedEvent(vmi: Vmi): EventDraft {
  const message = `virt-handler on node ${vmi.status?.nodeName} is not responsive, marking VMI as failed`;
  return eventOnVmi(vmi, 'Normal', NODE_UNRESPONSIVE, message);
}
