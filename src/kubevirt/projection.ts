import type { z } from 'zod';
import { KINDS, type KnownKind, type ObjectOf } from './kinds.ts';
import { ANNOTATION } from './names.ts';
import { conditionSchema } from './objects.ts';
import type { Pool } from './pool.ts';
import { formatPath, ProjectionError, problemsOf, withoutNulls } from './projection-error.ts';
import { REFUSED, type Reader, type ReadingRules, readerOf } from './readers.ts';

export interface ProjectionOptions {
  /** Which annotations to keep; by default those of KubeVirt, Drover and the drain tools, see `isReadAnnotation`. */
  readonly keepAnnotation?: ((name: string) => boolean) | undefined;
  /**
   * Keeps what only a replay reads: `lastTransitionTime` in the conditions of VMs, VMIs, pods and migrations (nodes and
   * Machines always keep it), when a VMI was in the phases before Running, and its `activePods`.
   */
  readonly histories?: boolean | undefined;
  /** Shares equal texts and small objects; shared objects are frozen. */
  readonly pool?: Pool | undefined;
}

/** Turns a raw object of a kind into what Drover reads of it. */
export type Project = <K extends KnownKind>(kind: K, raw: unknown) => ObjectOf<K>;

const OWN_PREFIXES = [
  'kubevirt.io/',
  'drover.dev/',
  'descheduler.',
  'cluster-autoscaler.',
  'capk.',
  'cluster.x-k8s.io/',
  'pre-drain.delete.hook.machine.cluster.x-k8s.io',
  'pre-terminate.delete.hook.machine.cluster.x-k8s.io',
];
const OWN_NAMES: ReadonlySet<string> = new Set(Object.values(ANNOTATION));

/** Annotations that some decision reads, or that belong to those components. Others (`last-applied-configuration`, backup tools) are dead weight. */
export function isReadAnnotation(name: string): boolean {
  return OWN_NAMES.has(name) || OWN_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** Kinds whose conditions come by the ten thousand and whose transition times nobody reads. */
const TIMELESS: ReadonlySet<KnownKind> = new Set<KnownKind>([
  'VirtualMachine',
  'VirtualMachineInstance',
  'VirtualMachineInstanceMigration',
  'Pod',
]);

const SHARED: ReadonlySet<string> = new Set([
  'accessModes',
  'affinity',
  'allocatable',
  'annotations',
  'capacity',
  'conditions',
  'currentCPUTopology',
  'domain',
  'finalizers',
  'hard',
  'matchLabels',
  'memory',
  'migrationConfiguration',
  'networks',
  'nodeSelector',
  'resources',
  'tolerations',
  'topologySpreadConstraints',
]);

const UNIQUE: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'endTimestamp',
  'lastTransitionTime',
  'migrationUid',
  'phaseTransitionTimestamp',
  'resourceVersion',
  'startTimestamp',
  'targetNodeAddress',
  'targetNodeDomainReadyTimestamp',
]);

/**
 * Makes a projection: what no schema names is dropped (managed fields, specs of disks, …), as are `null`s and unread annotations.
 *
 * Promise: the result is what the kind's schema makes of the object, less what the options leave out; the argument is
 * not changed. An object that the schema refuses throws a `ProjectionError` that names every wrong field.
 */
export function createProjection(options: ProjectionOptions = {}): Project {
  const readers = new Map<KnownKind, Reader>();
  const readerFor = (kind: KnownKind): Reader => {
    const held = readers.get(kind) ?? readerOf(KINDS[kind].schema, rulesFor(kind, options));
    readers.set(kind, held);
    return held;
  };
  return <K extends KnownKind>(kind: K, raw: unknown): ObjectOf<K> => {
    const read = readerFor(kind)(raw, options.pool);
    return (read === REFUSED ? askSchema(kind, raw) : read) as ObjectOf<K>;
  };
}

/** The schema has the last word on what the reader refuses, and says what is wrong. */
function askSchema(kind: KnownKind, raw: unknown): unknown {
  const parsed = KINDS[kind].schema.safeParse(withoutNulls(raw));
  if (!parsed.success) throw new ProjectionError(problemsOf(parsed.error, raw));
  return parsed.data;
}

/** The projection without options, for single objects. */
export const project: Project = createProjection();

export { formatPath, ProjectionError };

function rulesFor(kind: KnownKind, options: ProjectionOptions): ReadingRules {
  const timeless = !options.histories && TIMELESS.has(kind);
  const isLean = timeless && kind === 'VirtualMachineInstance';
  return {
    keepAnnotation: options.keepAnnotation ?? isReadAnnotation,
    keepField: (schema: z.ZodType, field) =>
      !(timeless && schema === conditionSchema && field === 'lastTransitionTime') &&
      // No rule reads it, and V8 keeps a shape for each object with keys of its own: a tenth of a VMI's memory.
      !(isLean && field === 'activePods'),
    keepElement: (field) => (isLean && field === 'phaseTransitionTimestamps' ? isRunningEntry : undefined),
    shared: SHARED,
    unique: UNIQUE,
  };
}

/** What is no object stays, for the schema to refuse. */
function isRunningEntry(entry: unknown): boolean {
  return typeof entry !== 'object' || entry === null || (entry as { phase?: unknown }).phase === 'Running';
}
