import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Migration } from '../../kubevirt/objects.ts';
import { decide, traceOf } from '../rules.ts';
import {
  type CapEntry,
  capRetrySeconds,
  nextRetryAt,
  outboundFrom,
  priorityOf,
  queueValueOf,
  type TargetPodInput,
  takesPlace,
  targetPodTable,
  wokenByFinal,
} from './queue.ts';

const withPriority = (priority: string | undefined) => aMigration().spec({ priority }).build();

describe('priorities', () => {
  it.each([
    ['system-critical', 100, 1],
    ['user-triggered', 50, 3],
    ['system-maintenance', 20, 5],
    [undefined, 0, 5],
    ['', 0, 5],
    ['Bogus', 0, 5],
    ['SYSTEM-CRITICAL', 0, 5],
  ])('%s has queue value %i and asks again after %i s at a cap', (priority, value, seconds) => {
    expect(priorityOf(withPriority(priority))).toBe(value);
    expect(capRetrySeconds(withPriority(priority))).toBe(seconds);
  });

  it('a migration without a spec is like one without a priority', () => {
    const bare: Migration = { metadata: { name: 'm' } };
    expect(priorityOf(bare)).toBe(0);
    expect(capRetrySeconds(bare)).toBe(5);
    expect(queueValueOf(bare)).toBe(0);
  });

  it('events about a running migration go before everything, others by priority', () => {
    expect(queueValueOf(aMigration().phase('Running').build())).toBe(1000);
    expect(queueValueOf(aMigration().phase('TargetReady').priority('user-triggered').build())).toBe(50);
  });
});

it.each([
  [0, 1, 0, 1000],
  [0, 1, 999, 1000],
  [0, 1, 1000, 2000],
  [300, 5, 300, 5300],
  [300, 5, 17_400, 20_300],
  [300, 3, 299, 300],
])('who asks from %d on every %d s asks after %d at %d', (askedAt, seconds, now, at) => {
  expect(nextRetryAt(askedAt, seconds, now)).toBe(at);
});

describe('wake-up of pending migrations by one that became final', () => {
  const pending = [
    aMigration('none').phase('Pending').build(),
    aMigration('critical').phase('Pending').priority('system-critical').build(),
    aMigration('new').priority('system-critical').build(),
    aMigration('running').phase('Running').priority('system-critical').build(),
    aMigration('maintenance').phase('Pending').priority('system-maintenance').build(),
    aMigration('none-2').phase('Pending').build(),
  ];
  const woken = (cap: number) =>
    wokenByFinal(pending, { parallelMigrationsPerCluster: cap }).map((m) => m.metadata.name);

  it('takes only Pending ones, highest priority first, equals in order', () => {
    expect(woken(5)).toEqual(['critical', 'maintenance', 'none', 'none-2']);
  });

  it('takes at most as many as the cluster may run', () => {
    expect(woken(2)).toEqual(['critical', 'maintenance']);
    expect(woken(0)).toEqual([]);
    expect(woken(-1)).toEqual([]);
  });

  it('leaves the given list alone', () => {
    woken(5);
    expect(pending[0]?.metadata.name).toBe('none');
  });
});

const entry = (change: Partial<CapEntry> = {}): CapEntry => ({
  migration: aMigration().phase('Running').build(),
  vmi: aVmi().on('n1').build(),
  hasTargetPod: false,
  ...change,
});
const pendingMigration = aMigration().phase('Pending').build();

describe('who takes a place', () => {
  it.each([
    ['a running one', entry(), true],
    ['a running one whose VMI is gone', entry({ vmi: undefined }), true],
    ['a pending one', entry({ migration: pendingMigration }), false],
    ['a pending one with a target pod', entry({ migration: pendingMigration, hasTargetPod: true }), true],
    [
      'a pending one with a target pod whose VMI is gone',
      entry({ migration: pendingMigration, hasTargetPod: true, vmi: undefined }),
      false,
    ],
  ])('%s: %s', (_, given, expected) => {
    expect(takesPlace(given)).toBe(expected);
  });
});

describe('outbound migrations of a node', () => {
  it('count by where the VMI is, by where its migration started, and each once', () => {
    const entries = [
      entry(),
      entry({ vmi: aVmi().on('n2').migrationState({ sourceNode: 'n1' }).build() }),
      entry({ vmi: aVmi().on('n1').migrationState({ sourceNode: 'n1' }).build() }),
      entry({ vmi: aVmi().on('n2').build() }),
      entry({ vmi: undefined }),
      entry({ vmi: { metadata: { name: 'new' } } }),
    ];
    expect(outboundFrom('n1', entries)).toBe(3);
    expect(outboundFrom('n2', entries)).toBe(2);
    expect(outboundFrom('n3', entries)).toBe(0);
  });
});

