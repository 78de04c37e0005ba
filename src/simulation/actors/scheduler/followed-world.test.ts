import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NOBODY, type PodsByNode } from '../../../decide/placement/placed.ts';
import { type Guard, PlacementWorld } from '../../../decide/placement/world.ts';
import { Fleet } from '../../../fleet/fleet.ts';
import { aMigration, aNode, aPod, aVmi } from '../../../kubevirt/builders.ts';
import type { Node, Pod } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { FollowedWorld } from './followed-world.ts';

const NODES = ['n1', 'n2', 'n3'];
const HOSTNAME = 'kubernetes.io/hostname';

const avoiding = (labelSelector: object) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: HOSTNAME }],
  },
});

/** A pod of one of three VMIs, of three sizes, that avoids its VMI's others, all others or nobody. */
const somePod = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    vmi: fc.constantFrom('x', 'y', undefined),
    node: fc.constantFrom(...NODES, 'gone', undefined),
    cpu: fc.constantFrom('1', '250m'),
    phase: fc.constantFrom('Running', 'Pending', 'Succeeded'),
    avoids: fc.constantFrom('own', 'all', 'none'),
    uid: fc.constantFrom('u1', 'u2'),
  })
  .map(({ name, vmi, node, cpu, phase, avoids, uid }): Pod => {
    const pod = aPod(name).meta({ uid }).phase(phase).asking({ cpu, memory: '1Gi' });
    if (node) pod.on(node);
    if (vmi) pod.targetOf(aVmi(vmi).build(), aMigration().build()).meta({ uid });
    const own = { matchLabels: { 'kubevirt.io/created-by': `uid-${vmi}` } };
    if (avoids !== 'none')
      pod.spec({ affinity: avoiding(avoids === 'own' && vmi ? own : { matchLabels: {} }) });
    return pod.build();
  });

const someNode = fc
  .record({ name: fc.constantFrom(...NODES), cpu: fc.constantFrom('4', '8', undefined) })
  .map(({ name, cpu }): Node => (cpu ? aNode(name).offering({ cpu, memory: '8Gi' }) : aNode(name)).build());

type Step =
  | { readonly pod: Pod }
  | { readonly node: Node }
  | { readonly ends: string }
  | { readonly drop: string };
const somePodKey = fc.constantFrom('shop/a', 'shop/b', 'shop/c');
const someSteps = fc.array(
  fc.oneof(
    somePod.map((pod): Step => ({ pod })),
    someNode.map((node): Step => ({ node })),
    somePodKey.map((ends): Step => ({ ends })),
    fc.oneof(somePodKey, fc.constantFrom(...NODES)).map((drop): Step => ({ drop })),
  ),
  { maxLength: 40 },
);

/** What a pod asks for and where it is never changes; another pod of the name has another UID. */
function take(fleet: Fleet, world: FollowedWorld, step: Step): void {
  if ('drop' in step) drop(fleet, world, step.drop);
  else if ('node' in step) {
    fleet.apply('Node', step.node);
    world.setNode(step.node);
  } else {
    const pod = 'pod' in step ? step.pod : ended(fleet.get('Pod', step.ends));
    if (!pod || ('pod' in step && fleet.get('Pod', keyOf(pod))?.metadata.uid === pod.metadata.uid)) return;
    // News of a deletion come before those of another pod of the name.
    if ('pod' in step) drop(fleet, world, keyOf(pod));
    fleet.apply('Pod', pod);
    world.setPod(pod);
  }
}

function ended(pod: Pod | undefined): Pod | undefined {
  return pod && { ...pod, status: { phase: 'Failed' } };
}

function drop(fleet: Fleet, world: FollowedWorld, key: string): void {
  const isPod = key.includes('/');
  fleet.remove(isPod ? 'Pod' : 'Node', key);
  if (isPod) world.deletePod(key);
  else world.deleteNode(key);
}

const sorted = (names: Iterable<string>) => [...names].sort();
const placedNames = (selected: Iterable<PodsByNode>) =>
  sorted(
    [...selected].flatMap((one) =>
      [...one.there({ gone: NOBODY })].flatMap(([node, pods]) =>
        pods.map((pod) => `${pod.metadata.name} ${node.metadata.name}`),
      ),
    ),
  );
const guarding = (guards: Iterable<Guard>) => [...guards].map(({ pods }) => pods);

it('is at every moment what a picture made anew would be', () => {
  const probe = aPod('probe').targetOf(aVmi('x').build(), aMigration().build()).build();
  const ofX = {
    labelSelector: { matchLabels: { 'kubevirt.io/created-by': 'uid-x' } },
    topologyKey: HOSTNAME,
  };
  const ofAll = { labelSelector: {}, topologyKey: HOSTNAME };
  fc.assert(
    fc.property(someSteps, (steps) => {
      const fleet = new Fleet();
      const world = new FollowedWorld(fleet);
      for (const step of steps) take(fleet, world, step);
      const anew = new PlacementWorld({ nodes: fleet.all('Node'), podsOn: (node) => fleet.podsOn(node) });
      expect(world.nodes).toEqual(anew.nodes);
      expect(placedNames(world.selectedBy([ofAll], probe))).toEqual(
        placedNames(anew.selectedBy([ofAll], probe)),
      );
      expect(placedNames(world.selectedBy([ofX], probe))).toEqual(placedNames(anew.selectedBy([ofX], probe)));
      expect(placedNames(guarding(world.guardsAgainst(probe)))).toEqual(
        placedNames(guarding(anew.guardsAgainst(probe))),
      );
      for (const node of anew.nodes) {
        const { name } = node.metadata;
        expect(sorted(world.podsOn(name).map(keyOf))).toEqual(sorted(anew.podsOn(name).map(keyOf)));
        for (const withoutVms of [false, true]) {
          const load = [...world.loadOn(name, withoutVms)].filter(([, amount]) => amount !== 0);
          expect(Object.fromEntries(load)).toEqual(Object.fromEntries(anew.loadOn(name, withoutVms)));
        }
        expect(world.allocatableOn(node)).toEqual(anew.allocatableOn(node));
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});

it('begins with what there is, and knows nodes by hostname', () => {
  const fleet = new Fleet();
  fleet.apply('Node', aNode('n1').offering({ cpu: '4' }).build());
  fleet.apply('Node', aNode('n2').labelled(HOSTNAME, 'n1').build());
  fleet.apply('Pod', aPod('a').on('n1').asking({ cpu: '1' }).build());
  const world = new FollowedWorld(fleet);
  world.fill(fleet);
  expect(world.nodesWithHostname('n1')).toEqual(['n1', 'n2']);
  expect(world.nodesWithHostname('n2')).toEqual([]);
  expect(world.loadOn('n1').get('cpu')).toBe(1000);
  world.deleteNode('n1');
  expect(world.nodesWithHostname('n1')).toEqual(['n2']);
});

it('keeps the seat of a pod of which older news come', () => {
  const world = new FollowedWorld(new Fleet());
  world.setNode(aNode('n1').build());
  const pod = aPod('a').phase('Pending').asking({ cpu: '1' });
  world.seat(pod.build(), 'n1');
  world.setPod(pod.build());
  expect(world.loadOn('n1').get('cpu')).toBe(1000);
  world.setPod(pod.phase('Failed').build());
  expect(world.loadOn('n1').get('cpu')).toBe(0);
});
