import { describe, expect, it } from 'vitest';
import { aKubeVirt, aNode, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, ResourceQuota, Vmi } from '../../kubevirt/objects.ts';
import { aFleet, controlled, findingsOf, launched, objectsFound } from './builders.ts';
import { noSecondNode, pinnedButMigratable, pinnedHoldSlots, quotaLeavesNoRoom } from './placement-rules.ts';

const DB = 'VirtualMachineInstance shop/db';
const HOSTNAME = 'kubernetes.io/hostname';
const node = (name: string) => aNode(name).labelled('kubevirt.io/schedulable', 'true');
const two = [node('n1').build(), node('n2').build()];
const movable = (name = 'db') => controlled(aVmi(name).on('n1').strategy('LiveMigrate').migratable().build());
const pinned = (name = 'db', host = 'n1'): Vmi =>
  controlled(
    aVmi(name)
      .on(host)
      .strategy('LiveMigrate')
      .migratable()
      .spec({ nodeSelector: { [HOSTNAME]: host }, evictionStrategy: 'LiveMigrate' })
      .build(),
  );

describe('NoSecondNode', () => {
  it.each([
    ['two nodes that take VMs', [movable(), ...two]],
    ['one of them cordoned', [movable(), node('n1').build(), node('n2').cordoned().build()]],
    ['no VM that could move', [aVmi('db').on('n1').build(), node('n1').build()]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(noSecondNode, aFleet(...objects))).toEqual([]);
  });

  it('finds a single node', () => {
    const fleet = aFleet(movable(), movable('web'), node('n1').build(), aNode('control').build());
    expect(findingsOf(noSecondNode, fleet)).toMatchObject([
      {
        code: 'DRV017',
        objects: ['Node n1'],
        cause: 'Only n1 takes VMs, so none of 2 live-migratable VMIs can move.',
        cure: 'Bring a second node into service, or plan restarts: `kubectl get nodes -L kubevirt.io/schedulable` shows which nodes take VMs',
        evidence: [{ object: 'Node n1', path: 'metadata.labels[kubevirt.io/schedulable]', value: 'true' }],
      },
    ]);
  });

  it.each([
    [['LiveMigrate', 'Evict'], '; the updater creates migrations that cannot succeed'],
    [
      ['LiveMigrate'],
      '; the updater creates migrations that cannot succeed, and LiveMigrate is the only method',
    ],
    [['Evict'], ''],
  ])('adds what methods %j make of it', (methods, more) => {
    const fleet = aFleet(
      movable(),
      aNode('control').build(),
      aKubeVirt()
        .methods(...methods)
        .build(),
    );
    const [finding] = findingsOf(noSecondNode, fleet);
    expect(finding?.cause).toBe(`No node takes VMs, so none of 1 live-migratable VMI can move${more}.`);
    expect(finding?.objects).toEqual(['Node control']);
  });
});

describe('PinnedButMigratable', () => {
  it.each([
    ['a VMI that another node suits', [...launched(movable()), ...two]],
    [
      'one that says it cannot migrate',
      [...launched({ ...pinned(), status: { phase: 'Running', nodeName: 'n1' } }), ...two],
    ],
    [
      'one whose other node is only cordoned',
      [
        ...launched(movable()),
        node('n1').build(),
        node('n2').cordoned().tainted('node.kubernetes.io/unschedulable').build(),
      ],
    ],
    ['one whose launcher is not known', [pinned(), ...two]],
    ['a cluster with one node, which has a rule of its own', [...launched(pinned()), node('n1').build()]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(pinnedButMigratable, aFleet(...objects))).toEqual([]);
  });

  it('says what keeps it from the other nodes', () => {
    const fleet = aFleet(...launched(pinned()), ...two, aNode('control').tainted('only-this').build());
    expect(findingsOf(pinnedButMigratable, fleet)).toMatchObject([
      {
        code: 'DRV018',
        severity: 'warning',
        objects: [DB],
        cause:
          '1 VMI reports LiveMigratable and can run on its own node only; other nodes are no place for shop/db: NodeSelectorMismatch (n2), UntoleratedTaint (control).',
        cure: "Loosen what ties the VM (control is tainted: only-this:NoSchedule), or treat it as one that cannot migrate: `kubectl get vm -n shop db -o jsonpath='{.spec.template.spec}'`",
        evidence: [
          { object: DB, path: 'status.nodeName', value: 'n1' },
          { object: 'Node control', path: 'spec.taints[only-this]', value: 'only-this:NoSchedule' },
        ],
      },
    ]);
  });

  it('makes one finding of each leading reason, and judges twins alike', () => {
    const affine = controlled(
      aVmi('mail')
        .on('n2')
        .migratable()
        .spec({ nodeSelector: { [HOSTNAME]: 'n2' } })
        .build(),
    );
    const gpu = controlled(aVmi('gpu').on('n1').migratable().build());
    const [, pod] = launched(gpu);
    const tied: Pod = {
      ...pod,
      spec: {
        ...pod.spec,
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: HOSTNAME, operator: 'In', values: ['n1'] }] }],
            },
          },
        },
      },
    };
    const fleet = aFleet(
      ...launched(pinned()),
      ...launched(pinned('web')),
      ...launched(affine),
      gpu,
      tied,
      ...two,
    );
    expect(objectsFound(pinnedButMigratable, fleet)).toEqual([
      [DB, 'VirtualMachineInstance shop/mail', 'VirtualMachineInstance shop/web'],
      ['VirtualMachineInstance shop/gpu'],
    ]);
  });

  it('finds a VMI that no node suits any more, its own included', () => {
    const fleet = aFleet(
      ...launched(pinned('db', 'n1')),
      aNode('n1').labelled(HOSTNAME, 'renamed').build(),
      ...two.slice(1),
      node('n3').build(),
    );
    expect(objectsFound(pinnedButMigratable, fleet)).toEqual([[DB]]);
  });
});

