/**
 * What CAPK does about a marked External VMI, one reconcile at a time: capk-external §2.2 of the spec for v0.1.10, §3 for the
 * build with the backported patch.
 */
import { ANNOTATION, STRATEGY } from '../../kubevirt/names.ts';
import type { KubevirtMachine, Vmi } from '../../kubevirt/objects.ts';
import { annotationOf, isMarked } from '../../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../../kubevirt/time.ts';
import { field, vmiField } from '../evidence.ts';
import type { Behavior, Evidence } from '../rules.ts';

/** How long CAPK gives to the submission of a migration, to a migration, and to the drain of the guest's node. */
export const CAPK_GRACE_SECONDS = 600;
/** The value of the migration marker once CAPK has given migrating up. */
export const DRAINING = 'draining';

export interface CapkInput {
  readonly machine: KubevirtMachine;
  readonly vmi: Vmi | undefined;
  readonly now: Instant;
  /** What draining a node of the guest cluster comes to within one try (20 seconds). */
  readonly drainOf: (node: string) => 'missing' | 'drained' | 'not-drained';
  /** Whether the API server would take the migration that CAPK creates; only the backport asks. */
  readonly acceptsMigration?: boolean | undefined;
  /** `intended`: without the defects of v0.1.10, which is what the backport does. */
  readonly behavior: Behavior;
}

/** Annotations of the KubevirtMachine that a step writes. Instants are written as deadlines. */
export interface CapkMarks {
  readonly graceUntil?: Instant | undefined;
  readonly submittedUntil?: Instant | undefined;
  /** The migration marker becomes `draining`. */
  readonly draining?: boolean | undefined;
  readonly removes: readonly string[];
}

export type CapkStep = CapkMarks &
  (
    | { readonly step: 'nothing'; readonly uncordons?: string | undefined }
    | { readonly step: 'create-migration' | 'wait-for-migration'; readonly againSeconds: number }
    | { readonly step: 'drain'; readonly node: string; readonly againSeconds: number }
    | { readonly step: 'delete-vmi'; readonly againSeconds: number }
  );

export const CAPK_AGAIN = { drain: 1, migration: 10, afterDelete: 10 } as const;

/** The mark concerns CAPK: an External VMI that is marked and not being deleted. */
export function isToBeDrained(vmi: Vmi | undefined): vmi is Vmi {
  return (
    vmi !== undefined &&
    vmi.metadata.deletionTimestamp === undefined &&
    vmi.spec?.evictionStrategy === STRATEGY.external &&
    isMarked(vmi)
  );
}

/** Those of the annotations that the machine carries. */
export function present(machine: KubevirtMachine, annotations: readonly string[]): string[] {
  return annotations.filter((annotation) => annotationOf(machine, annotation) !== undefined);
}

/** The end of the grace time, if one runs; a malformed one does not, and is written anew. */
function graceUntil(machine: KubevirtMachine): Instant | undefined {
  return parseInstant(annotationOf(machine, ANNOTATION.capkDeletionGraceTime));
}

/** A grace time ran and is over. */
export function isGraceOver({ machine, now }: CapkInput): boolean {
  const until = graceUntil(machine);
  return until !== undefined && now > until;
}

/** The grace time that a step writes where none runs yet. */
export function freshGrace({ machine, now }: CapkInput): { graceUntil?: Instant } {
  return graceUntil(machine) === undefined ? { graceUntil: now + CAPK_GRACE_SECONDS * 1000 } : {};
}

export function readMark({ vmi }: CapkInput): Evidence[] {
  if (!vmi) return [];
  return [
    vmiField(vmi, 'spec.evictionStrategy', vmi.spec?.evictionStrategy),
    vmiField(vmi, 'status.evacuationNodeName', vmi.status?.evacuationNodeName),
  ];
}

export function readAnnotation({ machine }: CapkInput, annotation: string): Evidence {
  return field(
    machine,
    `metadata.annotations[${annotation}]`,
    annotationOf(machine, annotation),
    'KubevirtMachine',
  );
}
