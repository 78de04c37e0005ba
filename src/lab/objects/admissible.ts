/** What an API server asks of objects, and a snapshot need not hold. */
import type { Kind } from '../../fleet/fleet.ts';
import { type JsonObject, objectAt } from '../../kubevirt/json.ts';
import { CONDITION } from '../../kubevirt/names.ts';
import type { Container, PersistentVolumeClaim, Pod } from '../../kubevirt/objects.ts';
import { findCondition, isPodFinished } from '../../kubevirt/predicates.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import { containersEnded, containersRunning } from '../../simulation/actors/node/pod-writes.ts';
import { addressOf } from './addresses.ts';

/** A volume of which nothing is known. */
export const ANY_VOLUME = {
  capacity: { storage: '1Gi' },
  accessModes: ['ReadWriteMany'],
  hostPath: { path: '/lab' },
};
const ANY_CLAIM = { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } };
/** The lab has no controller that binds claims; the scheduler takes those that say so for bound. */
export const BOUND = { 'pv.kubernetes.io/bind-completed': 'yes' };

/** With what the API server asks for and a snapshot does not hold. */
export function admissible(kind: Kind, object: JsonObject): JsonObject {
  const spec = objectAt(object, 'spec');
  if (kind === 'Pod') return { ...object, spec: podSpecOf(object as unknown as Pod) };
  if (kind === 'Node') return { ...object, status: nodeStatusOf(objectAt(object, 'status')) };
  if (kind === 'PersistentVolume') return { ...object, spec: { ...ANY_VOLUME, ...spec } };
  if (kind !== 'PersistentVolumeClaim') return object;
  return {
    ...object,
    spec: { ...ANY_CLAIM, ...spec, volumeName: volumeOf(object as unknown as PersistentVolumeClaim) },
  };
}

/** How containers are, and where, no forecast asks; kubectl counts those that are ready, and shows addresses. */
export function statusOf(kind: Kind, made: JsonObject, status: JsonObject): JsonObject {
  if (kind !== 'Pod') return status;
  const pod = { ...made, status } as unknown as Pod;
  const { phase = '', conditions } = pod.status ?? {};
  const since = findCondition(conditions, CONDITION.ready)?.lastTransitionTime ?? formatInstant(Date.now());
  if (isPodFinished(pod)) return { ...status, ...containersEnded(pod, phase, since) };
  return phase === 'Running' ? { ...status, ...addressOf(pod), ...containersRunning(pod, since) } : status;
}

/** Snapshots may leave out what no forecast asks for; the scheduler asks. */
function nodeStatusOf(status: JsonObject): JsonObject {
  const allocatable = { 'ephemeral-storage': '1Ti', pods: '250', ...objectAt(status, 'allocatable') };
  return { ...status, allocatable, capacity: allocatable };
}

/** The volume of a claim: the one that it names, else one made for it. */
export function volumeOf({ metadata, spec }: PersistentVolumeClaim): string {
  return spec?.volumeName || `lab-${metadata.namespace}-${metadata.name}`;
}

function podSpecOf({ spec = {} }: Pod): JsonObject {
  const {
    priority: _,
    priorityClassName: __,
    securityContext: ___,
    containers,
    initContainers,
    volumes,
    ...kept
  } = spec;
  return {
    ...kept,
    containers: containers?.map(startable) ?? [{ name: 'compute', image: 'lab' }],
    ...(initContainers && { initContainers: initContainers.map(startable) }),
    ...(volumes && {
      volumes: volumes.map(({ name, persistentVolumeClaim }) => ({
        name,
        ...(persistentVolumeClaim ? { persistentVolumeClaim } : { emptyDir: {} }),
      })),
    }),
  };
}

/** With an image, and limits for what cannot be promised twice: the API server asks for those. */
function startable({ resources, ...container }: Container): JsonObject {
  const single = Object.entries(resources?.requests ?? {}).filter(([name]) => /\/|^hugepages-/.test(name));
  const limits = { ...Object.fromEntries(single), ...resources?.limits };
  return { image: 'lab', ...container, resources: { ...resources, limits } };
}
