import { type Fleet, isFleetKind } from '../fleet/fleet.ts';
import { OUTCOMES } from '../forecast/forecast.ts';
import { isRunning } from '../kubevirt/predicates.ts';
import { counted } from '../kubevirt/words.ts';
import { ScenarioError } from '../scenario/errors.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { TimelineEntry } from '../scenario/timeline-schema.ts';
import type { Beginning } from './prepare.ts';
import { keyIn } from './stage.ts';

/** Which names there are at some time of a scenario. */
interface Names {
  readonly nodes: ReadonlySet<string>;
  readonly vms: ReadonlySet<string>;
  readonly namespace: string;
}

/** Whether everything that a timeline and its expectations name is there. Throws a `ScenarioError` with all that is not. */
export function checkScenario(scenario: Scenario, beginning: Beginning): void {
  const names = namesOf(scenario, beginning);
  const problems = [
    ...scenario.timeline.flatMap((entry, i) =>
      entryProblems(entry, names).map((problem) => `timeline[${i}]: ${problem}`),
    ),
    ...outcomeProblems(scenario).map((problem) => `expect: ${problem}`),
  ];
  if (problems.length > 0) throw new ScenarioError('ScenarioInvalid', problems.join('; '));
}

/** Whether those who run in a snapshot have something to run in and on; else all of them would be played as falling. Throws a `ScenarioError`. */
export function checkSnapshot(fleet: Fleet): void {
  const running = [...fleet.all('VirtualMachineInstance')].filter(isRunning).length;
  const lacking = (['Node', 'Pod'] as const).filter((kind) => fleet.count(kind) === 0);
  if (running === 0 || lacking.length === 0) return;
  const what = `${counted(running, 'VMI')} run in the snapshot, but it has no ${lacking.join(' and no ')}`;
  throw new ScenarioError('SnapshotIncomplete', what);
}

function namesOf({ cluster, timeline }: Scenario, { objects }: Beginning): Names {
  const namespace = cluster.namespace ?? 'default';
  const created = timeline.flatMap(({ create = [] }) => create);
  const nodes = new Set<string>();
  const vms = new Set<string>();
  for (const object of [...objects, ...created] as {
    kind: string;
    metadata?: { name: string; namespace?: string };
  }[]) {
    const { name = '', namespace: own = namespace } = object.metadata ?? {};
    if (object.kind === 'Node') nodes.add(name);
    if (object.kind === 'VirtualMachine' || object.kind === 'VirtualMachineInstance')
      vms.add(`${own}/${name}`);
  }
  return { nodes, vms, namespace };
}

function entryProblems(entry: TimelineEntry, { nodes, vms, namespace }: Names): string[] {
  const { drain, cordon, uncordon, failNode, rebootNode, edit, start, stop, restart, migrate, evict } = entry;
  const named = [drain?.node, cordon, uncordon, failNode, rebootNode].filter((name) => name !== undefined);
  const owned = [edit?.vm, start, stop, restart, migrate, evict].filter((name) => name !== undefined);
  const kinds = [entry.delete?.kind, ...(entry.create ?? []).map(({ kind }) => String(kind))];
  return [
    ...named.filter((name) => !nodes.has(name)).map((name) => `there is no node ${name}`),
    ...owned.filter((name) => !vms.has(keyIn(namespace, name))).map((name) => `there is no VM ${name}`),
    ...kinds
      .filter((kind) => kind !== undefined && !isFleetKind(kind))
      .map((kind) => `a simulated cluster has no objects of kind ${kind}`),
  ];
}

function outcomeProblems({ expect }: Scenario): string[] {
  const named = [...Object.values(expect?.outcomes ?? {}).flat(), ...Object.keys(expect?.counts ?? {})];
  const known: ReadonlySet<string> = new Set([...OUTCOMES, 'Absent']);
  return [...new Set(named)]
    .filter((outcome) => !known.has(outcome))
    .map((outcome) => `${outcome} is no outcome: ${OUTCOMES.join(', ')}`);
}
