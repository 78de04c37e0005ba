import { type AgentsFacts, measureAgents } from './agents.ts';
import type { WriteCount } from './audit.ts';
import type { Bench, BenchOptions, Report } from './measure.ts';

/**
 * What a roll-out costs the API server: 200 VMs on four nodes move, 20 at once, 5 out of a node, as in the measurement of the real
 * virt-controller. Takes minutes, so it runs only where it alone is asked for.
 */
export const bench: Bench = { name: 'rollout', run: async () => [], report };

/** In the bench's process: the stand-in for KubeVirt's controllers, and Drover's own. */
const CONTROLLERS: readonly string[] = ['stand-in', 'drover-controller'];

async function report({ vms = 200 }: BenchOptions): Promise<Report> {
  const facts = await measureAgents({ nodes: 4, vmis: vms, parallel: 20, outbound: 5 });
  return { facts, text: textOf(facts) };
}

function textOf({ vmis, move, moveWrites, controllersCpuSeconds }: AgentsFacts): string {
  const each = (count: number): string => (count / vmis).toFixed(2);
  const ofControllers = moveWrites.filter(({ who }) => CONTROLLERS.includes(who));
  const objects = ofControllers.filter(({ resource }) => resource !== 'events');
  const sum = (counts: readonly WriteCount[], field: 'count' | 'refused'): string =>
    each(counts.reduce((all, one) => all + one[field], 0));
  const rows = moveWrites.map(({ who, verb, resource, count, refused }) =>
    [
      who.padEnd(26),
      `${verb} ${resource}`.padEnd(50),
      each(count).padStart(7),
      each(refused).padStart(7),
    ].join(''),
  );
  return [
    `${vmis} VMs moved in ${move.seconds.toFixed(1)} s`,
    `controllers: ${sum(objects, 'count')} writes a VM, ${sum(objects, 'refused')} of them refused; with events ${sum(ofControllers, 'count')}`,
    `their process: ${((controllersCpuSeconds / vmis) * 1000).toFixed(0)} ms of CPU a VM; API server: ${((move.apiServerCpuSeconds / vmis) * 1000).toFixed(0)} ms`,
    'writes a VM, and refused:',
    ...rows,
  ].join('\n');
}
