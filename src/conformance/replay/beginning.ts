import { type JsonObject, objectAt } from '../../kubevirt/json.ts';
import type { Recording } from './recording.ts';

/** The objects that a recorded cluster began with: its nodes, free, and the KubeVirt CR as it was before anything was done. */
export function beginningOf({ before, changes, name }: Recording): JsonObject[] {
  const nodes = before.filter(({ kind }) => kind === 'Node').map(uncordoned);
  const kubevirt = before.find(({ kind }) => kind === 'KubeVirt');
  const first = changes.find(({ kind, change }) => kind === 'KubeVirt' && change === 'exists')?.state ?? {};
  if (!kubevirt) throw new Error(`${name}: no KubeVirt in the dump`);
  const spec = objectAt(kubevirt, 'spec');
  const { evictionStrategy: _, ...configuration } = objectAt(spec, 'configuration');
  const { evictionStrategy } = first;
  return [
    ...nodes,
    {
      ...kubevirt,
      spec: {
        ...spec,
        configuration: { ...configuration, ...(evictionStrategy !== undefined && { evictionStrategy }) },
        workloadUpdateStrategy: first.workloadUpdateStrategy,
      },
      status: { ...objectAt(kubevirt, 'status'), ...objectAt(first, 'status') },
    },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  ];
}

function uncordoned(node: JsonObject): JsonObject {
  const { unschedulable: _, taints: __, ...spec } = objectAt(node, 'spec');
  const { resourceVersion: ___, ...metadata } = objectAt(node, 'metadata');
  return { ...node, metadata, spec };
}
