import { COMPUTE_CONTAINER } from '../../kubevirt/names.ts';
import type { Container, Pod, Vmi } from '../../kubevirt/objects.ts';
import { parseQuantity, type Quantity } from '../../kubevirt/quantity.ts';
import { needsCpuHotplug, needsMemoryHotplug } from '../vmi/live-changes.ts';
import { computeResources, type Resources, vcpusOf } from './launcher-resources.ts';

/**
 * The launcher of a guest whose VMI asks for other CPUs or memory than the guest has yet: the next one is rendered from the VMI, and asks
 * for as much more or less than today's.
 *
 * Promise: the same pod where nothing is to change; what today's launcher does not ask for, the next one is not taken to ask for.
 */
export function changedLauncher(pod: Pod, vmi: Vmi): Pod {
  const running = asItRuns(vmi);
  const compute = pod.spec?.containers?.find(({ name }) => name === COMPUTE_CONTAINER);
  if (running === vmi || !compute) return pod;
  const ratio = cpuRatioOf(compute, running);
  const changed = withChange(compute, computeResources(running, ratio), computeResources(vmi, ratio));
  const containers = pod.spec?.containers?.map((container) => (container === compute ? changed : container));
  return { ...pod, spec: { ...pod.spec, containers } };
}

/** The VMI as its guest is by now. */
function asItRuns(vmi: Vmi): Vmi {
  const { domain } = vmi.spec ?? {};
  const cpu = needsCpuHotplug(vmi) ? { ...domain?.cpu, ...vmi.status?.currentCPUTopology } : domain?.cpu;
  const memory = needsMemoryHotplug(vmi)
    ? { ...domain?.memory, guest: vmi.status?.memory?.guestRequested }
    : domain?.memory;
  if (cpu === domain?.cpu && memory === domain?.memory) return vmi;
  return { ...vmi, spec: { ...vmi.spec, domain: { ...domain, cpu, memory } } };
}

/** Virtual CPUs for each CPU that is asked for, as the cluster had it when the launcher was made. */
function cpuRatioOf({ resources }: Container, running: Vmi): number | undefined {
  const asked = parseQuantity(resources?.requests?.cpu);
  return asked ? vcpusOf(running.spec?.domain?.cpu) / asked : undefined;
}

function withChange(container: Container, was: Resources, is: Resources): Container {
  const { requests, limits } = container.resources ?? {};
  return {
    ...container,
    resources: {
      ...container.resources,
      requests: requests && plusChange(requests, was.requests, is.requests),
      limits: limits && plusChange(limits, was.limits, is.limits),
    },
  };
}

type Quantities = Readonly<Record<string, Quantity>>;

function plusChange(asked: Quantities, was: Quantities, is: Quantities): Quantities {
  return Object.fromEntries(
    Object.entries(asked).map(([resource, quantity]) => {
      const change = numberOf(is[resource]) - numberOf(was[resource]);
      return [resource, change === 0 ? quantity : String(numberOf(quantity) + change)];
    }),
  );
}

function numberOf(quantity: Quantity | undefined): number {
  return parseQuantity(quantity) ?? 0;
}
