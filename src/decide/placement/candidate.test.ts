import { describe, expect, it } from 'vitest';
import { aMigration, aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, PodAffinityTerm } from '../../kubevirt/objects.ts';
import { type CandidateQuestion, candidateOf } from './candidate.ts';
import { PlacementWorld } from './world.ts';

const vmi = aVmi().on('n1').build();
const launcher = aPod().launcherOf(vmi).on('n1').asking({ cpu: '1' });
const world = new PlacementWorld({ nodes: [aNode('n1').build()], podsOn: () => [] });
const ask = (more: Partial<CandidateQuestion> = {}): CandidateQuestion => ({
  pod: launcher.build(),
  vmi,
  purpose: 'migration-target',
  world,
  behavior: 'intended',
  ...more,
});
const apart: PodAffinityTerm = {
  labelSelector: { matchLabels: { 'kubevirt.io/created-by': 'uid-db' } },
  topologyKey: 'kubernetes.io/hostname',
};
const other: PodAffinityTerm = { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'zone' };
const avoids = (terms: PodAffinityTerm[]) =>
  aPod()
    .launcherOf(vmi)
    .asking({ cpu: '1' })
    .spec({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } })
    .build();
const antiAffinity = (question: CandidateQuestion) =>
  candidateOf(question).candidate?.pod.spec?.affinity?.podAntiAffinity
    ?.requiredDuringSchedulingIgnoredDuringExecution;

describe('the pod to be placed', () => {
  it.each<[string, Pod | undefined, string]>([
    ['there is no launcher', undefined, 'launcher pod of VirtualMachineInstance shop/db'],
    ['it has no spec', { metadata: { name: 'p', namespace: 'shop' } }, 'spec of Pod shop/p'],
    ['its containers are cut', aPod('p').build(), 'spec.containers of Pod shop/p'],
    ['it has no container', aPod('p').spec({ containers: [] }).build(), 'spec.containers of Pod shop/p'],
  ])('cannot be worked out where %s', (_name, pod, missing) => {
    for (const purpose of ['migration-target', 'restart'] as const) {
      expect(candidateOf(ask({ pod, purpose }))).toEqual({ missing: [missing] });
    }
  });

  it('cannot be worked out where the CPU model is missing, and only a migration asks for it', () => {
    const hostModel = aVmi()
      .on('n9')
      .spec({ domain: { cpu: { model: 'host-model' } } })
      .build();
    expect(candidateOf(ask({ vmi: hostModel }))).toEqual({ missing: ['Node n9'] });
    expect(candidateOf(ask({ vmi: hostModel, purpose: 'restart' })).missing).toEqual([]);
  });

  it('takes the CPU model of the node that it leaves', () => {
    const n1 = aNode('n1').labelled('host-model-cpu.node.kubevirt.io/Skylake', 'true').build();
    const skylake = new PlacementWorld({ nodes: [n1], podsOn: () => [] });
    const hostModel = aVmi()
      .on('n1')
      .spec({ domain: { cpu: { model: 'host-model' } } })
      .build();
    expect(candidateOf(ask({ vmi: hostModel, world: skylake })).candidate?.pod.spec?.nodeSelector).toEqual({
      'cpu-model-migration.node.kubevirt.io/Skylake': 'true',
    });
  });

  it("is today's pod without its place", () => {
    const { candidate } = candidateOf(ask({ purpose: 'restart' }));
    expect(candidate?.pod.metadata).toEqual(launcher.build().metadata);
    expect(candidate?.pod.spec?.nodeName).toBeUndefined();
    expect(candidate?.pod.spec?.containers).toEqual(launcher.build().spec?.containers);
  });

  it('selects what was worked out for it', () => {
    const question = ask({ addedNodeSelector: { rack: '2' } });
    expect(candidateOf(question).candidate?.pod.spec?.nodeSelector).toEqual({ rack: '2' });
    expect(candidateOf({ ...question, purpose: 'restart' }).candidate?.pod.spec?.nodeSelector).toEqual({});
    expect(candidateOf(question).candidate?.selectors.map(({ key }) => key)).toEqual(['rack']);
  });

  it('leaves the node of the VMI, or else of its pod; a restart leaves none', () => {
    const elsewhere = aPod().launcherOf(vmi).asking({ cpu: '1' }).on('n7').build();
    expect(candidateOf(ask({ pod: elsewhere })).candidate?.leaves).toBe('n1');
    expect(candidateOf(ask({ pod: elsewhere, vmi: aVmi().build() })).candidate?.leaves).toBe('n7');
    expect(candidateOf(ask({ purpose: 'restart' })).candidate?.leaves).toBeUndefined();
  });

  it.each<[string, Partial<CandidateQuestion>, PodAffinityTerm[]]>([
    ["a target keeps off the VM's own pods", {}, [apart]],
    ['a restart has no such term', { purpose: 'restart' }, []],
    ['a target keeps its own terms', { pod: avoids([other]) }, [other, apart]],
    ['the term of an earlier migration is not doubled', { pod: avoids([apart, other]) }, [other, apart]],
    [
      'a restart loses the term of an earlier migration',
      { pod: avoids([apart, other]), purpose: 'restart' },
      [other],
    ],
    [
      'without UID of the VMI, the label of the pod tells it',
      { vmi: aVmi().meta({ uid: undefined }).on('n1').build() },
      [apart],
    ],
  ])('%s', (_name, more, terms) => {
    expect(antiAffinity(ask(more))).toEqual(terms);
  });

  it('keeps its other affinity', () => {
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } };
    const pod = aPod().asking({ cpu: '1' }).spec({ affinity: { nodeAffinity } }).build();
    expect(candidateOf(ask({ pod })).candidate?.pod.spec?.affinity?.nodeAffinity).toEqual(nodeAffinity);
  });
});

