import type { Outcome } from '../forecast/forecast.ts';
import { namespaceOf } from '../scenario/cluster.ts';
import type { Expectations } from '../scenario/expect-schema.ts';
import type { Scenario } from '../scenario/schema.ts';
import { type FailedExpectation, movesOf, type RunResult, type VmResult } from './result.ts';
import { keyIn } from './stage.ts';

type Run = Omit<RunResult, 'failures'>;

/** What is expected, what there is, and who says so: a table of checks, each of which gives messages about what is otherwise. */
type Checks = {
  readonly [Name in keyof Expectations]-?: (
    expected: NonNullable<Expectations[Name]>,
    run: Run,
    vmOf: (name: string) => VmResult | undefined,
  ) => readonly string[];
};

const CHECKS: Checks = {
  outcomes: (expected, _, vmOf) =>
    Object.entries(expected).flatMap(([name, wanted]) => {
      const outcome = vmOf(name)?.outcome ?? 'Absent';
      const allowed = typeof wanted === 'string' ? [wanted] : wanted;
      return allowed.includes(outcome) ? [] : `${name}: ${outcome}, not ${allowed.join(' or ')}`;
    }),
  counts: (expected, { counts }) =>
    Object.entries(expected).flatMap(([outcome, wanted]) => {
      const count = counts[outcome as Outcome] ?? 0;
      return count === wanted ? [] : `${count} VMs are ${outcome}, not ${wanted}`;
    }),
  nodes: (expected, _, vmOf) =>
    Object.entries(expected).flatMap(([name, wanted]) => {
      const node = vmOf(name)?.toNode ?? '';
      return node === wanted ? [] : `${name} runs on ${node || 'no node'}, not on ${wanted || 'none'}`;
    }),
  drains: (expected, { deeds }) =>
    Object.entries(expected).flatMap(([node, wanted]) => {
      const end = deeds.filter((deed) => deed.node === node).at(-1)?.end ?? 'absent';
      return end === wanted ? [] : `the drain of ${node}: ${end}, not ${wanted}`;
    }),
  within: (expected, { vms }) => {
    const open = vms.filter(
      ({ startSeconds, endSeconds }) => startSeconds !== undefined && endSeconds === undefined,
    );
    if (open.length > 0)
      return open.map(({ name }) => `${name} is not done in the end, nor within ${expected} s`);
    const end = lastEnd(vms);
    return end <= expected ? [] : [`the last VM is done after ${end} s, not within ${expected} s`];
  },
  notBefore: (expected, { vms }) => {
    const end = lastEnd(vms);
    return end >= expected ? [] : [`the last VM is done after ${end} s, before ${expected} s`];
  },
  movesPerVm: (expected, { vms }) => atMost(vms, expected, movesOf, 'moves'),
  restartsPerVm: (expected, { vms }) => atMost(vms, expected, ({ restarts }) => restarts, 'restarts'),
  downtimePerVm: (expected, { vms }) =>
    atMost(vms, expected, ({ downtimeSeconds }) => downtimeSeconds, 'seconds without a guest'),
  movesAtOnce: (expected, { mostCopies }) =>
    mostCopies <= expected ? [] : [`${mostCopies} copies at once, not at most ${expected}`],
  outboundPerNode: (expected, { nodes }) =>
    atMost(nodes, expected, ({ outbound }) => outbound, 'copies out at once'),
  inboundPerNode: (expected, { nodes }) =>
    atMost(nodes, expected, ({ inbound }) => inbound, 'copies in at once'),
  guestsPerNode: (expected, { nodes }) => atMost(nodes, expected, ({ guests }) => guests, 'guests at once'),
  says: (expected, run) => {
    const said = textsOf(run);
    return expected
      .filter((text) => !said.some((held) => held.includes(text)))
      .map((text) => `nobody says "${text}"`);
  },
  neverSays: (expected, run) => {
    const said = textsOf(run);
    return expected
      .filter((text) => said.some((held) => held.includes(text)))
      .map((text) => `somebody says "${text}"`);
  },
};

/** What a scenario expects of a run and did not come true, in the order of `expect`. */
export function failedExpectations({ expect, cluster }: Scenario, run: Run): FailedExpectation[] {
  if (!expect) return [];
  const byName = new Map(run.vms.map((vm) => [vm.name, vm]));
  const vmOf = (name: string) => byName.get(keyIn(namespaceOf(cluster), name));
  return Object.entries(expect).flatMap(([name, expected]) => {
    const check = CHECKS[name as keyof Expectations] as (
      expected: unknown,
      run: Run,
      of: typeof vmOf,
    ) => readonly string[];
    return expected === undefined
      ? []
      : check(expected, run, vmOf).map((message) => ({ expectation: name, message }));
  });
}

/** When the last VM was done; 0 where nothing happened to any. */
function lastEnd(vms: readonly VmResult[]): number {
  return vms.reduce((last, { endSeconds = 0 }) => Math.max(last, endSeconds), 0);
}

function atMost<T extends { readonly name: string }>(
  all: readonly T[],
  most: number,
  of: (one: T) => number,
  what: string,
): string[] {
  return all
    .filter((one) => of(one) > most)
    .map((one) => `${one.name}: ${of(one)} ${what}, not at most ${most}`);
}

function textsOf({ events, vms, deeds }: Run): string[] {
  return [
    ...events.map(({ reason, message }) => `${reason}: ${message}`),
    ...vms.flatMap(({ refusals }) => refusals.map(({ says }) => says)),
    ...deeds.flatMap(({ says }) => says),
  ];
}
