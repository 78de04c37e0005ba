import type { Kind } from '../../../fleet/fleet.ts';
import { type JsonObject, objectAt, objectsAt } from '../../../kubevirt/json.ts';
import { CONDITION, LABEL } from '../../../kubevirt/names.ts';

/** A change of an object, as the recordings show it. */
export interface Line {
  readonly t: number;
  readonly change: 'exists' | 'added' | 'modified' | 'deleted';
  readonly kind: string;
  readonly name: string;
  readonly state?: JsonObject;
}

/** The fields of one object over time, as `second value`. */
export type Course = ReadonlyMap<string, readonly { readonly t: number; readonly value: string }[]>;

/** An object of the API as the recordings show it. */
export function projected(kind: Kind, object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const status = objectAt(object, 'status');
  const deleting = metadata.deletionTimestamp !== undefined || undefined;
  const { deletionGracePeriodSeconds } = metadata;
  const conditions = objectsAt(status, 'conditions');
  if (kind === 'Pod') return { phase: status.phase, conditions, deleting, deletionGracePeriodSeconds };
  return { labels: metadata.labels, status, conditions };
}

const STATE_FIELDS = [
  'migrationUid',
  'targetNode',
  'mode',
  'failureReason',
  'abortStatus',
  'completed',
  'failed',
];
const TIMES = [
  'targetNodeAddress',
  'startTimestamp',
  'targetNodeDomainDetected',
  'targetNodeDomainReadyTimestamp',
  'endTimestamp',
];

/** What kubelet and virt-handler write of an object, by field. */
function fieldsOf(kind: string, state: JsonObject): Record<string, unknown> {
  const conditions = objectsAt(state, 'conditions');
  const told = (type: string) => {
    const condition = conditions.find((each) => each.type === type);
    return condition && [condition.status, condition.reason].filter(Boolean).join('/');
  };
  if (kind === 'Pod') {
    return { phase: state.phase, ready: told('Ready'), grace: state.deletionGracePeriodSeconds };
  }
  const status = objectAt(state, 'status');
  const migration = objectAt(status, 'migrationState');
  const labels = objectAt(state, 'labels');
  return {
    phase: status.phase,
    nodeName: status.nodeName,
    mark: status.evacuationNodeName || undefined,
    launcher: status.launcherContainerImageVersion || undefined,
    method: status.migrationMethod,
    sockets: objectAt(status, 'currentCPUTopology').sockets,
    'label nodeName': labels[LABEL.nodeName],
    'label target': labels[LABEL.migrationTargetNodeName],
    'label outdated': LABEL.outdatedLauncherImage in labels || undefined,
    ...Object.fromEntries(STATE_FIELDS.map((field) => [field, migration[field] || undefined])),
    ...Object.fromEntries(TIMES.map((field) => [field, migration[field] ? true : undefined])),
    [CONDITION.liveMigratable]: told(CONDITION.liveMigratable),
    [CONDITION.storageLiveMigratable]: told(CONDITION.storageLiveMigratable),
    [CONDITION.hotVcpuChange]: told(CONDITION.hotVcpuChange),
  };
}

/** By `kind name`, the values of each field in a row; equal ones in a row once. */
export function coursesOf(lines: readonly Line[]): Map<string, Course> {
  const courses = new Map<string, Map<string, { t: number; value: string }[]>>();
  for (const { t, change, kind, name, state } of lines) {
    const id = `${kind} ${name}`;
    const course = courses.get(id) ?? new Map<string, { t: number; value: string }[]>();
    courses.set(id, course);
    const fields =
      change === 'deleted' ? { gone: true } : { gone: undefined, ...fieldsOf(kind, state ?? {}) };
    for (const [field, value] of Object.entries(fields)) {
      const values = course.get(field) ?? [];
      course.set(field, values);
      const text = value === undefined ? '-' : String(value);
      if ((values.at(-1)?.value ?? '-') !== text)
        values.push({ t: Math.round(t * 1000) / 1000, value: text });
    }
  }
  return courses;
}
