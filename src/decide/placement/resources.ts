/**
 * What pods ask for, in the scheduler's units: thousandths of a CPU, whole bytes or pieces of everything else, rounded
 * up. kubernetes staging/src/k8s.io/component-helpers/resource/helpers.go.
 */
import type { Container, Pod } from '../../kubevirt/objects.ts';
import { isPodFinished } from '../../kubevirt/predicates.ts';
import { parseQuantity, type Quantity } from '../../kubevirt/quantity.ts';

/** Amounts by resource name. An absent resource counts as 0. */
export type Amounts = ReadonlyMap<string, number>;

type QuantityMap = Readonly<Record<string, Quantity>>;

const NOTHING: Amounts = new Map();

/** A quantity of a resource (`cpu`, `limits.cpu`, `memory`, …). Promise: a malformed one, which no API server stores, is 0. */
export function amountOf(resource: string, quantity: Quantity | undefined): number {
  const value = parseQuantity(quantity) ?? 0;
  return Math.ceil(withoutNoise(isCpu(resource) ? value * 1000 : value));
}

/** Decimal fractions are not exact in binary: 0.07 × 1000 must be 70, and not be rounded up to 71. */
function withoutNoise(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(12));
}

function isCpu(resource: string): boolean {
  return resource === 'cpu' || resource.endsWith('.cpu');
}

/** Quantities as numbers, by resource: CPU in thousandths, everything else whole. */
export function amountsOf(quantities: QuantityMap | undefined): Amounts {
  if (!quantities) return NOTHING;
  return new Map(Object.entries(quantities).map(([name, quantity]) => [name, amountOf(name, quantity)]));
}

/** Resource by resource; what one of the two lacks counts as 0. */
export function plus(a: Amounts, b: Amounts): Amounts {
  return merge(a, b, (x, y) => x + y);
}

/** Resource by resource, below 0 too; what one of the two lacks counts as 0. */
export function minus(a: Amounts, b: Amounts): Amounts {
  return merge(a, b, (x, y) => x - y);
}

function atLeast(a: Amounts, b: Amounts): Amounts {
  return merge(a, b, Math.max);
}

function merge(a: Amounts, b: Amounts, by: (x: number, y: number) => number): Amounts {
  // Most pods have one container, and neither overhead nor requests of their own.
  if (b.size === 0) return a;
  const merged = new Map(a);
  for (const [name, amount] of b) merged.set(name, by(merged.get(name) ?? 0, amount));
  return merged;
}

/** What was worked out of a pod's spec, which is replaced when it changes, and outlasts all that its status goes through. */
const requestsBySpec = new WeakMap<NonNullable<Pod['spec']>, Amounts>();

/**
 * What the scheduler reserves for a pod: its containers with the init containers that stay (sidecars), or more where an
 * init container with the sidecars started before it needs more; pod-wide requests instead where set; plus the overhead.
 */
export function podRequests(pod: Pod): Amounts {
  if (!pod.spec) return NOTHING;
  const requests = requestsBySpec.get(pod.spec) ?? readRequests(pod);
  requestsBySpec.set(pod.spec, requests);
  return requests;
}

function readRequests(pod: Pod): Amounts {
  const containers = peakOf(pod, (container) => requestsOf(container));
  const asked = replace(containers, amountsOf(pod.spec?.resources?.requests));
  return plus(asked, amountsOf(pod.spec?.overhead));
}

/** The same for limits; the overhead raises only limits that are there. */
export function podLimits(pod: Pod): Amounts {
  const containers = peakOf(pod, (container) => amountsOf(container.resources?.limits));
  const asked = replace(containers, amountsOf(pod.spec?.resources?.limits));
  const overhead = [...amountsOf(pod.spec?.overhead)].filter(([name]) => asked.has(name));
  return plus(asked, new Map(overhead));
}

/** A request that is not written equals the limit: the API server fills it in so (core/v1/defaults.go). */
export function requestsOf(container: Container): Amounts {
  return replace(amountsOf(container.resources?.limits), amountsOf(container.resources?.requests));
}

function replace(amounts: Amounts, by: Amounts): Amounts {
  return by.size === 0 ? amounts : new Map([...amounts, ...by]);
}

function peakOf(pod: Pod, of: (container: Container) => Amounts): Amounts {
  let sidecars = NOTHING;
  let start = NOTHING;
  for (const container of pod.spec?.initContainers ?? []) {
    const running = plus(sidecars, of(container));
    if (container.restartPolicy === 'Always') sidecars = running;
    start = atLeast(start, running);
  }
  const steady = (pod.spec?.containers ?? []).reduce((sum, container) => plus(sum, of(container)), sidecars);
  return atLeast(steady, start);
}

/** What unfinished pods reserve together, and how many there are, under `pods`. */
export function loadOf(pods: Iterable<Pod>): Amounts {
  const load = new Map<string, number>();
  const add = (amount: number, resource: string) => load.set(resource, (load.get(resource) ?? 0) + amount);
  for (const pod of pods) {
    if (isPodFinished(pod)) continue;
    podRequests(pod).forEach(add);
    add(1, 'pods');
  }
  return load;
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** An amount for people: `1500m` and `2` CPUs, `3.5Gi` of memory or storage, plain numbers otherwise. */
export function tellAmount(resource: string, amount: number): string {
  if (isCpu(resource)) return amount % 1000 === 0 ? String(amount / 1000) : `${amount}m`;
  if (!/memory$|storage$|hugepages-/.test(resource)) return String(amount);
  let value = amount;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < BINARY.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(1))}${BINARY[unit]}`;
}
