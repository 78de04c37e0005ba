import type { Later, Outcome, VmVerdict } from '../forecast.ts';
import { keyOfVm } from './remedies.ts';
import { severityRank } from './severity.ts';

/** VMs for which a change of the configuration makes the same difference on the same later occasion. */
export interface LaterGroup {
  readonly when: Later['when'];
  readonly before: Outcome;
  readonly after: Outcome;
  /** `namespace/name`, in the order given. */
  readonly vms: readonly string[];
}

/** What differs later. */
export function laterChanges(vm: VmVerdict): readonly Later[] {
  return (vm.later ?? []).filter(({ before, after }) => before !== after);
}

/** Later differences of many VMs: occasions in their order, within one the worst outcome first. Without any, none. */
export function groupLater(vms: readonly VmVerdict[]): LaterGroup[] {
  const groups = new Map<string, LaterGroup & { vms: string[] }>();
  const occasions: string[] = [];
  for (const vm of vms) {
    for (const { when, before, after } of laterChanges(vm)) {
      if (!occasions.includes(when)) occasions.push(when);
      const key = `${when}\n${before}\n${after}`;
      const group = groups.get(key);
      if (group) group.vms.push(keyOfVm(vm));
      else groups.set(key, { when, before, after, vms: [keyOfVm(vm)] });
    }
  }
  return [...groups.values()].sort(
    (a, b) =>
      occasions.indexOf(a.when) - occasions.indexOf(b.when) || severityRank(a.after) - severityRank(b.after),
  );
}
