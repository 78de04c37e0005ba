import { Fleet } from '../src/fleet/fleet.ts';
import { Pool } from '../src/kubevirt/pool.ts';
import { createProjection } from '../src/kubevirt/projection.ts';
import { CURRENT_IMAGE, generateFleet, OUTDATED_IMAGE } from './fleet-generator.ts';
import type { Decoded } from './naive-pass.ts';

const VMI = 'VirtualMachineInstance';
const MIGRATION = 'VirtualMachineInstanceMigration';

/** The VMIs and migrations of a generated fleet with so many VMIs, all that run outdated, as decoded. */
export function* decodedVmis(count: number): Generator<Decoded> {
  // One VM in 21 is halted.
  const vms = Math.floor((count * 21) / 20);
  for (const object of generateFleet({ vms, outdatedPercent: 100 }) as Iterable<Decoded>) {
    if (object.kind === VMI || object.kind === MIGRATION) yield JSON.parse(JSON.stringify(object));
  }
}

/** A fleet of them, as it is read from a cluster. */
export function fleetOfVmis(count: number): Fleet {
  const project = createProjection({ pool: new Pool() });
  const fleet = new Fleet();
  for (const decoded of decodedVmis(count)) {
    if (decoded.kind === VMI) fleet.apply(VMI, project(VMI, decoded));
    else fleet.apply(MIGRATION, project(MIGRATION, decoded));
  }
  return fleet;
}

interface Launched {
  readonly status?: { launcherContainerImageVersion?: string | undefined } | undefined;
}

/** Lets this share of the VMIs whose image is known run the old image, evenly spread, and the others the current one. */
export function outdate(vmis: Iterable<Launched>, percent: number): void {
  // Copies, as each object that is read brings its own text; the fleet shares them.
  const [current, old] = JSON.parse(JSON.stringify([CURRENT_IMAGE, OUTDATED_IMAGE])) as [string, string];
  let turn = 0;
  for (const { status } of vmis) {
    if (!status?.launcherContainerImageVersion) continue;
    turn = (turn + 37) % 100;
    status.launcherContainerImageVersion = turn < percent ? old : current;
  }
}
