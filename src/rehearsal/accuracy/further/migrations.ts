import type { RawObject } from '../../../scenario/cluster.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

/** Migrations from before: those that somebody has just asked for, and those that failed not long ago. */
export function migrations(draws: Draws, trial: Trial): Trial {
  const { cluster } = trial;
  const movable = cluster.vms.filter(({ migratable, node }) => migratable === true && node !== undefined);
  const drawn = movable.filter(() => draws.percent(35)).map(({ name }) => drawMigration(draws, name));
  return { ...trial, cluster: { ...cluster, objects: [...(cluster.objects ?? []), ...drawn] } };
}

/** Whom it is for: the updater, an evacuation, or a person. */
const MAKERS: readonly [RawObject, ...RawObject[]] = [
  { 'kubevirt.io/workloadUpdateMigration': '' },
  { 'kubevirt.io/evacuationMigration': 'n1' },
  {},
  {},
];

function drawMigration(draws: Draws, vmiName: string): RawObject {
  const name = `before-${vmiName}`;
  const failed = { phase: 'Failed', phaseTransitionTimestamps: [FAILED] };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: {
      ...{ name, uid: name, creationTimestamp: '2026-03-01T11:59:30Z' },
      labels: { 'kubevirt.io/vmi-name': vmiName },
      annotations: draws.pick<RawObject>(...MAKERS),
    },
    spec: { vmiName },
    status: draws.pick<RawObject>({}, { phase: 'Pending' }, { phase: 'Pending' }, failed),
  };
}

const FAILED = { phase: 'Failed', phaseTransitionTimestamp: '2026-03-01T11:59:50Z' };