describe('pods that are gone by then', () => {
  const attachment = aPod('hp-volume-x').ownedBy('Pod', 'virt-launcher-db-1').build();
  const stranger = aPod('virt-launcher-web-1').launcherOf(aVmi('web').build()).build();
  const leftover = aPod('virt-launcher-db-2').targetOf(vmi, aMigration().build()).build();
  const labelled = aPod('x').labelled('kubevirt.io/created-by', 'uid-db').build();
  const isGone = (purpose: CandidateQuestion['purpose'], pod: Pod, more: Partial<CandidateQuestion> = {}) => {
    const beside = new PlacementWorld({ nodes: [aNode('n1').build()], podsOn: () => [pod] });
    return candidateOf(ask({ purpose, world: beside, ...more })).candidate?.gone.has(pod);
  };
  const referring = (controller: boolean) => {
    const owner = { kind: 'VirtualMachineInstance', name: 'db', uid: 'uid-db', controller };
    return aPod('y')
      .meta({ ownerReferences: [owner] })
      .build();
  };

  it.each([
    ['its launcher', launcher.build(), true],
    ['a left-over target of it', leftover, true],
    ['a pod that only the label tells', labelled, true],
    ['its attachment pod', attachment, true],
    ['a pod that its VMI controls', referring(true), true],
    ['a pod that refers to its VMI, which does not control it', referring(false), false],
    ['a pod of another VM', stranger, false],
    ['a pod of nobody', aPod('free').build(), false],
  ])('after a restart: %s', (_name, pod, gone) => {
    expect(isGone('restart', pod)).toBe(gone);
    expect(isGone('migration-target', pod)).toBe(false);
  });

  it('takes nobody for an attachment pod of a launcher without UID', () => {
    const pod = aPod().meta({ uid: undefined }).asking({ cpu: '1' }).build();
    const orphan = aPod('o')
      .meta({ ownerReferences: [{ name: 'x', kind: 'Pod' }] })
      .build();
    expect(isGone('restart', orphan, { pod })).toBe(false);
  });

  it('takes nobody for a pod of a VMI without UID', () => {
    const unknown = aVmi().meta({ uid: undefined }).build();
    const pod = aPod().asking({ cpu: '1' }).build();
    expect(isGone('restart', aPod('o').build(), { vmi: unknown, pod })).toBe(false);
  });
});
