import { Fleet } from '../../fleet/fleet.ts';
import { deployedLauncherImage } from '../../forecast/launcher-image.ts';
import { mostOften } from '../../kubevirt/group-by.ts';
import { isKnownKind, KNOWN_KINDS } from '../../kubevirt/kinds.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { createProjection, isReadAnnotation } from '../../kubevirt/projection.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { clusterObjects } from '../../scenario/cluster.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { isLabAnnotation } from '../../simulation/guests/lab-annotations.ts';
import { completed, hardwareOf, kept } from './completed.ts';
import { lastInstantIn } from './snapshot-instant.ts';

/** A cluster to begin with. */
export interface Beginning {
  readonly objects: readonly object[];
  readonly startAt: Instant;
  readonly launcherImage: string;
}

/** 2026-03-01T12:00:00Z, where nothing else is known. */
const START_AT: Instant = 1_772_366_400_000;

/** Annotations that a simulated cluster keeps. */
export const keepAnnotation = (name: string): boolean => isReadAnnotation(name) || isLabAnnotation(name);

/** The cluster that a scenario describes. Throws a `ProjectionError` for an object that is none. */
export function beginningOfScenario({ cluster, settings }: Scenario): Beginning {
  const project = createProjection({ keepAnnotation, histories: true });
  const objects = clusterObjects(cluster).map((raw) => {
    const kind = String(raw.kind);
    return isKnownKind(kind) ? { ...project(kind, raw), kind } : undefined;
  });
  const known = objects.filter((object) => object !== undefined);
  return {
    objects: known,
    startAt: START_AT,
    launcherImage: settings.launcherImage ?? commonImage(vmisOf(known)) ?? SOME_IMAGE,
  };
}

/** The same with VMIs that are there until their guests have shut down, as every real one is, however few words a scenario has of them. */
export function keepingVmis(beginning: Beginning): Beginning {
  return {
    ...beginning,
    objects: beginning.objects.map((object) => kept(object as Parameters<typeof kept>[0])),
  };
}

/** What is known of a cluster that was read. */
export interface Snapshot {
  readonly fleet: Fleet;
  readonly takenAt?: Instant | undefined;
  readonly launcherImage?: string | undefined;
}

/** The cluster of a snapshot, with what the scenario knows better. */
export function beginningOfSnapshot(
  { fleet, takenAt, launcherImage }: Snapshot,
  { settings }: Scenario,
): Beginning {
  return {
    objects: completedObjects(fleet),
    startAt: takenAt ?? lastInstantIn(fleet) ?? START_AT,
    launcherImage: settings.launcherImage ?? launcherImage ?? imageOfSnapshot(fleet) ?? SOME_IMAGE,
  };
}

/** A snapshot with all that its VMs need to be started and moved. */
export function completedFleet(fleet: Fleet): Fleet {
  const whole = new Fleet();
  for (const object of completedObjects(fleet)) whole.apply(object.kind, object as never);
  return whole;
}

function completedObjects(fleet: Fleet) {
  const hardware = hardwareOf(fleet.all('VirtualMachineInstance'));
  return KNOWN_KINDS.flatMap((kind) =>
    [...fleet.all(kind)].map((object) => completed({ ...object, kind }, hardware)),
  );
}

/** Where nothing runs. */
const SOME_IMAGE = 'L1';

/** What virt-controller starts launchers with: by its Deployment or, since few dumps have that, by those that run. */
export function imageOfSnapshot(fleet: Fleet): string | undefined {
  return deployedLauncherImage(fleet) ?? commonImage(fleet.all('VirtualMachineInstance'));
}

function vmisOf(objects: readonly { readonly kind: string }[]): Vmi[] {
  return objects.filter(({ kind }) => kind === 'VirtualMachineInstance') as unknown as Vmi[];
}

/** The image that most VMIs run which are not marked as outdated; of equals the first by name. Undefined: there is none. */
function commonImage(vmis: Iterable<Vmi>): string | undefined {
  const current = [...vmis].filter(
    ({ metadata }) => metadata.labels?.[LABEL.outdatedLauncherImage] === undefined,
  );
  return mostOften(current.flatMap(({ status }) => status?.launcherContainerImageVersion || []));
}
