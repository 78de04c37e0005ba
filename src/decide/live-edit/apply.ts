import type { Condition, VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { withCondition } from '../vmi/conditions.ts';
import { editedSpec, type LiveEdit } from './edit.ts';
import type { LiveEditResult } from './result.ts';

export interface EditedObjects {
  readonly vm: VirtualMachine;
  readonly vmi: Vmi | undefined;
}

/**
 * The VM and its VMI as they are once the edit has had its effect: the template edited, RestartRequired on the VM, or the
 * VMI's spec edited and its hot-plug condition set.
 *
 * Promise: the given objects are not changed. An edit that is refused changes neither: an admission refusal never
 * lands, and a hot-plug that has to wait does nothing until it may.
 */
export function applyLiveEdit(
  { vm, vmi }: EditedObjects,
  edit: LiveEdit,
  { effect, condition }: LiveEditResult,
): EditedObjects {
  if (effect === 'Refused') return { vm, vmi };
  const edited = withTemplate(vm, edit);
  if (effect === 'RestartRequired') return { vm: telling(edited, condition), vmi };
  if (effect === 'NoChange' || !vmi) return { vm: edited, vmi };
  return { vm: edited, vmi: telling({ ...vmi, spec: editedSpec(vmi.spec, edit) }, condition) };
}

function withTemplate(vm: VirtualMachine, edit: LiveEdit): VirtualMachine {
  const template = vm.spec?.template;
  return { ...vm, spec: { ...vm.spec, template: { ...template, spec: editedSpec(template?.spec, edit) } } };
}

type WithConditions = { status?: { conditions?: Condition[] | undefined } | undefined };

function telling<T extends WithConditions>(object: T, condition: Condition | undefined): T {
  if (!condition) return object;
  const conditions = [...withCondition(object.status?.conditions ?? [], condition)];
  return { ...object, status: { ...object.status, conditions } };
}
