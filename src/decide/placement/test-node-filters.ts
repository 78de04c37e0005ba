/** A launcher that leaves n1, and the node n2 that it may go to. */
import { aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Node, PersistentVolume, Pod } from '../../kubevirt/objects.ts';
import { decide } from '../rules.ts';
import { type CandidateQuestion, candidateOf } from './candidate.ts';
import { CordonedWorld } from './cordoned.ts';
import { NODE_FILTERS } from './node-filters.ts';
import { surroundingsOf } from './seat.ts';
import { PlacementWorld, type WorldFacts } from './world.ts';

const vmi = aVmi().on('n1').build();
export const launcher = () => aPod('l').launcherOf(vmi).on('n1').asking({ cpu: '2', memory: '1Gi' });

export const target = () =>
  aNode('n2')
    .labelled('kubevirt.io/schedulable', 'true')
    .offering({ cpu: '4', memory: '8Gi', pods: '3', 'devices.kubevirt.io/kvm': '1' });

export const home = aNode('n1').labelled('kubevirt.io/schedulable', 'true').build();

export interface Scene {
  readonly pod?: Pod;
  readonly node?: Node;
  readonly others?: readonly Pod[];
  readonly facts?: Partial<WorldFacts>;
  readonly cordoned?: readonly string[];
  readonly ask?: Partial<CandidateQuestion>;
  readonly withoutVms?: boolean;
}

export function judge({
  pod = launcher().build(),
  node = target().build(),
  others = [],
  facts,
  cordoned = [],
  ask,
  withoutVms = false,
}: Scene) {
  const pods = [pod, ...others];
  const open = new PlacementWorld({
    nodes: [home, node],
    podsOn: (name) => pods.filter(({ spec }) => spec?.nodeName === name),
    ...facts,
  });
  const world = new CordonedWorld(open, cordoned);
  const { candidate } = candidateOf({
    pod,
    vmi,
    purpose: 'migration-target',
    behavior: 'intended',
    world,
    ...ask,
  });
  if (!candidate) throw new Error('no candidate');
  return decide(NODE_FILTERS, { ...surroundingsOf(candidate, world, withoutVms), node });
}

export const volume = (name: string, node: string): PersistentVolume => ({
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] },
        ],
      },
    },
  },
});

export const affinity = (terms: object[]) => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
  },
});

export const anti = (value: string) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { app: value } }, topologyKey: 'kubernetes.io/hostname' },
    ],
  },
});

export const near = (value: string) => ({
  podAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { app: value } }, topologyKey: 'kubernetes.io/hostname' },
    ],
  },
});

export const spread = {
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: {},
};

export const POD = 'Pod shop/l';
export const NODE = 'Node n2';
export const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
