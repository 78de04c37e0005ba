/** What a timeline writes into objects: whether it can be, and whether anybody reads it. */

import { isJsonObject } from '../../kubevirt/json.ts';
import { isKnownKind } from '../../kubevirt/kinds.ts';
import { createProjection, formatPath, ProjectionError } from '../../kubevirt/projection.ts';
import { withoutNulls } from '../../kubevirt/projection-error.ts';
import type { TimelineEntry } from '../../scenario/timeline-schema.ts';
import { interval } from '../../scenario/words.ts';

interface Written {
  readonly action: string;
  readonly kind: string;
  readonly object: object;
}

const METADATA = { name: 'any' };
const read = createProjection({ keepAnnotation: () => true, histories: true });

/** The objects that an entry writes, patches as what they patch. */
function writtenIn({ config, edit, create = [] }: TimelineEntry): Written[] {
  return [
    ...(config ? [{ action: 'config', kind: 'KubeVirt', object: { metadata: METADATA, spec: config } }] : []),
    ...(edit
      ? [{ action: 'edit', kind: 'VirtualMachine', object: { metadata: METADATA, ...edit.patch } }]
      : []),
    ...create.map((object) => ({ action: 'create', kind: String(object.kind), object })),
  ].map((written) => ({ ...written, object: named(written.object) }));
}

/** Of a patch only what changes is there. */
function named(object: { readonly metadata?: unknown }): object {
  return { ...object, metadata: { ...METADATA, ...(isJsonObject(object.metadata) && object.metadata) } };
}

/** What of it is no such object. */
export function writtenProblems(entry: TimelineEntry): string[] {
  return [...intervalProblems(entry), ...projectionProblems(entry)];
}

/** No KubeVirt object is stored with an interval that is none: the webhook cannot decode it. */
function intervalProblems({ config }: TimelineEntry): string[] {
  const strategy = config?.workloadUpdateStrategy;
  const written = isJsonObject(strategy) ? (strategy.batchEvictionInterval ?? undefined) : undefined;
  const problem = interval.optional().safeParse(written).error?.issues[0]?.message;
  return problem === undefined
    ? []
    : [`config: spec.workloadUpdateStrategy.batchEvictionInterval: ${problem}`];
}

function projectionProblems(entry: TimelineEntry): string[] {
  return writtenIn(entry).flatMap(({ action, kind, object }) => {
    try {
      if (isKnownKind(kind)) read(kind, object);
      return [];
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      return error.problems.map(({ path, problem }) => `${action}: ${path}: ${problem}`);
    }
  });
}

/** Fields of patches that nobody reads, by path: in a simulated cluster they change nothing. Of objects that are created, none. */
export function unreadFields(entry: TimelineEntry): string[] {
  return writtenIn(entry).flatMap(({ action, kind, object }) => {
    if (!isKnownKind(kind) || action === 'create') return [];
    return lostIn(withoutNulls(object), read(kind, object), []).map((path) => `${action}: ${path}`);
  });
}

function lostIn(written: unknown, held: unknown, path: readonly PropertyKey[]): string[] {
  if (held === undefined) return [formatPath(path)];
  if (typeof written !== 'object' || written === null) return [];
  const fields = held as Readonly<Record<string, unknown>>;
  return Object.entries(written).flatMap(([name, value]) =>
    lostIn(value, fields[name], [...path, Array.isArray(written) ? Number(name) : name]),
  );
}
