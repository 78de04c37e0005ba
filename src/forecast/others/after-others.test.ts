import { describe, expect, it } from 'vitest';
import type { ScenarioCluster, ScenarioVm } from '../../scenario/schema.ts';
import { big, pinned, small, upgraded } from './test-after-others.ts';

describe('a VM that no node has room for', () => {
  const nodes = [
    { name: 'n1', cpu: 64 },
    { name: 'n2', cpu: 8 },
  ];
  const room = (change: Partial<ScenarioVm>, kubevirt: ScenarioCluster['kubevirt'] = {}) =>
    upgraded({ kubevirt, nodes, vms: [big, small(change)] }).get('big');

  it('waits for one that leaves in the same roll-out', () => {
    expect(room({ migratable: true })).toMatchObject({
      outcome: 'LiveMigrates',
      reason: 'WaitsForRoom',
      message:
        'default/big has an outdated launcher and cannot migrate yet: no other node has room for it now: InsufficientResources (n2), SourceNode (n1); it goes as soon as default/small leaves room',
      remedies: ['Make room on n2, or add a node.'],
    });
    expect(room({ migratable: true })?.evidence).toContainEqual({
      object: 'this action',
      path: 'what leaves',
      value: ['default/small'],
    });
  });

  it.each<[string, Partial<ScenarioVm>]>([
    ['is shut down and comes back', { strategy: 'None', migratable: 'DisksNotLiveMigratable' }],
    [
      'is shut down for good',
      { strategy: 'None', migratable: 'DisksNotLiveMigratable', runStrategy: 'Manual' },
    ],
    [
      'may stay off',
      { strategy: 'None', migratable: 'DisksNotLiveMigratable', runStrategy: 'RerunOnFailure' },
    ],
  ])('waits for one that %s', (_, change) => {
    expect(room(change)?.reason).toBe('WaitsForRoom');
  });

  it.each<[string, Partial<ScenarioVm>, ScenarioCluster['kubevirt']]>([
    ['refuses', { strategy: 'LiveMigrate', migratable: 'DisksNotLiveMigratable' }, {}],
    ['is pinned', { migratable: true, ...pinned }, {}],
    ['is up to date', { migratable: true, launcher: 'L2' }, {}],
    ['is handed over to nobody knows whom', { strategy: 'External', migratable: 'No' }, {}],
  ])('does not wait for one that %s', (_, change, kubevirt) => {
    expect(room(change, kubevirt)).toMatchObject({ outcome: 'NeverCompletes', reason: 'NoRoom' });
  });

  it('does not wait for one that leaves too little', () => {
    const vms = [
      big,
      small({ ...pinned, name: 'stays', migratable: true }),
      small({ migratable: true, cpu: 1 }),
    ];
    expect(upgraded({ nodes, vms }).get('big')).toMatchObject({
      outcome: 'NeverCompletes',
      reason: 'NoRoom',
    });
  });

  it('waits for one that waits itself', () => {
    const chain = [
      { name: 'n1', cpu: 7 },
      { name: 'n2', cpu: 8 },
      { name: 'n3', cpu: 7 },
    ];
    const labelled = chain.map((node, index) => ({ ...node, labels: { to: ['a', 'b', 'b'][index] ?? '' } }));
    const vms = [
      { ...big, name: 'first', node: 'n3', nodeSelector: { to: 'b' } },
      { ...small({ name: 'second', migratable: true, cpu: 6 }) },
      { ...big, name: 'third', node: 'n1', cpu: 2 },
    ];
    const verdicts = upgraded({ nodes: labelled, vms });
    expect([...verdicts].map(([name, { reason }]) => [name, reason])).toEqual([
      ['first', 'WaitsForRoom'],
      ['second', 'WaitsForRoom'],
      ['third', 'LauncherOutdated'],
    ]);
  });
});
