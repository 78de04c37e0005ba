import { type JsonObject, objectAt } from '../../kubevirt/json.ts';
import type { ComparedKind } from './fields.ts';

/** An object of a recording, put back into the form that it has in the API, as far as it was recorded. */
export function objectOf(kind: ComparedKind, state: JsonObject): JsonObject {
  const { labels, annotations, deleting, deletionGracePeriodSeconds } = state;
  const ownerReferences = (Array.isArray(state.owner) ? state.owner : []).map((owner) => {
    const [ownerKind, name] = String(owner).split('/');
    return { kind: ownerKind, name };
  });
  const metadata = {
    ...{ labels, annotations, ownerReferences, deletionGracePeriodSeconds },
    ...(deleting === true && { deletionTimestamp: 'recorded' }),
  };
  const status = { ...objectAt(state, 'status'), conditions: state.conditions };
  const spec = objectAt(state, 'spec');
  switch (kind) {
    case 'Pod':
      return { metadata, spec: { nodeName: state.nodeName }, status: { ...status, phase: state.phase } };
    case 'VirtualMachine':
      return { metadata, spec: { runStrategy: state.runStrategy }, status };
    default:
      return { metadata, spec, status };
  }
}
