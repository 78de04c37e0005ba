import { CONDITION } from '../../kubevirt/names.ts';
import type { Condition } from '../../kubevirt/objects.ts';
import { decide, type Table } from '../rules.ts';
import {
  type Check,
  disksCheck,
  hostDeviceCheck,
  hostModelCheck,
  hypervPassthroughCheck,
  networkCheck,
  persistentReservationCheck,
  secureExecutionCheck,
  sevCheck,
  tdxCheck,
  tscFrequencyCheck,
} from './checks.ts';
import type { MigratabilityInput } from './input.ts';

/**
 * Whether a VMI can be live-migrated: the first obstacle, or none, with the message that its condition carries
 * (migratability §2 of the spec; VH:1247-1290). The disks come last, so any other obstacle hides theirs.
 */
export const liveMigratableTable: Table<MigratabilityInput, string> = [
  networkCheck,
  hostModelCheck,
  hostDeviceCheck,
  sevCheck,
  tdxCheck,
  secureExecutionCheck,
  tscFrequencyCheck,
  hypervPassthroughCheck,
  disksCheck,
  {
    name: 'LiveMigratable',
    asks: 'nothing stands in the way',
    source: 'kubevirt v1.9.0 pkg/virt-handler/vm.go:1247-1290',
    when: () => true,
    reads: disksCheck.reads,
    then: () => '',
  },
];

/** What a volume migration minds; the disks themselves it does not (migratability §6 of the spec; VH:1367-1402). */
const STORAGE_CHECKS: readonly Check[] = [
  networkCheck,
  hostModelCheck,
  hostDeviceCheck,
  sevCheck,
  tdxCheck,
  persistentReservationCheck,
  tscFrequencyCheck,
  hypervPassthroughCheck,
];

/** The condition LiveMigratable: True, or False with the first obstacle. */
export function liveMigratableCondition(input: MigratabilityInput): Condition {
  const { reason, result } = decide(liveMigratableTable, input);
  if (reason === 'LiveMigratable') return { type: CONDITION.liveMigratable, status: 'True' };
  return { type: CONDITION.liveMigratable, status: 'False', reason, message: result };
}

/** The condition StorageLiveMigratable: True, or False with every obstacle, in order. */
export function storageLiveMigratableCondition(input: MigratabilityInput): Condition {
  const obstacles = STORAGE_CHECKS.filter((check) => check.when(input));
  if (obstacles.length === 0) return { type: CONDITION.storageLiveMigratable, status: 'True' };
  const message = obstacles.map((check) => `${check.name}: ${check.then(input)}`).join(', ');
  return { type: CONDITION.storageLiveMigratable, status: 'False', reason: 'NotMigratable', message };
}
