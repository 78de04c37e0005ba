import type { PersistentVolumeClaim, Pod } from '../../../kubevirt/objects.ts';
import type { Instant } from '../../../kubevirt/time.ts';

/** What is seen around a VMI. */
export interface VmiNews {
  readonly now: Instant;
  /** The pod that it runs in. */
  readonly pod: Pod | undefined;
  /** All pods that it controls. */
  readonly pods: readonly Pod[];
  /** The attachment pods of the pod that it runs in. */
  readonly attachments: readonly Pod[];
  /** Today's launcher image. */
  readonly launcherImage: string;
  /** What kept the controller from what it had to do. */
  readonly failure: { readonly reason: string; readonly message: string } | undefined;
  /** Whether the VM that controls it is still there. */
  readonly hasOwner: boolean;
  claim(name: string): PersistentVolumeClaim | undefined;
}

const HANDED_OVER: ReadonlySet<string | undefined> = new Set(['Scheduled', 'Running']);

/** virt-handler has the VMI, and virt-controller writes to it with more reserve. */
export function isHandedOver(phase: string | undefined): boolean {
  return HANDED_OVER.has(phase);
}
