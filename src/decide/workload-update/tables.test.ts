import { describe, expect, it } from 'vitest';
import type { Table } from '../rules.ts';
import { volumeUpdateTable } from '../volume-update.ts';
import { categoryTable } from './categorise.ts';
import { evictionOutcomeTable } from './eviction-outcome.ts';
import { gateTable } from './gates.ts';
import { informerTable } from './informer-events.ts';

const bare = { metadata: { name: 'bare', namespace: 'shop' } };
const refused = { ok: false, message: 'no' } as const;
const vmiEvent = { kind: 'VirtualMachineInstance', change: 'update', object: bare } as const;
const kubevirtEvent = { kind: 'KubeVirt', change: 'update', object: bare } as const;

interface Asked {
  readonly name: string;
  readonly asks: string;
  readonly source: string;
  /** Which rule decides about objects that have nothing but a name, and what every rule reads of them. */
  readonly bare: () => { readonly decides: string | undefined; readonly read: unknown[] };
}

const asked = <I, R>(table: Table<I, R>, input: I): Asked[] =>
  table.map(({ name, asks, source }) => ({
    name,
    asks,
    source,
    bare: () => ({
      decides: table.find((rule) => rule.when(input))?.name,
      read: table.flatMap((rule) => rule.reads(input)).map(({ value }) => value),
    }),
  }));

const category = { vmi: bare, launcherImage: '', methods: [], unfinishedMigrations: [], now: 0 };
const TABLES: [string, Asked[], string][] = [
  ['gates', asked(gateTable, { kubevirt: bare, now: 0 }), 'GateNotDeployed'],
  ['categories', asked(categoryTable, category), 'NotRunning'],
  [
    'evictions',
    asked(evictionOutcomeTable, { vmi: bare, result: refused, behavior: 'exact' }),
    'EvictionRefused',
  ],
  ['volumes', asked(volumeUpdateTable, { vmi: bare }), 'NoVolumesToMigrate'],
  [
    'events of VMIs',
    asked(informerTable, { event: vmiEvent, kubevirtKeys: ['a/b'], now: 0, behavior: 'exact' }),
    'VmiWithoutChange',
  ],
  [
    'events of CRs',
    asked(informerTable, { event: kubevirtEvent, kubevirtKeys: [], now: 0, behavior: 'exact' }),
    'KubeVirtChanged',
  ],
];

describe.each(TABLES)('the table of %s', (_, rules, decides) => {
  it('answers for objects that have nothing but a name', () => {
    const [first] = rules;
    const told = first?.bare();
    expect(told?.decides).toBe(decides);
    expect(told?.read.every((value) => ['undefined', 'string', 'object'].includes(typeof value))).toBe(true);
  });
});

it('rules about VMIs read nothing of other objects', () => {
  const input = { event: kubevirtEvent, kubevirtKeys: [], now: 0, behavior: 'exact' } as const;
  const aboutVmis = informerTable.filter(({ name }) =>
    /^Vmi(Final|WithoutChange|Migrating|ChangePending)$/.test(name),
  );
  expect(aboutVmis.flatMap((rule) => rule.reads(input))).toEqual([]);
  expect(aboutVmis.map((rule) => rule.when(input))).toEqual([false, true, false, true]);
});

it('reads the phase of a migration that has none', () => {
  const input = { ...category, unfinishedMigrations: [bare] };
  const rule = categoryTable.find(({ name }) => name === 'UnfinishedMigration');
  expect(rule?.reads(input)).toEqual([
    { object: 'VirtualMachineInstanceMigration shop/bare', path: 'status.phase', value: undefined },
  ]);
});

it('decides about a running VMI that tells nothing else', () => {
  const vmi = { ...bare, status: { phase: 'Running' } };
  const decides = (launcherImage: string) =>
    categoryTable.find((rule) => rule.when({ ...category, vmi, launcherImage }))?.name;
  expect(decides('v1')).toBe('LauncherImageUnknown');
});

it('decides about a VMI and a CR without status, rule by rule', () => {
  for (const rule of categoryTable) expect(rule.when(category)).toBeTypeOf('boolean');
  for (const kubevirt of [bare, undefined]) {
    for (const rule of gateTable) expect(rule.when({ kubevirt, now: 0 })).toBeTypeOf('boolean');
  }
  const withOwn = {
    metadata: { ...bare.metadata, annotations: { 'kubevirt.io/workloadUpdateMigration': '' } },
  };
  const withdrawn = categoryTable.find(({ name }) => name === 'ChangeWithdrawn');
  expect(withdrawn?.when({ ...category, unfinishedMigrations: [withOwn] })).toBe(true);
});
