import { STRATEGY } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { Behavior } from '../rules.ts';
import type { ClusterApiObjects, Worker } from './worker.ts';

/** Who acts on the marks of External VMIs. */
export type ExternalController = 'unknown' | 'none' | 'capk-v0.1.10' | 'capk-backport';

export interface ExternalInput {
  readonly controller: ExternalController;
  readonly vmi: Vmi;
  readonly worker: Worker;
  readonly objects: ClusterApiObjects;
  readonly now: Instant;
  /** `intended`: v0.1.10 without its defects, which does what the build with the backported patch does. */
  readonly behavior: Behavior;
  /** Why nothing starts the VM again once its VMI is deleted, in a few words; absent: something does. */
  readonly staysOff?: string | undefined;
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

/** What becomes of the VM when CAPK has deleted its VMI. */
export function afterDeletion({ staysOff }: Pick<ExternalInput, 'staysOff'>): string {
  return staysOff === undefined ? 'the VM restarts' : `the VM stays off: ${staysOff}`;
}

/** A VMI that carries no strategy of its own has the cluster's; CAPK then does not know that the mark is meant for it. */
export function saysExternal({ vmi }: Pick<ExternalInput, 'vmi'>): boolean {
  return vmi.spec?.evictionStrategy === STRATEGY.external;
}

/** Whether this build of CAPK migrates what can migrate. */
export function capkMigrates({
  controller,
  behavior,
}: Pick<ExternalInput, 'controller' | 'behavior'>): boolean {
  return controller === 'capk-backport' || behavior === 'intended';
}

/** What both builds do with a marked VMI that cannot migrate, before anything happens to its Machine. */
export const TERMINAL_CLAUSE =
  "is handed over to CAPK, which marks its Machine as failed for good, drains the guest's node for up to 10 minutes and deletes the VMI:";
/** The same, where CAPK overlooks the mark: the Machine fails, and the VMI is left alone. */
export const FAILED_CLAUSE =
  'is handed over to CAPK, which leaves the VMI alone, since its own spec does not say External, and marks its Machine as failed for good:';
