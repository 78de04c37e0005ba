import type { MigratabilityInput } from '../decide/migratability/input.ts';
import {
  liveMigratableCondition,
  storageLiveMigratableCondition,
} from '../decide/migratability/live-migratable.ts';
import { updateMigratability } from '../decide/migratability/status-update.ts';
import { judgeVolumes } from '../decide/migratability/volumes.ts';
import { type Condition, clusterConfigurationSchema, vmiSchema } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { type Difference, differences } from './compare.ts';
import { withoutNulls } from './input.ts';
import type { Vector, VectorDriver } from './vectors.ts';

function run({ input, output }: Vector): readonly Difference[] {
  const {
    now: _,
    vmi,
    hostCpuModel,
    clusterConfiguration,
    ...unknown
  } = withoutNulls(structuredClone(input));
  const known: MigratabilityInput = {
    vmi: vmiSchema.parse(vmi),
    hostCpuModel: typeof hostCpuModel === 'string' ? hostCpuModel : undefined,
    configuration: clusterConfigurationSchema.optional().parse(clusterConfiguration),
  };
  const real = 'panic' in output ? answer(withoutPassthrough(known)) : output;
  return [...differences({}, unknown, 'input'), ...differences(withoutNulls(real), answer(known))];
}

/** The real code crashed on an empty `hypervPassthrough`; the same VMI without it is what ours must agree with. */
function withoutPassthrough(input: MigratabilityInput): MigratabilityInput {
  const vmi = structuredClone(input.vmi);
  if (vmi.spec?.domain?.features) vmi.spec.domain.features.hypervPassthrough = undefined;
  return { ...input, vmi };
}

function answer(input: MigratabilityInput): unknown {
  const { conditions, migrationMethod, events } = updateMigratability(input);
  return {
    condition: tell(liveMigratableCondition(input)),
    storageCondition: tell(storageLiveMigratableCondition(input)),
    isBlockMigration: judgeVolumes(input.vmi).isBlockMigration,
    conditionsAfter: conditions.map(tell),
    migrationMethod,
    events: events.map(({ kind, type, reason, message }) => ({
      object: `${kind} ${keyOf(input.vmi)}`,
      type,
      reason,
      message,
    })),
  };
}

function tell({ type, status, reason = '', message = '' }: Condition): unknown {
  return { type, status, reason, message };
}

/** virt-handler's conditions LiveMigratable and StorageLiveMigratable. */
export const liveMigratableDriver: VectorDriver = { family: 'live-migratable', run };
