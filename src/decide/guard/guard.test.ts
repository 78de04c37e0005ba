import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVm, aVmi } from '../../kubevirt/builders.ts';
import { DROVER_ANNOTATION } from '../../kubevirt/names.ts';
import type { Namespace, Pod } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import type { Lookup } from '../eviction/lookup.ts';
import { decide } from '../rules.ts';
import { type GuardVerdict, guardTable } from './guard.ts';
import type { GuardInput, GuardSurroundings } from './guard-input.ts';

const now = parseInstant('2026-10-03T12:00:00Z') ?? Number.NaN;
const { eviction, evictionApproved, evictionWindow, breakGlass } = DROVER_ANNOTATION;

type Says = Readonly<Record<string, string>>;

const launcher = aPod().launcherOf(aVmi().build()).on('n1').build();
const missing = { missing: true as const, message: 'not found' };

interface Case {
  readonly pod?: Lookup<Pod>;
  readonly vm?: Says;
  readonly vmi?: Says;
  readonly namespace?: Says;
  readonly node?: Says;
  readonly around?: Partial<GuardSurroundings>;
}

function inputOf({ pod = { found: launcher }, vm, vmi, namespace, node, around }: Case): GuardInput {
  const shop: Namespace = { metadata: { name: 'shop', annotations: { ...namespace } } };
  return {
    key: 'shop/virt-launcher-db-1',
    pod,
    now,
    around: {
      vm: {
        found: aVm()
          .meta({ annotations: { ...vm } })
          .build(),
      },
      vmi: {
        found: aVmi()
          .meta({ annotations: { ...vmi } })
          .build(),
      },
      namespace: { found: shop },
      node: {
        found: aNode('n1')
          .meta({ annotations: { ...node } })
          .build(),
      },
      ...around,
    },
  };
}

function decided(case_: Case): [string, GuardVerdict['refusal']] {
  const { reason, result } = decide(guardTable, inputOf(case_));
  return [reason, result.refusal];
}

const OVERRIDE = 'annotation drover.dev/break-glass on node n1 overrides this';
const approval =
  'is evicted only with approval, which is drover.dev/eviction-approved: "true", or a time until which it holds';

describe('what the guard lets through', () => {
  it.each<[string, Case]>([
    ['PodGone', { pod: missing, vm: { [eviction]: 'never' } }],
    ['NoActiveLauncher', { pod: { found: aPod('web-1').build() }, namespace: { [eviction]: 'never' } }],
    [
      'NoActiveLauncher',
      {
        pod: { found: aPod().launcherOf(aVmi().build()).phase('Succeeded').build() },
        vm: { [eviction]: 'never' },
      },
    ],
    ['GlassBroken', { vm: { [eviction]: 'never' }, node: { [breakGlass]: 'INC-7' } }],
    ['GlassBroken', { node: { [breakGlass]: 'true' }, around: { vm: { error: 'no time' } } }],
    ['NoRule', {}],
    ['NoRule', { around: { vm: missing, vmi: missing, namespace: missing } }],
    ['Allow', { vm: { [eviction]: 'allow' }, namespace: { [eviction]: 'never' } }],
    ['Allow', { vmi: { [eviction]: 'allow' }, namespace: { [eviction]: 'never' } }],
    ['Approved', { vm: { [eviction]: 'approve', [evictionApproved]: 'true' } }],
    ['Approved', { vm: { [evictionApproved]: 'true' }, namespace: { [eviction]: 'approve' } }],
    [
      'Approved',
      { vm: { [eviction]: 'approve' }, namespace: { [evictionApproved]: '2026-10-04T00:00:00Z' } },
    ],
    ['WindowOpen', { vm: { [eviction]: 'window', [evictionWindow]: '0 10 * * * 4h' } }],
    ['WindowOpen', { namespace: { [eviction]: 'window' }, vm: { [evictionWindow]: '0 10 * * * 4h' } }],
  ])('%s', (reason, case_) => {
    expect(decided(case_)).toEqual([reason, undefined]);
  });
});

