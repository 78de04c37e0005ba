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

export function eventOnVmi(
  vmi: Regarded,
  type: EventDraft['type'],
  reason: string,
  message: string,
): EventDraft {
  return eventOn('VirtualMachineInstance', vmi, type, reason, message);
}

export function eventOnMigration(
  migration: Regarded,
  type: EventDraft['type'],
  reason: string,
  message: string,
): EventDraft {
  return eventOn('VirtualMachineInstanceMigration', migration, type, reason, message);
}

export function eventOnVm(
  vm: Regarded,
  type: EventDraft['type'],
  reason: string,
  message: string,
): EventDraft {
  return eventOn('VirtualMachine', vm, type, reason, message);
}

export function eventOnPod(
  pod: Regarded,
  type: EventDraft['type'],
  reason: string,
  message: string,
): EventDraft {
  return eventOn('Pod', pod, type, reason, message);
}

function eventOn(
  kind: string,
  { metadata: { namespace, name } }: Regarded,
  type: EventDraft['type'],
  reason: string,
  message: string,
): EventDraft {
  return { kind, namespace, name, type, reason, message };
}
