import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Node } from '../../kubevirt/objects.ts';
import { judgePlacement } from './placement.ts';
import { PlacementWorld } from './world.ts';

const vmi = aVmi().on('n1').build();
const launcher = aPod('l').launcherOf(vmi).on('n1').asking({ cpu: '2' }).build();
const node = (name: string, cpu = '4') => aNode(name).offering({ cpu, memory: '8Gi', pods: '9' }).build();

function ask(nodes: Node[], limit: number | undefined) {
  const world = new PlacementWorld({ nodes, podsOn: (name) => (name === 'n1' ? [launcher] : []) });
  return judgePlacement({ pod: launcher, vmi, purpose: 'migration-target', behavior: 'exact', world, limit });
}

describe('a limit on the nodes that are looked for', () => {
  const NODES = [node('n1'), node('n2', '1'), node('n3'), node('n4'), node('n5')];

  it.each([
    [1, ['n3']],
    [2, ['n3', 'n4']],
  ])('of %i stops at the first that fit, by name, and judges no others', (limit, fitsNow) => {
    expect(ask(NODES, limit)).toMatchObject({ fitsNow, fitsIfEmpty: fitsNow, excluded: [], missing: [] });
  });

  it.each([4, undefined])('of %s that is not reached judges every node', (limit) => {
    const placement = ask(NODES, limit);
    expect(placement.fitsNow).toEqual(['n3', 'n4', 'n5']);
    expect(placement.excluded.map(({ node: name }) => name)).toEqual(['n1', 'n2']);
  });

  it('passes over a node that does not tell what it has, and names it where nothing else fits', () => {
    const silent = { kind: 'Node', metadata: { name: 'n2' } };
    expect(ask([node('n1'), silent, node('n3')], 1).fitsNow).toEqual(['n3']);
    expect(ask([node('n1'), silent], 1)).toMatchObject({
      fitsNow: [],
      missing: ['status.allocatable of Node n2'],
    });
  });
});