describe('what the guard refuses, and how it says so', () => {
  it.each<[string, Case, string]>([
    [
      'PodNotReadable',
      { pod: { error: 'etcd is away' } },
      'cannot tell whether Pod shop/virt-launcher-db-1 may be evicted: etcd is away',
    ],
    [
      'RuleNotReadable',
      { around: { vm: { error: 'forbidden' } }, namespace: { [eviction]: 'allow' } },
      'cannot tell whether VM shop/db may be evicted: forbidden',
    ],
    [
      'RuleNotReadable',
      { around: { vm: missing, vmi: { error: 'a' }, namespace: { error: 'b' } } },
      'cannot tell whether VM shop/db may be evicted: a',
    ],
    [
      'RuleNotReadable',
      { around: { namespace: { error: 'b' } } },
      'cannot tell whether VM shop/db may be evicted: b',
    ],
    [
      'RuleUnknown',
      { vm: { [eviction]: 'Never' } },
      `VM shop/db is guarded by "Never", which is none of allow, never, approve, window (drover.dev/eviction: Never on the VirtualMachine; ${OVERRIDE})`,
    ],
    [
      'Never',
      { vm: { [eviction]: 'never' }, namespace: { [eviction]: 'allow' } },
      `VM shop/db must not be evicted (drover.dev/eviction: never on the VirtualMachine; ${OVERRIDE})`,
    ],
    [
      'Never',
      { around: { vm: missing }, vmi: { [eviction]: 'never' } },
      `VM shop/db must not be evicted (drover.dev/eviction: never on the VirtualMachineInstance; ${OVERRIDE})`,
    ],
    [
      'Never',
      { namespace: { [eviction]: 'never' }, node: { [breakGlass]: '2026-10-03T11:00:00Z' } },
      `VM shop/db must not be evicted (drover.dev/eviction: never on the Namespace; ${OVERRIDE})`,
    ],
    [
      'Never',
      {
        pod: { found: aPod().launcherOf(aVmi().build()).spec({ nodeName: undefined }).build() },
        namespace: { [eviction]: 'never' },
        around: { node: undefined },
      },
      'VM shop/db must not be evicted (drover.dev/eviction: never on the Namespace)',
    ],
    [
      'Never',
      { namespace: { [eviction]: 'never' }, around: { node: { error: 'forbidden' } } },
      `VM shop/db must not be evicted (drover.dev/eviction: never on the Namespace; ${OVERRIDE})`,
    ],
    [
      'NotApproved',
      { vm: { [eviction]: 'approve', [evictionApproved]: '2026-10-03T11:00:00Z' } },
      `VM shop/db ${approval} (drover.dev/eviction: approve on the VirtualMachine; ${OVERRIDE})`,
    ],
    [
      'WindowNotReadable',
      { vm: { [eviction]: 'window' } },
      `VM shop/db is evicted only in its window, but drover.dev/eviction-window is missing (drover.dev/eviction: window on the VirtualMachine; ${OVERRIDE})`,
    ],
    [
      'WindowNotReadable',
      { vm: { [eviction]: 'window', [evictionWindow]: '0 2 * * 6 4' } },
      `VM shop/db is evicted only in its window, but "4" is no duration, as in 4h or 90m (drover.dev/eviction: window on the VirtualMachine; ${OVERRIDE})`,
    ],
    [
      'WindowClosed',
      { vm: { [eviction]: 'window', [evictionWindow]: '0 2 * * * 4h' } },
      `VM shop/db is evicted only in its window, which opens at 2026-10-04T02:00:00Z (drover.dev/eviction: window on the VirtualMachine; ${OVERRIDE})`,
    ],
    [
      'WindowClosed',
      { vm: { [eviction]: 'window', [evictionWindow]: '0 2 31 2 * 4h' } },
      `VM shop/db is evicted only in its window, which never opens (drover.dev/eviction: window on the VirtualMachine; ${OVERRIDE})`,
    ],
  ])('%s', (reason, case_, refusal) => {
    expect(decided(case_)).toEqual([reason, refusal]);
  });

  it('has nothing against a launcher around which nothing was read', () => {
    const { around: _, ...alone } = inputOf({});
    expect(decide(guardTable, alone)).toEqual({ reason: 'NoRule', result: {}, evidence: [] });
  });
});

describe('evidence', () => {
  const evidenceOf = (case_: Case) =>
    decide(guardTable, inputOf(case_)).evidence.map(({ object, path, value }) => [object, path, value]);

  it.each<[string, Case, unknown[]]>([
    ['PodGone', { pod: missing }, [['Pod shop/virt-launcher-db-1', 'metadata.name', undefined]]],
    [
      'GlassBroken',
      { node: { [breakGlass]: 'INC-7' } },
      [['Node n1', 'metadata.annotations[drover.dev/break-glass]', 'INC-7']],
    ],
    [
      'NoRule',
      { around: { vm: missing, namespace: { error: 'b' } }, vmi: {} },
      [
        ['VirtualMachine shop/db', 'metadata.name', undefined],
        ['VirtualMachineInstance shop/db', 'metadata.name', 'db'],
        ['Namespace shop', 'metadata.name', 'b'],
      ],
    ],
    [
      'Never',
      { namespace: { [eviction]: 'never' } },
      [['Namespace shop', 'metadata.annotations[drover.dev/eviction]', 'never']],
    ],
    [
      'NotApproved',
      { vm: { [eviction]: 'approve', [evictionApproved]: 'no' } },
      [
        ['VirtualMachine shop/db', 'metadata.annotations[drover.dev/eviction]', 'approve'],
        ['VirtualMachine shop/db', 'metadata.annotations[drover.dev/eviction-approved]', 'no'],
      ],
    ],
    [
      'NotApproved without any approval',
      { vm: { [eviction]: 'approve' } },
      [['VirtualMachine shop/db', 'metadata.annotations[drover.dev/eviction]', 'approve']],
    ],
    [
      'WindowClosed',
      { vmi: { [eviction]: 'window', [evictionWindow]: '0 2 * * * 4h' } },
      [
        ['VirtualMachineInstance shop/db', 'metadata.annotations[drover.dev/eviction]', 'window'],
        [
          'VirtualMachineInstance shop/db',
          'metadata.annotations[drover.dev/eviction-window]',
          '0 2 * * * 4h',
        ],
        ['clock', 'now', '2026-10-03T12:00:00Z'],
      ],
    ],
  ])('%s', (_, case_, evidence) => {
    expect(evidenceOf(case_)).toEqual(evidence);
  });
});
