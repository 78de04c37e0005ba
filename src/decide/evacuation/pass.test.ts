import { describe, expect, it } from 'vitest';
import { aMigration, aNode, aVmi } from '../../kubevirt/builders.ts';
import type { CapEntry } from '../migration/queue.ts';
import { decide } from '../rules.ts';
import { resolveSettings } from '../settings.ts';
import { evacuationPassTable, type PassInput } from './pass.ts';

const now = 1_000_000_000;
const settings = resolveSettings(undefined);
const old = resolveSettings(undefined, { major: 1, minor: 8 });
const movable = (name: string) => aVmi(name).on('n1').strategy('LiveMigrate').migratable().marked();
const stuck = (name: string) =>
  aVmi(name).on('n1').strategy('LiveMigrate').migratable('False', 'Gpu').marked();
const quiet = (name: string) => aVmi(name).on('n1').strategy('LiveMigrate').migratable();
const on = (vmi: ReturnType<typeof movable>) => ({ vmi: vmi.build(), pods: [], unfinishedMigrations: [] });
const entry = (phase: string, node: string): CapEntry => ({
  migration: aMigration().phase(phase).build(),
  vmi: aVmi('other').on(node).build(),
  hasTargetPod: false,
});

/** Its target has no room in a quota. */
const refusedEntry = (node: string): CapEntry => ({
  ...entry('Pending', node),
  migration: aMigration().phase('Pending').condition('migrationRejectedByResourceQuota').build(),
});

const ask = (change: Partial<PassInput> = {}): PassInput => ({
  nodeName: 'n1',
  node: aNode('n1').build(),
  vmis: [],
  expectation: undefined,
  unfinished: [],
  settings,
  now,
  behavior: 'exact',
  ...change,
});
const run = (change: Partial<PassInput>) => decide(evacuationPassTable, ask(change)).result;
const names = (creations: readonly { vmi: { metadata: { name: string } } }[]) =>
  creations.map(({ vmi }) => vmi.metadata.name);
const many = (count: number) => Array.from({ length: count }, (_, i) => on(movable(`vm-${i}`)));

describe('a pass over a node', () => {
  it('forgets expectations about a node that is gone', () => {
    const input = ask({
      node: undefined,
      expectation: { pending: 2, setAt: now },
      vmis: [on(movable('db'))],
    });
    expect(decide(evacuationPassTable, input)).toEqual({
      reason: 'NodeUnknown',
      evidence: [{ object: 'Node n1', path: 'metadata.name', value: undefined }],
      result: { creations: [], heldBack: [], events: [], decisions: [], expectation: undefined },
    });
  });

  it('does nothing while its creations are not seen', () => {
    const expectation = { pending: 1, setAt: now - 300_000 };
    expect(decide(evacuationPassTable, ask({ expectation, vmis: [on(movable('db'))] }))).toEqual({
      reason: 'CreationsUnseen',
      evidence: [{ object: 'Node n1', path: 'unseenCreations', value: 1 }],
      result: { creations: [], heldBack: [], events: [], decisions: [], expectation },
    });
  });

  it('stops waiting after five minutes', () => {
    const expectation = { pending: 1, setAt: now - 300_001 };
    expect(names(run({ expectation, vmis: [on(movable('db'))] }).creations)).toEqual(['db']);
  });

  it('creates one migration a candidate, and says what it decided about each VMI in the given order', () => {
    const vmis = [on(movable('b')), on(quiet('q')), on(movable('a')), on(stuck('s'))];
    const decision = decide(evacuationPassTable, ask({ vmis }));
    expect(decision.reason).toBe('Evacuate');
    expect(decision.evidence).toEqual([{ object: 'Node n1', path: 'vmis', value: 4 }]);
    expect(names(decision.result.creations)).toEqual(['a', 'b']);
    expect(decision.result.creations[0]?.migration).toMatchObject({ spec: { vmiName: 'a' } });
    expect(
      decision.result.decisions.map(({ vmi, decision }) => [vmi.metadata.name, decision.reason]),
    ).toEqual([
      ['b', 'Evacuate'],
      ['q', 'NotMarked'],
      ['a', 'Evacuate'],
      ['s', 'NotLiveMigratable'],
    ]);
  });

  it.each([
    ['candidates', [on(movable('a')), on(movable('b'))], { pending: 2, setAt: now }],
    ['only VMIs that cannot migrate', [on(stuck('s'))], { pending: 0, setAt: now }],
    ['nobody', [on(quiet('q'))], { pending: -1, setAt: 5 }],
  ])('expects what it creates; with %s', (_, vmis, expectation) => {
    expect(run({ vmis, expectation: { pending: -1, setAt: 5 } }).expectation).toEqual(expectation);
  });
});

