import { OUTCOMES } from '../../forecast/forecast.ts';
import { isKnownKind } from '../../kubevirt/kinds.ts';
import type { ObjectMeta } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { someOf } from '../../kubevirt/words.ts';
import { namespaceOf } from '../../scenario/cluster.ts';
import { ScenarioError } from '../../scenario/errors.ts';
import type { Scenario } from '../../scenario/schema.ts';
import type { TimelineEntry } from '../../scenario/timeline-schema.ts';
import { externalIn } from '../settings.ts';
import { keyIn } from '../stage.ts';
import { writtenProblems } from './check-patches.ts';
import type { Beginning } from './prepare.ts';

/** Which names there are at some time of a scenario. */
interface Names {
  readonly nodes: ReadonlySet<string>;
  readonly vms: ReadonlySet<string>;
  readonly namespace: string;
  readonly hasKubeVirt: boolean;
}

/** Whether everything that a timeline and its expectations name is there. Throws a `ScenarioError` with all that is not. */
export function checkScenario(scenario: Scenario, beginning: Beginning): void {
  const names = namesOf(scenario, beginning);
  const problems = [
    ...scenario.timeline.flatMap((entry, i) =>
      entryProblems(entry, names).map((problem) => `timeline[${i}]: ${problem}`),
    ),
    ...[...outcomeProblems(scenario), ...expectedProblems(scenario, names)].map(
      (problem) => `expect: ${problem}`,
    ),
  ];
  if (problems.length > 0) throw new ScenarioError('ScenarioInvalid', problems.join('; '));
}

/** Whether a cluster that a scenario describes can be. Throws a `ScenarioError` with all that cannot. */
export function checkCluster({ objects }: Pick<Beginning, 'objects'>): void {
  const all = objects as readonly Described[];
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const object of all) {
    const key = `${object.kind} ${keyOf(object)}`;
    (seen.has(key) ? twice : seen).add(key);
  }
  const nodes = new Set(all.flatMap(({ kind, metadata }) => (kind === 'Node' ? metadata.name : [])));
  const astray = all.filter(
    ({ kind, status }) =>
      kind === 'VirtualMachineInstance' && status?.nodeName !== undefined && !nodes.has(status.nodeName),
  );
  const problems = [
    ...[...twice].map((key) => `there are two of ${key}`),
    ...astray.map((vmi) => `${keyOf(vmi)} runs on ${vmi.status?.nodeName}, and there is no such node`),
  ];
  if (problems.length > 0) throw new ScenarioError('ScenarioInvalid', `cluster: ${problems.join('; ')}`);
}

interface Described {
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly status?: { readonly nodeName?: string | undefined } | undefined;
}

function namesOf({ cluster, timeline }: Scenario, { objects }: Beginning): Names {
  const namespace = namespaceOf(cluster);
  const created = timeline.flatMap(({ create = [] }) => create);
  const nodes = new Set<string>();
  const vms = new Set<string>();
  let hasKubeVirt = false;
  for (const object of [...objects, ...created] as {
    kind: string;
    metadata?: { name: string; namespace?: string };
  }[]) {
    const { name = '', namespace: own = namespace } = object.metadata ?? {};
    if (object.kind === 'KubeVirt') hasKubeVirt = true;
    if (object.kind === 'Node') nodes.add(name);
    if (object.kind === 'VirtualMachine' || object.kind === 'VirtualMachineInstance')
      vms.add(`${own}/${name}`);
  }
  return { nodes, vms, namespace, hasKubeVirt };
}

function entryProblems(entry: TimelineEntry, { nodes, vms, namespace, hasKubeVirt }: Names): string[] {
  const { drain, cordon, uncordon, failNode, rebootNode, edit, start, stop, restart, migrate, evict } = entry;
  const named = [drain?.node, ...(drain?.then ?? []), cordon, uncordon, failNode, rebootNode].filter(
    (name) => name !== undefined,
  );
  const owned = [edit?.vm, start, stop, restart, migrate, evict].filter((name) => name !== undefined);
  const kinds = [entry.delete?.kind, ...(entry.create ?? []).map(({ kind }) => String(kind))];
  const isOfKubeVirt = entry.upgrade !== undefined || entry.config !== undefined;
  return [
    ...(isOfKubeVirt && !hasKubeVirt ? ['there is no KubeVirt object'] : []),
    ...named.filter((name) => !nodes.has(name)).map((name) => `there is no node ${name}${among(nodes)}`),
    ...owned
      .filter((name) => !vms.has(keyIn(namespace, name)))
      .map((name) => `there is no VM ${name}${among(vms)}`),
    ...kinds
      .filter((kind) => kind !== undefined && !isKnownKind(kind))
      .map((kind) => `a simulated cluster has no objects of kind ${kind}`),
    ...writtenProblems(entry),
  ];
}

/** A generated fleet has names that nobody wrote. */
function among(known: ReadonlySet<string>): string {
  return known.size === 0 ? '' : ` among ${someOf([...known].sort(), 8)}`;
}

/** VMs and drains that are expected to have come to something, and are not there. Cluster API makes VMs whose names nobody knows before. */
function expectedProblems({ expect, timeline, settings }: Scenario, { vms, namespace }: Names): string[] {
  const { outcomes = {}, nodes = {}, drains = {} } = expect ?? {};
  const drained = new Set(timeline.flatMap(({ drain }) => drain?.node ?? []));
  const isLacking = (vm: string): boolean =>
    externalIn({ settings }) === 'none' && !vms.has(keyIn(namespace, vm));
  const named = [
    ...Object.keys(outcomes).filter((vm) => ![outcomes[vm]].flat().includes('Absent')),
    ...Object.keys(nodes),
  ];
  return [
    ...[...new Set(named)].filter(isLacking).map((vm) => `there is no VM ${vm}${among(vms)}`),
    ...Object.keys(drains)
      .filter((node) => !drained.has(node))
      .map((node) => `there is no drain of ${node}`),
  ];
}

function outcomeProblems({ expect }: Scenario): string[] {
  const named = [...Object.values(expect?.outcomes ?? {}).flat(), ...Object.keys(expect?.counts ?? {})];
  const known: ReadonlySet<string> = new Set([...OUTCOMES, 'Absent']);
  return [...new Set(named)]
    .filter((outcome) => !known.has(outcome))
    .map((outcome) => `${outcome} is no outcome: ${OUTCOMES.join(', ')}`);
}
