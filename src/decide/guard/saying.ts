import type { Namespace, VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { annotationOf } from '../../kubevirt/predicates.ts';
import { field } from '../evidence.ts';
import type { Evidence } from '../rules.ts';

/** What may say something about evictions of one VM, nearest first. */
export interface GuardedObjects {
  readonly vm: VirtualMachine | undefined;
  readonly vmi: Vmi | undefined;
  readonly namespace: Namespace | undefined;
}

/** An annotation as it counts, and where it stands. */
export interface Saying {
  readonly value: string;
  readonly kind: string;
  readonly evidence: Evidence;
}

const KINDS = { vm: 'VirtualMachine', vmi: 'VirtualMachineInstance', namespace: 'Namespace' } as const;

/** The annotation of the nearest object that has it: the VM, else its VMI (a template or a VMI without VM), else the namespace. */
export function sayingOf(objects: GuardedObjects, annotation: string): Saying | undefined {
  for (const place of ['vm', 'vmi', 'namespace'] as const) {
    const object = objects[place];
    const value = object && annotationOf(object, annotation);
    if (object && value !== undefined) {
      const kind = KINDS[place];
      return { value, kind, evidence: field(object, `metadata.annotations[${annotation}]`, value, kind) };
    }
  }
  return undefined;
}
