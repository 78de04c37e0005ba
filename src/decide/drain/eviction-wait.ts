/**
 * One client, one pod whose eviction was accepted: what follows each look at it. Drains §1.4, §2 and §3 of the spec; kubectl
 * v0.37 pkg/drain/drain.go waitForDelete.
 */
import type { Pod } from '../../kubevirt/objects.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { podField } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';
import { type DrainClient, graceSeconds } from './clients.ts';
import { isTimeUp } from './eviction-loop.ts';
import { isLongDeleted } from './kubectl-filters.ts';

const LOOP = 'kubectl v0.37 pkg/drain/drain.go';

/** Seconds between two looks at a pod whose eviction was accepted. */
export const POLL_SECONDS = 1;

export interface WaitLook {
  readonly client: DrainClient;
  /** The pod that was evicted. */
  readonly evicted: Pod;
  /** What stands under its name now; absent: nothing, or for Talos a 403. */
  readonly found: Pod | undefined;
  readonly now: Instant;
  /** Since the eviction was accepted. */
  readonly waitedSeconds: number;
  /** Since the first eviction on the node. */
  readonly elapsedSeconds: number;
}

/** Whether a client goes on waiting for an evicted pod. */
export const evictionWaitTable: Table<WaitLook, 'gone' | 'skip' | 'time-is-up' | 'wait'> = [
  {
    name: 'PodGone',
    asks: 'the pod is gone, or another has its name',
    source: LOOP,
    when: ({ evicted, found }) => found?.metadata.uid !== evicted.metadata.uid || found === undefined,
    reads: readUid,
    then: () => 'gone',
  },
  {
    name: 'SkippedAsDeleted',
    asks: 'the pod has been terminating for longer than the client waits',
    source: LOOP,
    when: ({ client, found, now }) =>
      found !== undefined && isLongDeleted(found, client.flags.skipWaitForDeleteTimeoutSeconds, now),
    reads: readUid,
    then: () => 'skip',
  },
  {
    name: 'WaitIsOver',
    asks: 'the client waits no longer for a pod, or has no time left at all',
    source: LOOP,
    when: isWaitOver,
    reads: readUid,
    then: () => 'time-is-up',
  },
  {
    name: 'StillThere',
    asks: 'the pod is still there',
    source: LOOP,
    when: () => true,
    reads: readUid,
    then: () => 'wait',
  },
];

/** The autoscaler's time is for evictions only; it then waits for each pod as long as that may take, and a little more. */
function isWaitOver({ client, evicted, waitedSeconds, elapsedSeconds }: WaitLook): boolean {
  const { waitSeconds, waitBeyondGraceSeconds } = client;
  if (waitBeyondGraceSeconds !== undefined) {
    return waitedSeconds >= graceSeconds(client, evicted) + waitBeyondGraceSeconds;
  }
  return waitedSeconds >= (waitSeconds ?? Number.POSITIVE_INFINITY) || isTimeUp(client, elapsedSeconds);
}

function readUid({ evicted, found }: WaitLook): Evidence[] {
  return [podField(evicted, 'metadata.uid', found?.metadata.uid)];
}
