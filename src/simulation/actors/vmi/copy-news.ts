/**
 * What changes in a VMI while it moves is written often, and concerns few. Parts are compared by reference, so that some changes are
 * not known as what they are.
 */
import { isSameBut } from '../../../kubevirt/json.ts';
import { ANNOTATION, LABEL } from '../../../kubevirt/names.ts';
import type { Vmi } from '../../../kubevirt/objects.ts';

type MigrationState = NonNullable<Vmi['status']>['migrationState'];

/** All that controllers other than that of migrations read of a migration's course. */
const COURSE = ['startTimestamp', 'endTimestamp', 'completed', 'sourceState', 'targetState'] as const;

const TEXTS = ['labels', 'annotations'];
const OF_THE_STORE = new Set(['resourceVersion', 'generation', ...TEXTS]);
const OF_A_MOVE = new Set<string>(['migrationState', 'runtimeUser']);
const TEXTS_OF_A_MOVE = new Set<string>([LABEL.migrationTargetNodeName, ANNOTATION.nonRoot]);

/** What migrations do not read of a VMI. */
const NOT_OF_MIGRATIONS = new Set(['migrationState', 'activePods', 'launcherContainerImageVersion']);
const OF_THE_HANDLERS = new Set(['targetNodeDomainDetected']);

/** What nodes do not read of a VMI. */
const NOT_OF_NODES = new Set(['activePods', 'launcherContainerImageVersion', 'runtimeUser']);
const TEXTS_NOT_OF_NODES = new Set<string>([LABEL.outdatedLauncherImage, ANNOTATION.nonRoot]);

/** Whether a migration has neither begun nor ended between the two. */
export function isSameCourse(before: MigrationState, after: MigrationState): boolean {
  return before === after || COURSE.every((field) => before?.[field] === after?.[field]);
}

/** Whether the two differ in nothing but what is written of a move before and after the guest has moved. */
export function isMoveNews(before: Vmi, after: Vmi): boolean {
  return (
    before.spec === after.spec &&
    isSameBut(OF_A_MOVE, before.status, after.status) &&
    isSameMetadata(before, after, TEXTS_OF_A_MOVE)
  );
}

/** The same, in the course of a copy. */
export function isCopyNews(before: Vmi, after: Vmi): boolean {
  return (
    isMoveNews(before, after) && isSameCourse(before.status?.migrationState, after.status?.migrationState)
  );
}

/** Whether the two differ in nothing that the migration controller reads. */
export function isNoNewsForMigrations(before: Vmi, after: Vmi): boolean {
  const [was, is] = [before.status, after.status];
  return (
    before.spec === after.spec &&
    isSameBut(NOT_OF_MIGRATIONS, was, is) &&
    isSameBut(OF_THE_HANDLERS, was?.migrationState, is?.migrationState) &&
    isSameBut(OF_THE_STORE, before.metadata, after.metadata) &&
    TEXTS.every((field) => before.metadata[field as never] === after.metadata[field as never])
  );
}

/** Whether the two differ in nothing that kubelet, virt-handler or the guest on a node go by. */
export function isNoNewsForNodes(before: Vmi, after: Vmi): boolean {
  return (
    before.spec === after.spec &&
    isSameBut(NOT_OF_NODES, before.status, after.status) &&
    isSameMetadata(before, after, TEXTS_NOT_OF_NODES)
  );
}

/** But for these labels and annotations. */
function isSameMetadata({ metadata: was }: Vmi, { metadata: is }: Vmi, texts: ReadonlySet<string>): boolean {
  return (
    isSameBut(OF_THE_STORE, was, is) &&
    isSameBut(texts, was.labels, is.labels) &&
    isSameBut(texts, was.annotations, is.annotations)
  );
}
