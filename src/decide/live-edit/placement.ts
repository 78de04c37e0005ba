import { isMigrating } from '../../kubevirt/predicates.ts';
import { vmiField } from '../evidence.ts';
import type { Table } from '../rules.ts';
import { specPathOf, valueAt } from './edit.ts';
import { hotPlug, type LiveEditResult, type RunningEditInput, refused } from './result.ts';

function failureOf({ edit }: RunningEditInput): string {
  return edit.path === 'tolerations'
    ? 'Error encountered while handling tolerations change request: tolerations should not be changed during VMI migration'
    : 'Error encountered while handling node affinity change request: Node affinity should not be changed during VMI migration';
}

/** Edits of node selector, affinity and tolerations under LiveUpdate: they count from the VMI's next move on. */
export const placementRules: Table<RunningEditInput, LiveEditResult> = [
  {
    name: 'PlacementDuringMigration',
    asks: 'the VMI is being migrated',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go (affinity and tolerations change requests)',
    when: ({ vmi, now }) => isMigrating(vmi, now),
    reads: ({ vmi }) => [vmiField(vmi, 'status.migrationState', vmi.status?.migrationState)],
    then: (input) => refused(failureOf(input)),
  },
  {
    name: 'PlacementChanged',
    asks: 'the VMI takes the new placement for its next move',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go (affinity and tolerations change requests)',
    when: () => true,
    reads: ({ vmi, edit }) => [vmiField(vmi, specPathOf(edit.path), valueAt(vmi.spec, edit.path))],
    then: () => hotPlug('the running VMI keeps its node; the new placement counts when it moves'),
  },
];