const elsewhere = entry({ vmi: aVmi('far').on('n9').build() });
const takenBy = (...unfinished: CapEntry[]) => {
  const taken = unfinished.filter(takesPlace);
  return { inCluster: taken.length, outboundFrom: (node: string) => outboundFrom(node, taken) };
};
const ask = (change: Partial<TargetPodInput> = {}): TargetPodInput => ({
  migration: aMigration('own').phase('Pending').priority('system-critical').build(),
  vmi: aVmi().on('n1').build(),
  taken: takenBy(),
  pods: [aPod('source').build()],
  unseenCreations: 0,
  settings: { parallelMigrationsPerCluster: 5, parallelOutboundMigrationsPerNode: 2 },
  ...change,
});

describe('a target pod now?', () => {
  const soon = { action: 'Retry', afterSeconds: 1, priority: 1000 };
  const later = { action: 'Retry', afterSeconds: 1, priority: 100 };

  it.each([
    ['nothing in the way', ask(), 'PlaceFree', { action: 'Create' }],
    ['a creation not seen yet', ask({ unseenCreations: 1 }), 'CreationsUnseen', soon],
    [
      'two pods',
      ask({ pods: [aPod('a').build(), aPod('b').phase('Pending').build()] }),
      'PodsLeftOver',
      soon,
    ],
    [
      'a second pod that has ended',
      ask({ pods: [aPod('a').build(), aPod('b').phase('Succeeded').build()] }),
      'PlaceFree',
      { action: 'Create' },
    ],
    [
      'four run elsewhere',
      ask({ taken: takenBy(...Array(4).fill(elsewhere)) }),
      'PlaceFree',
      { action: 'Create' },
    ],
    [
      'five run elsewhere',
      ask({ taken: takenBy(...Array(5).fill(elsewhere)) }),
      'ClusterLimitReached',
      later,
    ],
    [
      'five wait elsewhere',
      ask({ taken: takenBy(...Array(5).fill({ ...elsewhere, migration: pendingMigration })) }),
      'PlaceFree',
      { action: 'Create' },
    ],
    ['one leaves the node', ask({ taken: takenBy(entry()) }), 'PlaceFree', { action: 'Create' }],
    ['two leave the node', ask({ taken: takenBy(entry(), entry()) }), 'NodeLimitReached', later],
    [
      'one leaves and one waits on the node',
      ask({ taken: takenBy(entry(), entry({ migration: pendingMigration })) }),
      'PlaceFree',
      { action: 'Create' },
    ],
    [
      'a VMI that is not Running',
      ask({ vmi: aVmi().on('n1').phase('Scheduled').build() }),
      'VmiNotRunning',
      { action: 'Nothing' },
    ],
  ])('%s', (_, input, reason, result) => {
    expect(decide(targetPodTable, input)).toMatchObject({ reason, result });
  });

  it('at a cap a migration without priority waits longer and comes back last', () => {
    const plain = ask({ migration: pendingMigration, taken: takenBy(...Array(5).fill(elsewhere)) });
    expect(decide(targetPodTable, plain).result).toEqual({ action: 'Retry', afterSeconds: 5, priority: 0 });
  });

  it('a VMI on no node has no outbound migrations', () => {
    const nowhere = ask({ vmi: aVmi().build(), taken: takenBy(entry(), entry()) });
    expect(decide(targetPodTable, nowhere).reason).toBe('PlaceFree');
  });

  it('every rule shows what it looked at', () => {
    const trace = traceOf(targetPodTable, ask({ taken: takenBy(entry()), pods: [aPod('source').build()] }));
    expect(trace.map((step) => [step.rule, step.evidence])).toEqual([
      ['CreationsUnseen', [{ object: 'controller', path: 'unseenCreations', value: 0 }]],
      ['PodsLeftOver', [{ object: 'Pod shop/source', path: 'status.phase', value: 'Running' }]],
      [
        'ClusterLimitReached',
        [
          { object: 'cluster', path: 'runningMigrations', value: 1 },
          {
            object: 'KubeVirt',
            path: 'spec.configuration.migrations.parallelMigrationsPerCluster',
            value: 5,
          },
        ],
      ],
      [
        'NodeLimitReached',
        [
          { object: 'VirtualMachineInstance shop/db', path: 'status.nodeName', value: 'n1' },
          { object: 'Node n1', path: 'outboundMigrations', value: 1 },
          {
            object: 'KubeVirt',
            path: 'spec.configuration.migrations.parallelOutboundMigrationsPerNode',
            value: 2,
          },
        ],
      ],
      [
        'VmiNotRunning',
        [{ object: 'VirtualMachineInstance shop/db', path: 'status.phase', value: 'Running' }],
      ],
      [
        'PlaceFree',
        [
          {
            object: 'VirtualMachineInstanceMigration shop/own',
            path: 'spec.priority',
            value: 'system-critical',
          },
          { object: 'cluster', path: 'runningMigrations', value: 1 },
        ],
      ],
    ]);
  });
});
