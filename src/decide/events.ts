import type { ObjectMeta } from '../kubevirt/objects.ts';

/** An event that a decision wants recorded; the caller adds component, time and count. */
export interface EventDraft {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

interface Regarded {
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace'>;
}

type EventOn = (regarded: Regarded, type: EventDraft['type'], reason: string, message: string) => EventDraft;

export const eventOnVm = eventOn('VirtualMachine');
export const eventOnVmi = eventOn('VirtualMachineInstance');
export const eventOnMigration = eventOn('VirtualMachineInstanceMigration');
export const eventOnPod = eventOn('Pod');
export const eventOnNode = eventOn('Node');
export const eventOnBudget = eventOn('PodDisruptionBudget');

function eventOn(kind: string): EventOn {
  return ({ metadata: { namespace, name } }, type, reason, message) => ({
    kind,
    namespace,
    name,
    type,
    reason,
    message,
  });
}
