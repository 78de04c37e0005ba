import { someOf } from '../../kubevirt/words.ts';
import type { VmVerdict } from '../forecast.ts';

/** What would help several VMs in the same way. */
export interface RemedyGroup {
  /** In the words of the first VM: commands in it name that one. */
  readonly remedies: readonly string[];
  /** `namespace/name`, in the order given. */
  readonly vms: readonly string[];
}

/**
 * The remedies of several VMs: those whose remedies differ in nothing but the VM's own name are one group. Groups come in
 * the order of their first VM, so pass the worst VM first.
 */
export function groupRemedies(vms: readonly VmVerdict[]): RemedyGroup[] {
  const groups = new Map<string, { remedies: readonly string[]; vms: string[] }>();
  for (const vm of vms.filter(({ remedies }) => remedies.length > 0)) {
    const key = nameless(vm).join('\n');
    const group = groups.get(key);
    if (group) group.vms.push(keyOfVm(vm));
    else groups.set(key, { remedies: vm.remedies, vms: [keyOfVm(vm)] });
  }
  return [...groups.values()];
}

/** The remedies with the VM's own name and namespace taken out where they stand as words. */
function nameless({ remedies, name, namespace }: VmVerdict): string[] {
  const own = new Set([name, namespace]);
  return remedies.map((remedy) =>
    remedy.replace(/[A-Za-z0-9][\w.-]*/g, (word) => (own.has(word) ? '\0' : word)),
  );
}

/** Whom a group helps: `shop/db-0`, or `shop/db-0, and in the same way shop/db-1 and 4 more`. */
export function whom({ vms }: RemedyGroup): string {
  const [first = '', ...others] = vms;
  return others.length === 0 ? first : `${first}, and in the same way ${someOf(others)}`;
}

/** `namespace/name`, the form that other commands take. */
export function keyOfVm(vm: Pick<VmVerdict, 'namespace' | 'name'>): string {
  return `${vm.namespace}/${vm.name}`;
}

/** The message without the name of the VM in front, for views that show the name beside it. */
export function whyOf(vm: VmVerdict): string {
  const key = `${keyOfVm(vm)} `;
  return vm.message.startsWith(key) ? vm.message.slice(key.length) : vm.message;
}
