/** What virt-controller writes of a VMI beside what others write to it: pure, old in, new out. */
import { memoryOverheadBytes } from '../../../decide/launcher/launcher-resources.ts';
import { resultOf } from '../../../decide/rules.ts';
import { vmiPhaseTable } from '../../../decide/vmi/phase.ts';
import { volumeStatusOf } from '../../../decide/vmi/volume-status.ts';
import { withChanges } from '../../../kubevirt/json.ts';
import { ANNOTATION } from '../../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { byName } from '../../../kubevirt/order.ts';
import { isFinal } from '../../../kubevirt/predicates.ts';
import { formatBytes } from '../../../kubevirt/quantity.ts';
import { extended, recordOf } from '../../../kubevirt/shapes.ts';
import { formatInstant } from '../../../kubevirt/time.ts';
import { conditionsOf } from './vmi-conditions.ts';
import { finalizersOf, labelsOf, launcherImageOf } from './vmi-metadata.ts';
import { isHandedOver, type VmiNews } from './vmi-news.ts';

type Status = NonNullable<Vmi['status']>;

/**
 * The VMI as virt-controller would have it.
 *
 * Promise: the same reference where nothing of it changes; what others own is kept.
 */
export function syncedVmi(vmi: Vmi, news: VmiNews): Vmi {
  const phase = resultOf(vmiPhaseTable, { vmi, pod: news.pod });
  const isLeft = isFinal(vmi) && news.pods.length === 0;
  const status = statusOf(vmi, news, phase, isLeft);
  const labels = labelsOf(vmi, news, phase, isLeft);
  const finalizers = finalizersOf(vmi, news, isLeft);
  const { metadata } = vmi;
  if (status === vmi.status && labels === metadata.labels && finalizers === metadata.finalizers) return vmi;
  return extended(vmi, { metadata: extended(metadata, { labels, finalizers }), status });
}

function statusOf(vmi: Vmi, news: VmiNews, phase: string, isLeft: boolean): Status | undefined {
  const held: Status = vmi.status ?? {};
  const conditions = conditionsOf(vmi, news);
  const change: Partial<Status> = {
    phase,
    activePods: activePodsOf(held, news),
    launcherContainerImageVersion: imageOf(held, news, isLeft),
    ...(conditions !== held.conditions && { conditions: [...conditions] }),
    ...(phase !== held.phase && entering(vmi, phase, news)),
    ...volumesOf(vmi, news, phase),
  };
  return withChanges(held, change);
}

function activePodsOf(held: Status, news: VmiNews): Status['activePods'] {
  const noted = held.activePods ?? {};
  const pods = news.pods.length < 2 ? news.pods : news.pods.filter((pod) => isJudged(pod, noted));
  if (pods.length === 0) return undefined;
  const isNoted = pods.every(({ metadata, spec }) => noted[metadata.uid ?? ''] === (spec?.nodeName ?? ''));
  if (isNoted && Object.keys(noted).length === pods.length) return noted;
  const sorted = [...pods].sort(byName);
  return recordOf(sorted.map((pod) => [pod.metadata.uid ?? '', pod.spec?.nodeName ?? '']));
}

/** The target of a migration is noted when it has got a node, or is known to get none: KubeVirt notes it before that too. */
function isJudged({ metadata, spec, status }: Pod, noted: NonNullable<Status['activePods']>): boolean {
  if (spec?.nodeName || noted[metadata.uid ?? ''] !== undefined) return true;
  return status?.conditions?.some(({ type }) => type === 'PodScheduled') ?? false;
}

/** What the guest was started from, which is only known of a pod that is there. */
function imageOf(held: Status, { pod }: VmiNews, isLeft: boolean): string | undefined {
  if (isLeft) return undefined;
  return (pod && launcherImageOf(pod)) ?? held.launcherContainerImageVersion;
}

/** A phase that virt-controller leaves to virt-handler is entered without a note of the time, when a pod is lost. */
function entering(vmi: Vmi, phase: string, { now, pod }: VmiNews): Partial<Status> {
  if (isHandedOver(vmi.status?.phase)) return {};
  const entry = { phase, phaseTransitionTimestamp: formatInstant(now) };
  const phaseTransitionTimestamps = [...(vmi.status?.phaseTransitionTimestamps ?? []), entry];
  const memory = { ...vmi.status?.memory, memoryOverhead: formatBytes(memoryOverheadBytes(vmi)) };
  if (phase === 'Scheduling') return { phaseTransitionTimestamps, memory };
  if (phase !== 'Scheduled') return { phaseTransitionTimestamps };
  const isOverSocket = pod?.metadata.annotations?.[ANNOTATION.migrationTransportUnix] !== undefined;
  return {
    phaseTransitionTimestamps,
    nodeName: pod?.spec?.nodeName,
    ...(isOverSocket && { migrationTransport: 'Unix' }),
  };
}

function volumesOf(vmi: Vmi, news: VmiNews, phase: string): Partial<Status> {
  if (!news.pod || !isHandedOver(phase)) return {};
  const { volumeStatus } = volumeStatusOf({ vmi, attachments: news.attachments, claim: news.claim });
  if (volumeStatus === vmi.status?.volumeStatus) return {};
  return { volumeStatus: volumeStatus.length === 0 ? undefined : [...volumeStatus] };
}