describe('defect: VMIs that should go and cannot are passed over in silence', () => {
  const vmis = [on(stuck('s')), on(quiet('q'))];

  it('exact: no event', () => {
    expect(run({ vmis }).events).toEqual([]);
  });

  it('intended: a warning on each', () => {
    expect(run({ vmis, behavior: 'intended' }).events).toMatchObject([
      { name: 's', type: 'Warning', message: 'VMI shop/s should leave node n1 but cannot live-migrate: Gpu' },
    ]);
  });
});

describe('defect: nothing bounds how many migrations a drain creates', () => {
  it('exact: one a VMI, however many', () => {
    const result = run({ vmis: many(40), unfinished: Array(9).fill(entry('Running', 'n1')) });
    expect(result.creations).toHaveLength(40);
    expect(result.heldBack).toEqual([]);
    expect(result).not.toHaveProperty('requeueAfterSeconds');
  });

  it.each([
    ['nothing runs', [], 2],
    ['one leaves the node', [entry('Running', 'n1')], 1],
    ['two leave the node', [entry('Running', 'n1'), entry('Pending', 'n1')], 0],
    ['three run elsewhere', Array(3).fill(entry('Running', 'n2')), 2],
    ['four wait elsewhere', Array(4).fill(entry('Pending', 'n2')), 1],
    ['five run elsewhere', Array(5).fill(entry('Running', 'n2')), 0],
    ['too many leave the node', Array(4).fill(entry('Running', 'n1')), 0],
    ['a quota refuses four of the node', Array(4).fill(refusedEntry('n1')), 2],
    ['a quota refuses nine elsewhere', Array(9).fill(refusedEntry('n2')), 2],
  ])('intended: as many as there are places; %s', (_, unfinished, places) => {
    const result = run({ vmis: many(4), unfinished, behavior: 'intended' });
    expect(result.creations).toHaveLength(places);
    expect(result.heldBack).toHaveLength(4 - places);
    expect(result.expectation).toEqual({ pending: places, setAt: now });
    expect(result.requeueAfterSeconds).toBe(5);
  });

  it('intended: does not come back where nobody is held back', () => {
    const result = run({ vmis: many(2), behavior: 'intended' });
    expect(result.creations).toHaveLength(2);
    expect(result).not.toHaveProperty('requeueAfterSeconds');
  });

  it('exact, before 1.9: running migrations take the places, waiting ones do not', () => {
    const madeIn18 = (unfinished: CapEntry[]) =>
      run({ vmis: many(4), settings: old, unfinished }).creations.length;
    expect(madeIn18([])).toBe(2);
    expect(madeIn18([entry('Running', 'n1')])).toBe(1);
    expect(madeIn18([entry('Pending', 'n1'), entry('Pending', 'n1')])).toBe(2);
  });

  it('urgent ones go first', () => {
    const vmis = [
      on(movable('a').annotated('kubevirt.io/eviction-source', 'descheduler')),
      on(movable('c')),
      on(movable('b')),
    ];
    const result = run({ vmis, behavior: 'intended' });
    expect(names(result.creations)).toEqual(['b', 'c']);
    expect(names(result.heldBack)).toEqual(['a']);
  });
});

it('VMIs that may not migrate now take no place, and are decided about all the same', () => {
  const vmis = many(4);
  const mayMigrate = ({ metadata: { name } }: { metadata: { name: string } }) => name !== 'vm-0';
  const intended = run({ vmis, behavior: 'intended', mayMigrate });
  expect(names(intended.creations)).toEqual(['vm-1', 'vm-2']);
  expect(names(intended.heldBack)).toEqual(['vm-3']);
  expect(intended.decisions).toHaveLength(4);
  expect(intended.expectation).toEqual({ pending: 2, setAt: now });
  expect(names(run({ vmis, mayMigrate }).creations)).toEqual(['vm-1', 'vm-2', 'vm-3']);
});

it('who finds no target beside those before leaves the place to the next one, and is not held back for it', () => {
  const asked: string[] = [];
  const findsTarget = ({ metadata: { name } }: { metadata: { name: string } }) =>
    asked.push(name) > 0 && name !== 'vm-1';
  const intended = run({ vmis: many(5), behavior: 'intended', findsTarget });
  expect(names(intended.creations)).toEqual(['vm-0', 'vm-2']);
  expect(names(intended.heldBack)).toEqual(['vm-3', 'vm-4']);
  expect(asked).toEqual(['vm-0', 'vm-1', 'vm-2']);
});
