import type { Vmi } from '../../kubevirt/objects.ts';

/** How a mark is taken off a VMI that has left the node it names; nothing else does that. */
export function clearMark({ metadata: { namespace, name }, status }: Vmi): string {
  const mark = status?.evacuationNodeName;
  return `Clear the mark: PUT …/namespaces/${namespace}/virtualmachineinstances/${name}/evacuate/cancel with evacuationNodeName: ${mark}`;
}
