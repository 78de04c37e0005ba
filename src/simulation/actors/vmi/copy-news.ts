/**
 * What changes in a VMI while it moves is written often, and concerns few. Parts are compared by reference, so that some changes are
 * not known as what they are.
 */
import { differingKeys, isSameBut } from '../../../kubevirt/json.ts';
import { ANNOTATION, LABEL } from '../../../kubevirt/names.ts';
import type { Vmi } from '../../../kubevirt/objects.ts';

type MigrationState = NonNullable<Vmi['status']>['migrationState'];

/** All that controllers other than that of migrations read of a migration's course. */
const COURSE = ['startTimestamp', 'endTimestamp', 'completed', 'sourceState', 'targetState'] as const;

/** In the metadata of a VMI: what the API server counts, and what is looked at by itself. */
const OF_THE_STORE = new Set(['resourceVersion', 'generation', 'labels', 'annotations']);
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
  const news = newsOf(before, after);
  return isOnly(OF_A_MOVE, news.status) && isOnly(TEXTS_OF_A_MOVE, news.texts) && !news.isElsewhere;
}

/** The same, in the course of a copy. */
export function isCopyNews(before: Vmi, after: Vmi): boolean {
  return (
    isMoveNews(before, after) && isSameCourse(before.status?.migrationState, after.status?.migrationState)
  );
}

/** Whether the two differ in nothing that the migration controller reads. */
export function isNoNewsForMigrations(before: Vmi, after: Vmi): boolean {
  const news = newsOf(before, after);
  return (
    isOnly(NOT_OF_MIGRATIONS, news.status) &&
    isSameBut(OF_THE_HANDLERS, before.status?.migrationState, after.status?.migrationState) &&
    before.metadata.labels === after.metadata.labels &&
    before.metadata.annotations === after.metadata.annotations &&
    !news.isElsewhere
  );
}

/** Whether the two differ in nothing that kubelet, virt-handler or the guest on a node go by. */
export function isNoNewsForNodes(before: Vmi, after: Vmi): boolean {
  const news = newsOf(before, after);
  return isOnly(NOT_OF_NODES, news.status) && isOnly(TEXTS_NOT_OF_NODES, news.texts) && !news.isElsewhere;
}

/** Keys under which two states of a VMI differ, by reference. */
interface News {
  readonly before: Vmi;
  readonly after: Vmi;
  readonly status: readonly string[];
  /** Of labels and annotations. */
  readonly texts: readonly string[];
  /** They differ in something else too: the spec, or metadata. */
  readonly isElsewhere: boolean;
}

/** The last that was asked for: everybody hears of a change, and asks of it, before anybody hears of the next. */
let latest: News | undefined;

function newsOf(before: Vmi, after: Vmi): News {
  if (latest?.before === before && latest.after === after) return latest;
  const [was, is] = [before.metadata, after.metadata];
  latest = {
    before,
    after,
    status: differingKeys(before.status, after.status),
    texts: [...differingKeys(was.labels, is.labels), ...differingKeys(was.annotations, is.annotations)],
    isElsewhere: before.spec !== after.spec || !isSameBut(OF_THE_STORE, was, is),
  };
  return latest;
}

function isOnly(expected: ReadonlySet<string>, keys: readonly string[]): boolean {
  return keys.every((key) => expected.has(key));
}
