/**
 * The descheduler's evictions in the background (gate EvictionsInBackground, off by default): drains §4 of the spec. It
 * remembers by UID which pods a component of their own moves away. descheduler v0.36 pkg/descheduler/evictions/evictions.go.
 */
import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { isPodFinished } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { Evidence, Table } from '../rules.ts';
import { readAnswer } from './eviction-loop.ts';
import { annotationField, phaseField } from './selection.ts';

const EVICTIONS = 'descheduler v0.36 pkg/descheduler/evictions/evictions.go';

/** The words in a refusal by which the descheduler knows that the pod moves; KubeVirt's later refusals contain them too. */
const EVACUATION_PHRASE = 'Eviction triggered evacuation';

/** An entry that nothing confirmed for this long is dropped at the next sweep, and sweeps are as far apart. */
const ASSUMED_SECONDS = 600;

/** What is remembered of a pod. `assumed`: only a refusal said so; `confirmed`: its own annotation does. */
export interface BackgroundEntry {
  readonly state: 'assumed' | 'confirmed';
  readonly since: Instant;
}

export interface BackgroundInput {
  readonly pod: Pod;
  readonly entry?: BackgroundEntry | undefined;
  readonly isGateOn: boolean;
}

/** `send`: ask the API server; `nothing`: a success without asking. */
export const backgroundRequestTable: Table<BackgroundInput, 'send' | 'nothing'> = [
  {
    name: 'AlreadyMoving',
    asks: 'the pod is remembered as moving',
    source: EVICTIONS,
    when: ({ entry, ...input }) => inBackground(input) && entry !== undefined,
    reads: ({ pod }) => [annotationField(pod, ANNOTATION.requestEvictOnly)],
    then: () => 'nothing',
  },
  {
    name: 'Asked',
    asks: 'otherwise the eviction is asked for',
    source: EVICTIONS,
    when: () => true,
    reads: ({ pod }) => [annotationField(pod, ANNOTATION.requestEvictOnly)],
    then: () => 'send',
  },
];

export interface BackgroundAnswer extends BackgroundInput {
  readonly answer: { readonly ok: boolean; readonly code?: number | undefined; readonly message?: string };
}

/** What an answer counts for. `assumed`: remembered, and counted against the limits, but not as evicted. */
export type BackgroundCount = 'evicted' | 'assumed' | 'failed';

export const backgroundAnswerTable: Table<BackgroundAnswer, BackgroundCount> = [
  {
    name: 'Evicted',
    asks: 'the eviction was accepted',
    source: EVICTIONS,
    when: ({ answer }) => answer.ok,
    reads: readAnswer,
    then: () => 'evicted',
  },
  {
    name: 'AssumedMoving',
    asks: 'the refusal says that it has started an evacuation, and the pod asks for evictions in the background',
    source: EVICTIONS,
    when: ({ answer, ...input }) =>
      inBackground(input) && answer.code === 429 && (answer.message ?? '').includes(EVACUATION_PHRASE),
    reads: readAnswer,
    then: () => 'assumed',
  },
  {
    name: 'Failed',
    asks: 'otherwise this cycle has failed for the pod',
    source: EVICTIONS,
    when: () => true,
    reads: readAnswer,
    then: () => 'failed',
  },
];

export interface BackgroundUpdate {
  /** As it is now; absent once it is deleted. */
  readonly pod: Pod | undefined;
  readonly entry: BackgroundEntry;
  readonly now: Instant;
  /** It is time for a sweep. */
  readonly sweeps: boolean;
}

/** What becomes of an entry. `succeeded` and `failed` drop it and count for the metric; `forget` drops it silently. */
export type BackgroundFate = 'keep' | 'confirm' | 'succeeded' | 'failed' | 'forget';

export const backgroundUpdateTable: Table<BackgroundUpdate, BackgroundFate> = [
  {
    name: 'PodDeleted',
    asks: 'the pod is gone',
    source: EVICTIONS,
    when: ({ pod }) => pod === undefined,
    reads: () => [],
    then: () => 'succeeded',
  },
  {
    name: 'PodEnded',
    asks: 'the pod has ended',
    source: EVICTIONS,
    when: ({ pod }) => pod !== undefined && isPodFinished(pod),
    reads: ({ pod }) => (pod ? [phaseField(pod)] : []),
    then: ({ pod }) => (pod?.status?.phase === 'Failed' ? 'failed' : 'succeeded'),
  },
  {
    name: 'Confirmed',
    asks: 'the pod has gained the annotation that its eviction is under way',
    source: EVICTIONS,
    when: ({ pod, entry }) => entry.state === 'assumed' && isUnderWay(pod),
    reads: readUnderWay,
    then: () => 'confirm',
  },
  {
    name: 'CalledOff',
    asks: 'the pod has lost that annotation again',
    source: EVICTIONS,
    when: ({ pod, entry }) => entry.state === 'confirmed' && !isUnderWay(pod),
    reads: readUnderWay,
    then: () => 'forget',
  },
  {
    name: 'NeverConfirmed',
    asks: 'nothing confirmed the move for ten minutes, and a sweep is due',
    source: EVICTIONS,
    when: ({ entry, now, sweeps }) =>
      sweeps && entry.state === 'assumed' && now - entry.since > ASSUMED_SECONDS * 1000,
    reads: readUnderWay,
    then: () => 'forget',
  },
  {
    name: 'StillMoving',
    asks: 'otherwise the pod is still moving',
    source: EVICTIONS,
    when: () => true,
    reads: readUnderWay,
    then: () => 'keep',
  },
];

function inBackground({ pod, isGateOn }: Pick<BackgroundInput, 'pod' | 'isGateOn'>): boolean {
  return isGateOn && pod.metadata.annotations?.[ANNOTATION.requestEvictOnly] !== undefined;
}

function isUnderWay(pod: Pod | undefined): boolean {
  return pod?.metadata.annotations?.[ANNOTATION.evictionInProgress] !== undefined;
}

function readUnderWay({ pod }: BackgroundUpdate): Evidence[] {
  return pod ? [annotationField(pod, ANNOTATION.evictionInProgress)] : [];
}
