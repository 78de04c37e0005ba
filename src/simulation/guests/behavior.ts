/** What a guest does when its VMI is started, asked to shut down, or moved: chosen by whoever sets a simulation up. */
import type { Vmi } from '../../kubevirt/objects.ts';

export interface GuestBehavior {
  /** From Scheduled to Running. */
  readonly bootSeconds: number;
  readonly shutdown: ShutdownBehavior;
  readonly migration: MigrationBehavior;
  /** What its virt-handler finds; worked out of the VMI where absent. */
  readonly migratability?: TaughtMigratability | undefined;
  /** It ends of its own accord, so long after it came up; of one that ran before, scenarios and labs count from their beginning. */
  readonly ownEnd?: OwnEnd | undefined;
  /** A guest agent connects. */
  readonly guestAgent?: boolean | undefined;
}

/**
 * What a guest makes of the power button. `clean`: it is off so many seconds after it took notice; `crashes`: likewise,
 * but by a crash; `ignores`: nothing. It takes no notice of the first `ignoredRequests`; they come every five seconds.
 */
export interface ShutdownBehavior {
  readonly kind: 'clean' | 'crashes' | 'ignores';
  readonly seconds: number;
  readonly ignoredRequests?: number | undefined;
}

/**
 * `takes`: the copy is through so many seconds after the target saw the domain. `fails`: the source gives up so many seconds
 * after the start. `copies`: as long as memory and network make it.
 */
export type MigrationBehavior =
  | { readonly kind: 'takes'; readonly seconds: number }
  | { readonly kind: 'fails'; readonly seconds: number; readonly reason: string }
  | ({ readonly kind: 'copies' } & DirtyBehavior);

/** What a guest does to its memory while it is copied. Megabytes are 10^6 bytes. */
export interface DirtyBehavior {
  /** In use; the guest's whole memory where absent. */
  readonly memoryMB?: number | undefined;
  readonly hotSetMB: number;
  readonly hotSetSeconds: number;
  readonly coldDirtyMBps: number;
}

/** No reason: it can migrate. */
export interface TaughtMigratability {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

export interface OwnEnd {
  readonly kind: 'powersOff' | 'crashes';
  readonly seconds: number;
}

/** How the guest of a VMI behaves; asked anew whenever it matters, so it must give the same answer for the same VMI. */
export type BehaviorOf = (vmi: Vmi) => GuestBehavior;

/** The stand-in of the recorded histories, where nothing else is said. */
export const RECORDED_BEHAVIOR: GuestBehavior = {
  bootSeconds: 1,
  shutdown: { kind: 'clean', seconds: 2 },
  migration: { kind: 'takes', seconds: 3 },
};

/** Why an injected failure says that it failed. */
export const INJECTED_FAILURE = 'lab: injected failure';