describe('PinnedHoldSlots', () => {
  const slots = (parallelOutboundMigrationsPerNode: number) =>
    aKubeVirt()
      .spec({ configuration: { migrations: { parallelOutboundMigrationsPerNode } } })
      .build();
  const crowd = [...launched(pinned('a')), ...launched(pinned('b')), ...launched(movable('c'))];

  it.each([
    ['fewer than the node has slots', [slots(3), ...crowd, ...two]],
    ['nobody that waits behind them', [slots(2), ...crowd.slice(0, 4), ...two]],
    [
      'pinned VMs that are shut down',
      [
        slots(1),
        ...launched({ ...pinned(), spec: { evictionStrategy: 'None', nodeSelector: { [HOSTNAME]: 'n1' } } }),
        ...launched(movable('c')),
        ...two,
      ],
    ],
    [
      'others that are shut down',
      [
        slots(1),
        ...launched(pinned()),
        ...launched({ ...movable('c'), spec: { evictionStrategy: 'None' } }),
        ...two,
      ],
    ],
    ['a cluster with one node', [slots(1), ...crowd, node('n1').build()]],
    [
      'pinned VMs apart from each other',
      [slots(2), ...launched(pinned('a')), ...launched(pinned('b', 'n2')), ...launched(movable('c')), ...two],
    ],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(pinnedHoldSlots, aFleet(...objects))).toEqual([]);
  });

  it('finds the node where they fill the slots', () => {
    expect(findingsOf(pinnedHoldSlots, aFleet(slots(2), ...crowd, ...two))).toMatchObject([
      {
        code: 'DRV019',
        objects: ['Node n1'],
        cause:
          'On n1 2 VMIs that no other node suits (shop/a and shop/b) can hold all 2 outbound slots, and 1 VMI that could move would wait.',
        cure: 'Shut the pinned VMs down before the drain, or move the others first: `virtctl stop -n shop a`; all VMs of the node: `kubectl get vmi -A -l kubevirt.io/nodeName=n1`',
        evidence: [
          {
            object: 'KubeVirt',
            path: 'spec.configuration.migrations.parallelOutboundMigrationsPerNode',
            value: 2,
          },
        ],
      },
    ]);
  });

  it('counts the other nodes', () => {
    const there = [
      ...launched(pinned('x', 'n2')),
      ...launched(controlled(aVmi('y').on('n2').strategy('LiveMigrate').migratable().build())),
    ];
    const [finding] = findingsOf(pinnedHoldSlots, aFleet(slots(1), ...crowd, ...there, ...two));
    expect(finding?.objects).toEqual(['Node n1', 'Node n2']);
    expect(finding?.cause).toMatch(/would wait; 1 more node is like it\.$/);
  });
});

describe('QuotaLeavesNoRoom', () => {
  const quota = (used: string, namespace = 'shop'): ResourceQuota => ({
    kind: 'ResourceQuota',
    metadata: { name: 'limits', namespace },
    spec: { hard: { pods: '2' } },
    status: { hard: { pods: '2' }, used: { pods: used } },
  });

  it.each([
    ['room for one more', [...launched(movable()), quota('1')]],
    ['another namespace', [...launched(movable()), quota('2', 'other')]],
    ['a VMI that is not to migrate', [...launched(aVmi('db').on('n1').build()), quota('2')]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(quotaLeavesNoRoom, aFleet(...objects, ...two))).toEqual([]);
  });

  it('gives the arithmetic', () => {
    expect(findingsOf(quotaLeavesNoRoom, aFleet(...launched(movable()), quota('2'), ...two))).toMatchObject([
      {
        code: 'DRV021',
        objects: [DB],
        cause:
          '1 live-migratable VMI has no room for a second launcher; for shop/db: exceeded quota: limits, requested: pods=1, used: pods=2, limited: pods=2.',
        cure: 'Give the quota room for the largest launcher of the namespace: `kubectl edit resourcequota -n shop limits`',
        evidence: [
          { object: 'ResourceQuota shop/limits', path: 'status.hard[pods]', value: '2' },
          { object: 'ResourceQuota shop/limits', path: 'status.used[pods]', value: '2' },
        ],
      },
    ]);
  });
});
