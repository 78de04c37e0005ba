import { extended, recordOf } from '../kubevirt/shapes.ts';
import type { Play } from './simulate-play.ts';

type Pods = Readonly<Record<string, string>>;

/**
 * A play on its way to a thread, which gets a clone of it.
 *
 * Cloning rebuilds every object key by key, and keys that are data would use up those that V8 can learn (`kubevirt/shapes.ts`): there
 * `activePods` is a `Map`. `receivedPlay` takes that back.
 */
export function sentPlay(play: Play): Play {
  return withPods(play, (pods: Pods) => new Map(Object.entries(pods)));
}

/** The play that was sent, on the other side. */
export function receivedPlay(play: Play): Play {
  return withPods(play, (pods: ReadonlyMap<string, string>) => recordOf(pods));
}

function withPods<T>(play: Play, change: (activePods: T) => object): Play {
  const objects = play.beginning.objects.map((object) => {
    const { status } = object as { readonly status?: { readonly activePods?: T } };
    if (status?.activePods === undefined) return object;
    return extended(object, { status: extended(status, { activePods: change(status.activePods) }) });
  });
  return { ...play, beginning: { ...play.beginning, objects } };
}
