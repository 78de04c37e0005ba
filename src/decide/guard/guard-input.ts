import { DROVER_ANNOTATION } from '../../kubevirt/names.ts';
import { namespaceIn } from '../../kubevirt/object-key.ts';
import type { Namespace, Node, Pod, VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { annotationOf } from '../../kubevirt/predicates.ts';
import { formatInstant, type Instant } from '../../kubevirt/time.ts';
import { domainOf } from '../eviction/hotplug.ts';
import { failureIn, foundIn, isMissing, type Lookup, lookupEvidence } from '../eviction/lookup.ts';
import type { Evidence } from '../rules.ts';
import { type GuardedObjects, type Saying, sayingOf } from './saying.ts';
import { readWindows, type WindowState, windowsAt } from './window.ts';

/** The values of `drover.dev/eviction`. */
export const GUARD_RULES = ['allow', 'never', 'approve', 'window'] as const;
type GuardRule = (typeof GUARD_RULES)[number];

/** An eviction, with everything that may say something about it. */
export interface GuardInput {
  /** `namespace/name` of the pod. */
  readonly key: string;
  readonly pod: Lookup<Pod>;
  /** Absent for what need not be read: nothing is guarded by a pod that is no active launcher. */
  readonly around?: GuardSurroundings | undefined;
  readonly now: Instant;
}

export interface GuardSurroundings {
  /** The VM and the VMI of the pod; they share their name. */
  readonly vm: Lookup<VirtualMachine>;
  readonly vmi: Lookup<Vmi>;
  readonly namespace: Lookup<Namespace>;
  /** The node of the pod; absent for a pod on none. */
  readonly node?: Lookup<Node> | undefined;
}

function objectsOf({ around }: GuardInput): GuardedObjects {
  return {
    vm: around && foundIn(around.vm),
    vmi: around && foundIn(around.vmi),
    namespace: around && foundIn(around.namespace),
  };
}

/** What is said of evictions of the VM, and where; undefined: nothing. */
export function ruleOf(input: GuardInput): Saying | undefined {
  return sayingOf(objectsOf(input), DROVER_ANNOTATION.eviction);
}

/** Whether just this is said. */
export function isRule(input: GuardInput, rule: GuardRule): boolean {
  return ruleOf(input)?.value === rule;
}

/** What is said of an approval, be it past. */
export function approvalOf(input: GuardInput): Saying | undefined {
  return sayingOf(objectsOf(input), DROVER_ANNOTATION.evictionApproved);
}

/** The windows of the VM as they are now; an error where none is given or it cannot be read. */
export function windowOf(input: GuardInput): WindowState | { readonly error: string } {
  const text = sayingOf(objectsOf(input), DROVER_ANNOTATION.evictionWindow)?.value;
  if (text === undefined) return { error: `${DROVER_ANNOTATION.evictionWindow} is missing` };
  const reading = readWindows(text);
  return 'error' in reading ? reading : windowsAt(reading.windows, input.now);
}

/** Why the glass of the node is broken, so that everything may go; undefined: it is not, or the node cannot be read. */
export function glassOf(around: GuardSurroundings | undefined): string | undefined {
  const node = around?.node && foundIn(around.node);
  return node && annotationOf(node, DROVER_ANNOTATION.breakGlass);
}

/** The server's text about the first of what cannot be read, though it may be there. */
export function readFailure({ around }: GuardInput): string | undefined {
  if (!around) return undefined;
  const { vm, vmi, namespace } = around;
  return [vm, vmi, namespace].filter((lookup) => !isMissing(lookup)).flatMap((l) => failureIn(l) ?? [])[0];
}

export function podEvidence({ key, pod }: GuardInput): Evidence[] {
  return [lookupEvidence(`Pod ${key}`, pod)];
}

export function glassEvidence({ around, pod }: GuardInput): Evidence[] {
  const name = foundIn(pod)?.spec?.nodeName ?? '';
  const path = `metadata.annotations[${DROVER_ANNOTATION.breakGlass}]`;
  return [{ object: `Node ${name}`, path, value: glassOf(around) }];
}

export function aroundEvidence({ key, pod, around }: GuardInput): Evidence[] {
  if (!around) return [];
  const namespace = namespaceIn(key);
  const name = `${namespace}/${domainOf(foundIn(pod))}`;
  return [
    lookupEvidence(`VirtualMachine ${name}`, around.vm),
    lookupEvidence(`VirtualMachineInstance ${name}`, around.vmi),
    lookupEvidence(`Namespace ${namespace}`, around.namespace),
  ];
}

export function ruleEvidence(input: GuardInput): Evidence[] {
  return [ruleOf(input)?.evidence ?? []].flat();
}

export function approvalEvidence(input: GuardInput): Evidence[] {
  return [...ruleEvidence(input), approvalOf(input)?.evidence ?? []].flat();
}

export function windowEvidence(input: GuardInput): Evidence[] {
  const window = sayingOf(objectsOf(input), DROVER_ANNOTATION.evictionWindow);
  const now = { object: 'clock', path: 'now', value: formatInstant(input.now) };
  return [...ruleEvidence(input), window?.evidence ?? [], now].flat();
}
