import type { ScenarioVm } from '../../../scenario/schema.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';
import { withPodsCounted } from './pod-quota.ts';

/** VMs that are off, that wait for a node which never comes, or that nothing starts again here. */
export function going(draws: Draws, trial: Trial): Trial {
  const vms = trial.cluster.vms.map((vm) => (draws.percent(35) ? { ...vm, ...drawState(draws, vm) } : vm));
  return { ...trial, cluster: withPodsCounted({ ...trial.cluster, vms }) };
}

function drawState(draws: Draws, { standalone }: ScenarioVm): Partial<ScenarioVm> {
  const states: readonly [Partial<ScenarioVm>, ...Partial<ScenarioVm>[]] = [
    { ...ON_NO_NODE, phase: 'Scheduling', nodeSelector: { tier: 'none' } },
    { runStrategy: 'WaitAsReceiver' },
    ...(standalone ? [] : [{ ...ON_NO_NODE, phase: 'Stopped' }]),
  ];
  return draws.pick(...states);
}

const ON_NO_NODE = { node: undefined, hotplugged: undefined, marked: undefined };
