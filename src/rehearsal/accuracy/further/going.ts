import type { RawObject } from '../../../scenario/cluster.ts';
import type { ScenarioVm } from '../../../scenario/schema.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';
import { withPodsCounted } from './pod-quota.ts';

/** VMs that are off, that wait for a node which never comes, or that nothing starts again here. */
export function going(draws: Draws, trial: Trial): Trial {
  const vms = trial.cluster.vms.map((vm) => (draws.percent(35) ? { ...vm, ...drawState(draws, vm) } : vm));
  const away = new Set(vms.filter(({ node }) => node === undefined).map(({ name }) => name));
  const objects = withWorkersCounted(
    (trial.cluster.objects ?? []).filter((object) => !away.has(workerOf(object))),
  );
  return { ...trial, cluster: withPodsCounted({ ...trial.cluster, vms, objects }) };
}

/** The MachineSet as large as it is. */
function withWorkersCounted(objects: readonly RawObject[]): RawObject[] {
  const replicas = objects.filter(({ kind }) => kind === 'Machine').length;
  return objects.map((object) =>
    object.kind === 'MachineSet' ? { ...object, spec: { ...(object.spec as RawObject), replicas } } : object,
  );
}

/** Of its Machine and its KubevirtMachine: without a node it would be replaced, whatever the action is. */
function workerOf({ kind, metadata }: RawObject): string {
  const { name = '' } = (metadata ?? {}) as { readonly name?: string };
  if (kind === 'KubevirtMachine') return name;
  return kind === 'Machine' ? name.replace(/^machine-/, '') : '';
}

function drawState(draws: Draws, { standalone, runStrategy }: ScenarioVm): Partial<ScenarioVm> {
  const states: readonly [Partial<ScenarioVm>, ...Partial<ScenarioVm>[]] = [
    { ...ON_NO_NODE, phase: 'Scheduling', nodeSelector: { tier: 'none' } },
    { runStrategy: 'WaitAsReceiver' },
    ...(standalone ? [] : [{ ...ON_NO_NODE, ...off(runStrategy) }]),
  ];
  return draws.pick(...states);
}

/** Those that would be started at once are halted. */
function off(runStrategy: ScenarioVm['runStrategy']): Partial<ScenarioVm> {
  const stays = runStrategy === 'Manual' || runStrategy === 'RerunOnFailure';
  return { phase: 'Stopped', runStrategy: stays ? runStrategy : 'Halted' };
}

const ON_NO_NODE = { node: undefined, hotplugged: undefined, marked: undefined };
