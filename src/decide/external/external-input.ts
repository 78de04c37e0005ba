import type { Vmi } from '../../kubevirt/objects.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { ClusterApiObjects, Worker } from './worker.ts';

/** Who acts on the marks of External VMIs. */
export type ExternalController = 'unknown' | 'none' | 'capk-v0.1.10' | 'capk-backport';

export interface ExternalInput {
  readonly controller: ExternalController;
  readonly vmi: Vmi;
  readonly worker: Worker;
  readonly objects: ClusterApiObjects;
  readonly now: Instant;
  /** How many other machines of the same health check fail with this one (marked in the same go, and not migratable). */
  readonly alsoFailing?: number | undefined;
}

export interface ExternalOutcome {
  readonly outcome: 'HandedOver' | 'Blocks';
  /** A clause that goes on from the VM's name. */
  readonly says: string;
  readonly remedies: readonly string[];
}

export function handedOver(says: string, remedies: readonly string[] = []): ExternalOutcome {
  return { outcome: 'HandedOver', says, remedies };
}

/** What both builds do with a marked VMI that cannot migrate, before anything happens to its Machine. */
export const TERMINAL_CLAUSE =
  "is handed over to CAPK, which marks its Machine as failed for good, drains the guest's node for up to 10 minutes and deletes the VMI:";
