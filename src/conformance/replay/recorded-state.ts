import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
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

/** The other way round: what a recording holds of an object as it is in the API. `objectOf` makes of it all that is compared. */
export function stateOf(kind: ComparedKind, object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const { conditions, ...status } = objectAt(object, 'status');
  const { labels, annotations, finalizers, uid, deletionGracePeriodSeconds } = metadata;
  const owner = objectsAt(metadata, 'ownerReferences').map(
    (reference) => `${reference.kind}/${reference.name}`,
  );
  const deleting = metadata.deletionTimestamp === undefined ? undefined : true;
  const own = {
    labels,
    annotations,
    finalizers,
    owner,
    uid,
    deleting,
    deletionGracePeriodSeconds,
    conditions,
  };
  const spec = objectAt(object, 'spec');
  switch (kind) {
    case 'Pod': {
      const image = objectsAt(spec, 'containers').map((container) => container.image);
      return { ...own, nodeName: spec.nodeName, image, phase: status.phase, status };
    }
    case 'VirtualMachine':
      return { ...own, runStrategy: spec.runStrategy, status };
    default:
      return { ...own, spec, status };
  }
}
