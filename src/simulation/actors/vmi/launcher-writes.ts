import { isLauncherReady } from '../../../decide/vmi/pod-state.ts';
import { isSameBut } from '../../../kubevirt/json.ts';
import { ANNOTATION, LABEL } from '../../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { isMarked } from '../../../kubevirt/predicates.ts';

type Texts = Readonly<Record<string, string>>;

const MIRRORED_LABELS = [LABEL.nodeName, LABEL.outdatedLauncherImage];
const MIRRORED_ANNOTATIONS = [ANNOTATION.deschedulerEvict, ANNOTATION.deschedulerPreferNoEviction];

/**
 * The launcher with what it shows of its VMI: node, outdated image, the wishes to deschedulers, and that an eviction is under way.
 *
 * Promise: the same reference where it shows all that already; a launcher that is not ready is not told of evictions.
 */
export function syncedLauncher(pod: Pod, vmi: Vmi): Pod {
  const { metadata } = pod;
  const labels = mirrored(metadata.labels, vmi.metadata.labels, MIRRORED_LABELS);
  const wishes = mirrored(metadata.annotations, vmi.metadata.annotations, MIRRORED_ANNOTATIONS);
  const annotations = isLauncherReady(pod) ? withEviction(wishes, isMarked(vmi)) : wishes;
  if (labels === metadata.labels && annotations === metadata.annotations) return pod;
  return {
    ...pod,
    metadata: {
      ...metadata,
      labels: labels && { ...labels },
      annotations: annotations && { ...annotations },
    },
  };
}

/** What controllers write on a launcher for others to see; none of them reads it, nor does its node. */
const SHOWN: ReadonlySet<string> = new Set<string>([
  ...MIRRORED_LABELS,
  ...MIRRORED_ANNOTATIONS,
  ANNOTATION.evictionInProgress,
  ANNOTATION.migrationTargetReady,
]);
const METADATA = new Set(['labels', 'annotations', 'resourceVersion']);

/**
 * Whether two states of a launcher differ in nothing but what it shows.
 *
 * Promise: parts are compared by reference, so that `false` is told of some that are alike.
 */
export function isShownNews(before: Pod, after: Pod): boolean {
  const [was, is] = [before.metadata, after.metadata];
  return (
    before.spec === after.spec &&
    before.status === after.status &&
    isSameBut(METADATA, was, is) &&
    isSameBut(SHOWN, was.labels, is.labels) &&
    isSameBut(SHOWN, was.annotations, is.annotations)
  );
}

function mirrored(own: Texts | undefined, shown: Texts = {}, keys: readonly string[]): Texts | undefined {
  if (keys.every((key) => own?.[key] === shown[key])) return own;
  const changed = keys.filter((key) => own?.[key] !== shown[key]);
  const kept = Object.entries(own ?? {}).filter(([key]) => !changed.includes(key));
  const added = changed.flatMap((key) => (shown[key] === undefined ? [] : [[key, shown[key]]]));
  return Object.fromEntries([...kept, ...added]);
}

function withEviction(annotations: Texts | undefined, isEvicted: boolean): Texts | undefined {
  const key = ANNOTATION.evictionInProgress;
  if ((annotations?.[key] !== undefined) === isEvicted) return annotations;
  if (isEvicted) return { ...annotations, [key]: 'true' };
  const { [key]: _, ...others } = annotations ?? {};
  return others;
}
