/** Which changes of a migration the API server accepts. evacuation-and-migration §2 of the spec. */
import { isSameJson } from '../../kubevirt/json.ts';
import { LABEL } from '../../kubevirt/names.ts';
import type { Migration } from '../../kubevirt/objects.ts';
import { isMigrationFinal } from '../../kubevirt/predicates.ts';
import { migrationField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import type { Admission } from './admission.ts';

const ADMITTER =
  'kubevirt v1.9.0 pkg/virt-api/webhooks/validating-webhook/admitters/migration-update-admitter.go';

export interface UpdateInput {
  readonly before: Migration;
  readonly after: Migration;
}

function labelOf(migration: Migration): string | undefined {
  return migration.metadata.labels?.[LABEL.vmiName];
}

function changesLabelInFlight({ before, after }: UpdateInput): boolean {
  const label = labelOf(before);
  return label !== undefined && labelOf(after) !== label && !isMigrationFinal(after);
}

/** Is the change accepted? A migration's spec never changes. */
export const migrationUpdateTable: Table<UpdateInput, Admission> = [
  {
    name: 'SpecChanged',
    asks: 'the spec changes',
    source: ADMITTER,
    when: ({ before, after }) => !isSameJson(before.spec ?? {}, after.spec ?? {}),
    reads: ({ before, after }) => [
      migrationField(before, 'spec', before.spec),
      migrationField(after, 'spec', after.spec),
    ],
    then: () => notSupported("update of Migration object's spec is restricted"),
  },
  {
    name: 'SelectorLabelRemoved',
    asks: 'the migration is in flight and loses all its labels',
    source: ADMITTER,
    when: (input) => changesLabelInFlight(input) && input.after.metadata.labels === undefined,
    reads: labelEvidence,
    then: () => notSupported("selector label can't be removed from an in-flight migration"),
  },
  {
    name: 'SelectorLabelModified',
    asks: 'the migration is in flight and the label with its VMI changes or goes',
    source: ADMITTER,
    when: changesLabelInFlight,
    reads: labelEvidence,
    then: () => notSupported("selector label can't be modified on an in-flight migration"),
  },
  {
    name: 'Accepted',
    asks: 'neither the spec nor the label of an in-flight migration changes',
    source: ADMITTER,
    when: () => true,
    reads: labelEvidence,
    then: () => ({ allowed: true }),
  },
];

function notSupported(message: string): Admission {
  return { allowed: false, message, causes: [{ reason: 'FieldValueNotSupported', message, field: '' }] };
}

function labelEvidence({ before, after }: UpdateInput): Evidence[] {
  const path = `metadata.labels[${LABEL.vmiName}]`;
  return [migrationField(before, path, labelOf(before)), migrationField(after, path, labelOf(after))];
}
