import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { LABEL } from '../../kubevirt/names.ts';

/** The compared fields of an object at one time, by name; what is absent has no entry. */
export type Fields = ReadonlyMap<string, string>;

/** Kinds whose objects are compared. */
export const COMPARED_KINDS = [
  'KubeVirt',
  'VirtualMachine',
  'VirtualMachineInstance',
  'VirtualMachineInstanceMigration',
  'Pod',
  'PodDisruptionBudget',
] as const;
export type ComparedKind = (typeof COMPARED_KINDS)[number];

export function isCompared(kind: string): kind is ComparedKind {
  return (COMPARED_KINDS as readonly string[]).includes(kind);
}

const READERS: Readonly<Record<ComparedKind, (object: JsonObject) => Record<string, unknown>>> = {
  KubeVirt: (object) => ({
    outdated: objectAt(object, 'status').outdatedVirtualMachineInstanceWorkloads,
  }),
  VirtualMachine: (object) => {
    const status = objectAt(object, 'status');
    return {
      printableStatus: status.printableStatus,
      ready: status.ready || undefined,
      runStrategy: objectAt(object, 'spec').runStrategy,
      'status.runStrategy': status.runStrategy,
      startFailure: objectAt(status, 'startFailure').consecutiveFailCount,
    };
  },
  VirtualMachineInstance: vmiFields,
  VirtualMachineInstanceMigration: (object) => ({
    priority: objectAt(object, 'spec').priority,
    ...named('annotation', own(objectAt(objectAt(object, 'metadata'), 'annotations'))),
    phase: objectAt(object, 'status').phase,
    ...conditions(object),
  }),
  Pod: (object) => {
    const metadata = objectAt(object, 'metadata');
    return {
      phase: objectAt(object, 'status').phase,
      node: objectAt(object, 'spec').nodeName,
      deleting: metadata.deletionTimestamp !== undefined || undefined,
      grace: metadata.deletionGracePeriodSeconds,
      ready: objectsAt(objectAt(object, 'status'), 'conditions').find(({ type }) => type === 'Ready')?.status,
    };
  },
  PodDisruptionBudget: (object) => ({ disruptionsAllowed: objectAt(object, 'status').disruptionsAllowed }),
};

/** What is compared of an object as it stands in the API. */
export function fieldsOf(kind: ComparedKind, object: JsonObject): Fields {
  const entries = Object.entries(READERS[kind](object)).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  return new Map(entries.map(([name, value]) => [name, String(value)]));
}

function vmiFields(object: JsonObject): Record<string, unknown> {
  const labels = objectAt(objectAt(object, 'metadata'), 'labels');
  const status = objectAt(object, 'status');
  const migration = objectAt(status, 'migrationState');
  return {
    phase: status.phase,
    nodeName: status.nodeName,
    evacuationNodeName: status.evacuationNodeName,
    'label nodeName': labels[LABEL.nodeName],
    'label migrationTargetNodeName': labels[LABEL.migrationTargetNodeName],
    'label outdatedLauncherImage': LABEL.outdatedLauncherImage in labels || undefined,
    launcherContainerImageVersion: status.launcherContainerImageVersion,
    activePods: Object.keys(objectAt(status, 'activePods')).length || undefined,
    'migration target': migration.targetNode,
    'migration started': migration.startTimestamp !== undefined || undefined,
    'migration ended': migration.endTimestamp !== undefined || undefined,
    'migration completed': migration.completed || undefined,
    'migration failed': migration.failed || undefined,
    'migration failureReason': migration.failureReason,
    'migration abortRequested': migration.abortRequested || undefined,
    'migration abortStatus': migration.abortStatus,
    ...conditions(object),
  };
}

function conditions(object: JsonObject): Record<string, unknown> {
  const pairs = objectsAt(objectAt(object, 'status'), 'conditions').map(({ type, status, reason }) => [
    type,
    reason ? `${status}/${reason}` : status,
  ]);
  return named('condition', Object.fromEntries(pairs));
}

/** Without what the stand-in of the recordings was told by annotation. */
function own(annotations: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(annotations).flatMap(([name, value]) =>
      name.startsWith('kubevirt.io/') ? [[name, value === '' ? 'empty' : value]] : [],
    ),
  );
}

function named(prefix: string, values: JsonObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix} ${name}`, value]));
}
