import type { VmVerdict } from '../forecast.ts';

/** One thing to do, and the VMs that it would help. */
export interface RemedyGroup {
  readonly remedy: string;
  /** `namespace/name`, in the order given. */
  readonly vms: readonly string[];
}

/** The remedies of several VMs, each once: those of the first VM first, so pass the worst VM first. */
export function groupRemedies(vms: readonly VmVerdict[]): RemedyGroup[] {
  const groups = new Map<string, string[]>();
  for (const vm of vms) {
    for (const remedy of vm.remedies) {
      const group = groups.get(remedy);
      if (group) group.push(keyOfVm(vm));
      else groups.set(remedy, [keyOfVm(vm)]);
    }
  }
  return [...groups].map(([remedy, names]) => ({ remedy, vms: names }));
}

/** `namespace/name`, the form that other commands take. */
export function keyOfVm(vm: Pick<VmVerdict, 'namespace' | 'name'>): string {
  return `${vm.namespace}/${vm.name}`;
}

/** At most `shown` names, and how many more. */
export function someOf(names: readonly string[], shown = 3): string {
  if (names.length <= shown + 1) return names.join(', ');
  return `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`;
}
