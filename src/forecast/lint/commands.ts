/** Commands for the cures, each between backticks and ready to be pasted. */
import type { KubeVirt, ObjectMeta, Vmi } from '../../kubevirt/objects.ts';
import { controllerOf } from '../../kubevirt/predicates.ts';

interface Named {
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace'>;
}

/** Names the object in a command: `-n shop db-0`. */
export function target({ metadata }: Named): string {
  return `${inNamespaceOf({ metadata })} ${shellWord(metadata.name)}`;
}

export function inNamespaceOf({ metadata }: Named): string {
  return `-n ${shellWord(metadata.namespace ?? 'default')}`;
}

/** A name as one word of a shell. Names come from a cluster or a dump that others write, so nothing in them may run. */
export function shellWord(name: string): string {
  return /^[\w.:/-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}

/** Merges this into the spec of the KubeVirt CR. */
export function patchKubeVirt(kubevirt: KubeVirt, spec: unknown): string {
  return `\`kubectl patch kubevirt ${target(kubevirt)} --type merge -p '${JSON.stringify({ spec })}'\``;
}

/** Merges this into the spec of the VM of the same name. */
export function patchVm(vm: Named, spec: unknown): string {
  return `\`kubectl patch vm ${target(vm)} --type merge -p '${JSON.stringify({ spec })}'\``;
}

/** Sets the strategy that the VM's next VMI is stamped with. */
export function setStrategy(vm: Named, evictionStrategy: string): string {
  return patchVm(vm, { template: { spec: { evictionStrategy } } });
}

/** Shuts the guest down; a VMI without VM can only be deleted. */
export function stop(vmi: Vmi): string {
  return isOwned(vmi) ? `\`virtctl stop ${target(vmi)}\`` : `\`kubectl delete vmi ${target(vmi)}\``;
}

/** Gives the VM a new VMI; a VMI without VM has to be made anew by whoever made it. */
export function restart(vmi: Vmi): string {
  return isOwned(vmi)
    ? `\`virtctl restart ${target(vmi)}\``
    : `\`kubectl delete vmi ${target(vmi)}\` and create it again`;
}

function isOwned(vmi: Vmi): boolean {
  return controllerOf(vmi.metadata) !== undefined;
}
