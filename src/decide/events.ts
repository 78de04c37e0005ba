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
  return { ...identityOf(vmi, 'VirtualMachineInstance'), type, reason, message };
}

export function eventOnMigration(
  migration: Regarded,
  type: EventDraft['type'],
  reason: string,
  message: string,
): EventDraft {
  return { ...identityOf(migration, 'VirtualMachineInstanceMigration'), type, reason, message };
}

export function eventOnVm(
  vm: Regarded,
  type: EventDraft['type'],
  reason: string,
  message: string,
): EventDraft {
  return { ...identityOf(vm, 'VirtualMachine'), type, reason, message };
}

function identityOf(object: Regarded, kind: string): Pick<EventDraft, 'kind' | 'namespace' | 'name'> {
  return { kind, namespace: object.metadata.namespace, name: object.metadata.name };
}
