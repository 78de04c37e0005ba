import type { Fleet } from '../../fleet/fleet.ts';
import { KNOWN_KINDS } from '../../kubevirt/kinds.ts';
import { type Instant, parseInstant } from '../../kubevirt/time.ts';

/** Where an object says when something has happened to it; what has yet to come, such as a deletion, is left out. */
interface Told {
  readonly metadata: { readonly creationTimestamp?: string | undefined };
  readonly status?: {
    readonly conditions?: readonly { readonly lastTransitionTime?: string | undefined }[] | undefined;
    readonly phaseTransitionTimestamps?:
      | readonly { readonly phaseTransitionTimestamp?: string | undefined }[]
      | undefined;
    readonly migrationState?:
      | { readonly startTimestamp?: string | undefined; readonly endTimestamp?: string | undefined }
      | undefined;
  };
}

/**
 * When a snapshot was taken, as far as it tells: at the last thing that has happened in it. Undefined: it tells no time.
 * Whoever waits since an instant of the snapshot, as migrations do after a failure, waits as long as he would have.
 */
export function lastInstantIn(fleet: Fleet): Instant | undefined {
  let last: Instant | undefined;
  for (const kind of KNOWN_KINDS) {
    for (const object of fleet.all(kind)) {
      for (const text of timesOf(object as Told)) {
        const at = parseInstant(text);
        if (at !== undefined && (last === undefined || at > last)) last = at;
      }
    }
  }
  return last;
}

function timesOf({ metadata, status }: Told): (string | undefined)[] {
  const { conditions = [], phaseTransitionTimestamps = [], migrationState } = status ?? {};
  return [
    metadata.creationTimestamp,
    migrationState?.startTimestamp,
    migrationState?.endTimestamp,
    ...conditions.map(({ lastTransitionTime }) => lastTransitionTime),
    ...phaseTransitionTimestamps.map(({ phaseTransitionTimestamp }) => phaseTransitionTimestamp),
  ];
}
