import { isSameJson } from '../../../kubevirt/json.ts';
import { COMPUTE_CONTAINER, FINALIZER, LABEL } from '../../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { isFinal } from '../../../kubevirt/predicates.ts';
import { extended } from '../../../kubevirt/shapes.ts';
import type { VmiNews } from './vmi-news.ts';

type Labels = Record<string, string>;

/** What the guest in a launcher was started from. */
export function launcherImageOf(pod: Pod): string | undefined {
  return pod.spec?.containers?.find(({ name }) => name === COMPUTE_CONTAINER)?.image;
}

/** Whether the launcher is of an older image, and the node that the VMI has been given. */
export function labelsOf(
  vmi: Vmi,
  { pod, launcherImage }: VmiNews,
  phase: string,
  isLeft: boolean,
): Vmi['metadata']['labels'] {
  const held: Labels = vmi.metadata.labels ?? {};
  const isMarked = held[LABEL.outdatedLauncherImage] !== undefined;
  const image = pod && launcherImageOf(pod);
  const isOutdated = !isLeft && (pod ? Boolean(image) && image !== launcherImage : isMarked);
  const isPlaced = phase === 'Scheduled' && vmi.status?.phase === 'Scheduling';
  if (!isPlaced && isOutdated === isMarked) return vmi.metadata.labels;
  const { [LABEL.outdatedLauncherImage]: _, ...others } = held;
  const labels: Labels = isOutdated ? extended(others, { [LABEL.outdatedLauncherImage]: '' }) : others;
  if (isPlaced && pod?.spec?.nodeName) labels[LABEL.nodeName] = pod.spec.nodeName;
  return isSameJson(labels, held) ? vmi.metadata.labels : labels;
}

/** What keeps a VMI that has ended, until its pods are gone, and until its VM has seen it. */
export function finalizersOf(
  vmi: Vmi,
  { hasOwner }: VmiNews,
  isLeft: boolean,
): Vmi['metadata']['finalizers'] {
  const held = vmi.metadata.finalizers;
  if (!held || !isFinal(vmi)) return held;
  const done: ReadonlySet<string> = new Set([
    ...(isLeft ? [FINALIZER.foregroundDelete, FINALIZER.formerForegroundDelete] : []),
    ...(hasOwner ? [] : [FINALIZER.vmController]),
  ]);
  const kept = held.filter((name) => !done.has(name));
  if (kept.length === held.length) return held;
  return kept.length === 0 ? undefined : kept;
}
