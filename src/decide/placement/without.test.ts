import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { NOBODY, type PodsByNode } from './placed.ts';
import { WorldWithout } from './without.ts';
import { PlacementWorld } from './world.ts';

const nodes = [aNode('n1').offering({ cpu: '8' }).build(), aNode('n2').build()];
const term: PodAffinityTerm = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'db' } } };
const apart = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
const db = aPod('db').launcherOf(aVmi('db').build()).on('n1').labelled('app', 'db').asking({ cpu: '2' });
const web = aPod('web').launcherOf(aVmi('web').build()).on('n1').labelled('app', 'db').asking({ cpu: '3' });
const [leaver, other] = [db.build(), web.build()];
const guard = aPod('guard').on('n1').spec({ affinity: apart }).build();
const system = aPod('system').on('n2').asking({ cpu: '1' }).build();
const ended = aPod('ended').on('n1').asking({ cpu: '1' }).phase('Succeeded').build();

const worldOf = (pods: readonly Pod[]) =>
  new PlacementWorld({ nodes, podsOn: (node) => pods.filter(({ spec }) => spec?.nodeName === node) });
const all = [leaver, other, guard, system, ended];
const beneath = worldOf(all);
const without = (...gone: readonly Pod[]) => new WorldWithout(beneath, new Set(gone));
const namesOf = (selected: Iterable<PodsByNode>) =>
  [...selected]
    .flatMap((one) => [...one.there({ gone: NOBODY })].flatMap(([, pods]) => pods))
    .map(({ metadata }) => metadata.name);

describe('a world without some of its pods', () => {
  it.each<[string, Pod[]]>([
    ['nobody', []],
    ['one of two that a term selects', [leaver]],
    ['all that a term selects', [leaver, other]],
    ['who keeps others off', [guard]],
    ['one that is for no VM', [system]],
    ['one that had ended', [ended]],
  ])('is as one that never had them: %s', (_name, gone) => {
    const [world, plain] = [without(...gone), worldOf(all.filter((pod) => !gone.includes(pod)))];
    const keepersOff = (view: PlacementWorld | WorldWithout) =>
      [...view.guardsAgainst(other)].flatMap(({ pods }) => namesOf([pods]));
    expect(keepersOff(world)).toEqual(keepersOff(plain));
    expect(namesOf(world.selectedBy([term], guard))).toEqual(namesOf(plain.selectedBy([term], guard)));
    expect(world.podsOf('uid-db')).toEqual(plain.podsOf('uid-db'));
    for (const name of ['n1', 'n2']) {
      expect(world.podsOn(name)).toEqual(plain.podsOn(name));
      for (const withoutVms of [false, true]) {
        const [left, held] = [world.loadOn(name, withoutVms), plain.loadOn(name, withoutVms)];
        for (const resource of ['cpu', 'pods']) expect(left.get(resource) ?? 0).toBe(held.get(resource) ?? 0);
      }
    }
  });

  it('leaves the world beneath as it is', () => {
    without(leaver).loadOn('n1');
    expect(beneath.loadOn('n1').get('cpu')).toBe(5000);
    expect(namesOf(beneath.selectedBy([term], guard))).toEqual(['db', 'web']);
  });

  it('works out anew only what those who are gone have changed', () => {
    const world = without(system);
    expect(world.loadOn('n1')).toBe(beneath.loadOn('n1'));
    expect(world.loadOn('n2')).toBe(world.loadOn('n2'));
    expect(world.selectedBy([term], guard)[0]).toBe(beneath.selectedBy([term], guard)[0]);
    expect(without(leaver).selectedBy([term], guard)[0]).not.toBe(beneath.selectedBy([term], guard)[0]);
  });
});
