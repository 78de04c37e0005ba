import type { Kind } from '../fleet/fleet.ts';
import { isSameJson, type JsonObject, objectAt } from '../kubevirt/json.ts';
import { extended } from '../kubevirt/shapes.ts';

/** What the API server itself keeps about an object. */
export interface StoredMeta {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number | undefined;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly ownerReferences?: readonly { readonly uid?: string }[] | undefined;
}

/** An object as the API server holds it, with all its fields. Never changed, only replaced. */
export interface StoredObject extends JsonObject {
  readonly metadata: StoredMeta & JsonObject;
}

/** Kinds whose status is written through the object itself (kubevirt v1.9.0 pkg/virt-operator/resource/generate/components/crds.go). */
const WITHOUT_STATUS_DOOR: ReadonlySet<Kind> = new Set<Kind>(['VirtualMachineInstance']);

/** Kinds whose status may come with a creation. */
const CREATED_WITH_STATUS: ReadonlySet<Kind> = new Set<Kind>(['Node', ...WITHOUT_STATUS_DOOR]);

/** Its status is written through `/status` only. */
export function hasStatusDoor(kind: Kind): boolean {
  return !WITHOUT_STATUS_DOOR.has(kind);
}

/** Of other kinds a status that comes with a creation is dropped. */
export function keepsStatusAtCreation(kind: Kind): boolean {
  return CREATED_WITH_STATUS.has(kind);
}

export function isBeingDeleted({ metadata }: StoredObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Nothing keeps an object that is being deleted any more: no finalizer, and no time that was granted to it. */
export function isReleased({ metadata }: StoredObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadata;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
}

const OWN_FIELDS = [
  ...(['uid', 'creationTimestamp', 'generation', 'deletionTimestamp'] as const),
  ...(['deletionGracePeriodSeconds', 'resourceVersion', 'selfLink'] as const),
];

/** The wanted object with what only the API server writes as it was. Through one door, what lies behind the other stays. */
export function withOwnFields(
  held: StoredObject,
  wanted: JsonObject,
  door: 'object' | 'status' | 'both',
): StoredObject {
  if (door === 'status') return withStatusOf(held, wanted);
  const metadata = withOwnMetadata(held, objectAt(wanted, 'metadata'));
  const changed = (metadata === wanted.metadata ? wanted : extended(wanted, { metadata })) as StoredObject;
  return door === 'object' ? withStatusOf(changed, held) : changed;
}

/** Most writes leave the metadata alone; then it stays the same object. */
function withOwnMetadata({ metadata: held }: StoredObject, wanted: JsonObject): JsonObject {
  if (OWN_FIELDS.every((field) => held[field] === wanted[field])) return wanted;
  const metadata: Record<string, unknown> = { ...wanted };
  for (const field of OWN_FIELDS) {
    if (held[field] !== undefined) metadata[field] = held[field];
    else if (field in metadata) delete metadata[field];
  }
  return metadata;
}

function withStatusOf(object: StoredObject, other: JsonObject): StoredObject {
  if (object.status === other.status) return object as StoredObject;
  if (other.status !== undefined) return extended(object, { status: other.status });
  const { status: _, ...rest } = object;
  return rest as StoredObject;
}

/** The wanted object with its resource version, and the next generation where it is another one than before. */
export function numbered(
  before: StoredObject | undefined,
  wanted: StoredObject,
  version: number,
): StoredObject {
  const metadata = extended(wanted.metadata, { resourceVersion: String(version) });
  if (!before || !isOtherGeneration(before, wanted)) return extended(wanted, { metadata });
  const generation = (metadata.generation ?? 0) + 1;
  return extended(wanted, { metadata: extended(metadata, { generation }) });
}

/** Whether anything but metadata and status differs: that makes a new generation. */
function isOtherGeneration(before: JsonObject, after: JsonObject): boolean {
  return hasOther(before, after) || hasOther(after, before);
}

function hasOther(one: JsonObject, other: JsonObject): boolean {
  for (const key in one) {
    if (key !== 'metadata' && key !== 'status' && !isSameJson(one[key], other[key])) return true;
  }
  return false;
}
