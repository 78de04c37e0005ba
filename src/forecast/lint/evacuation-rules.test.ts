import { describe, expect, it } from 'vitest';
import { aKubeVirt, aMigration, aNode, aVmi } from '../../kubevirt/builders.ts';
import { aFleet, findingsOf, launched, objectsFound } from './builders.ts';
import { drainTaintLeft, markLeftBehind } from './evacuation-rules.ts';

const DB = 'VirtualMachineInstance shop/db';
const n1 = aNode('n1').build();
const db = (strategy: string) => aVmi('db').on('n1').migratable().strategy(strategy);

describe('MarkLeftBehind', () => {
  const cancel = (node: string) =>
    `Cancel the evacuation of each, then delete the migrations that it started: \`echo '{"evacuationNodeName":"${node}"}' | ` +
    'kubectl replace --raw /apis/subresources.kubevirt.io/v1/namespaces/shop/virtualmachineinstances/db/evacuate/cancel -f -`';

  it.each([
    ['a VMI without mark', [db('LiveMigrate').build(), n1]],
    ['a node that is cordoned', [db('LiveMigrate').marked().build(), aNode('n1').cordoned().build()]],
    ['a node that is not in the input', [db('LiveMigrate').marked().build()]],
    ['a strategy that no longer migrates', [db('None').marked().build(), n1]],
    ['a VMI that can no longer migrate', [aVmi('db').on('n1').strategy('LiveMigrate').marked().build(), n1]],
    ['a stray mark that refuses nothing', [...launched(db('None').marked('n2').build()), n1]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(markLeftBehind, aFleet(...objects))).toEqual([]);
  });

  it.each(['LiveMigrate', 'LiveMigrateIfPossible'])('finds one that %s still moves', (strategy) => {
    const fleet = aFleet(db(strategy).marked().build(), n1);
    expect(findingsOf(markLeftBehind, fleet)).toMatchObject([
      {
        code: 'DRV025',
        severity: 'warning',
        objects: [DB],
        cause:
          '1 VMI on n1 is still marked, but the node is not cordoned: the evacuation goes on until a migration succeeds.',
        cure: cancel('n1'),
        evidence: [
          { object: DB, path: 'status.evacuationNodeName', value: 'n1' },
          { object: DB, path: 'status.nodeName', value: 'n1' },
        ],
      },
    ]);
  });

  it('counts one whose migration is under way as well', () => {
    const fleet = aFleet(db('LiveMigrate').marked().build(), n1, aMigration().phase('Pending').build());
    expect(objectsFound(markLeftBehind, fleet)).toEqual([[DB]]);
  });

  it('tells External ones apart, on whichever nodes they are', () => {
    const web = aVmi('web').on('n2').strategy('External').marked().build();
    const fleet = aFleet(web, aNode('n2').build(), db('External').marked().build(), n1);
    expect(findingsOf(markLeftBehind, fleet)).toMatchObject([
      {
        objects: [DB, 'VirtualMachineInstance shop/web'],
        cause:
          '2 VMIs on n1 and n2 are still marked, but the nodes are not cordoned: with strategy External their controller still shuts them down or replaces them.',
      },
    ]);
  });

  it('finds a mark of another node, even on a cordoned one', () => {
    const fleet = aFleet(...launched(db('LiveMigrate').marked('n9').build()), aNode('n1').cordoned().build());
    expect(findingsOf(markLeftBehind, fleet)).toMatchObject([
      {
        objects: [DB],
        cause:
          '1 VMI carries the mark of another node: shop/db is on n1 and marked for n9. Evictions are refused as in progress, and no migration starts.',
        cure: cancel('n9'),
      },
    ]);
  });
});

describe('DrainTaintLeft', () => {
  const tainted = (name: string) => aNode(name).tainted('kubevirt.io/drain');

  it.each([
    ['a node without it', aFleet(n1)],
    ['one that is cordoned', aFleet(tainted('n1').cordoned().build())],
    ['another effect', aFleet(aNode('n1').tainted('kubevirt.io/drain', 'NoExecute').build())],
    [
      'the default key where the cluster has its own',
      aFleet(
        tainted('n1').build(),
        aKubeVirt()
          .spec({ configuration: { migrations: { nodeDrainTaintKey: 'drain' } } })
          .build(),
      ),
    ],
  ])('says nothing about %s', (_, fleet) => {
    expect(objectsFound(drainTaintLeft, fleet)).toEqual([]);
  });

  it('counts the VMIs that it hits', () => {
    const fleet = aFleet(
      tainted('n2').build(),
      db('LiveMigrate').on('n2').build(),
      aVmi('web').on('n1').build(),
    );
    expect(findingsOf(drainTaintLeft, fleet)).toMatchObject([
      {
        code: 'DRV026',
        objects: ['Node n2'],
        cause:
          '1 node with 1 VMI carries the taint kubevirt.io/drain:NoSchedule and is not cordoned, so KubeVirt keeps evacuating it.',
        cure: 'Take the taint away, or cordon the node if it is to be drained: `kubectl taint node n2 kubevirt.io/drain:NoSchedule-`',
        evidence: [{ object: 'Node n2', path: 'spec.taints' }],
      },
    ]);
  });

  it('speaks of several', () => {
    const [finding] = findingsOf(drainTaintLeft, aFleet(tainted('n2').build(), tainted('n1').build()));
    expect(finding?.objects).toEqual(['Node n1', 'Node n2']);
    expect(finding?.cause).toBe(
      '2 nodes with 0 VMIs carry the taint kubevirt.io/drain:NoSchedule and are not cordoned, so KubeVirt keeps evacuating them.',
    );
  });
});
