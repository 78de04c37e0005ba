import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveSource } from '../cli/ports.ts';
import type { Look } from '../cli/services.ts';
import { silent } from '../controllers/silent.ts';
import { connect } from '../kubernetes/connect.ts';
import { KubernetesError } from '../kubernetes/errors.ts';
import { LiveCluster } from '../kubernetes/live-cluster.ts';
import { untilAsked } from './until-asked.ts';

/** Looks are at least so far apart, and so many times as far as one takes; without changes, time alone brings one. */
const SHORTEST_SECONDS = 1;
const TIMES = 4;
const LONGEST_SECONDS = 10;
/** How long kinds may take until they are there, or the cluster counts as unreachable. */
const PATIENCE_SECONDS = 30;

/**
 * Follows a live cluster for the command line.
 *
 * Promise: a kind that may not be listed stays unknown, and is named in a warning. Throws `ClusterUnreachable` when nothing can be
 * listed at all.
 */
export async function follow(source: LiveSource, look: Look): Promise<void> {
  const api = connect({ ...source, userAgent: 'drover-status' });
  const cluster = new LiveCluster({ api, ...silent });
  const { signal } = untilAsked();
  cluster.start();
  try {
    await settled(cluster, signal);
    for (let goesOn = true, tookMs = 0; goesOn && !signal.aborted; ) {
      const changed = nextChange(cluster, signal, Math.max(SHORTEST_SECONDS * 1000, TIMES * tookMs));
      const startedAt = performance.now();
      goesOn = await look(cluster.fleet, Date.now(), warningsOf(cluster));
      tookMs = performance.now() - startedAt;
      if (goesOn) await changed.ended;
      else changed.end();
    }
  } finally {
    await cluster.stop();
    await api.close();
  }
}

/** Waits until each kind is there, or is known not to come. */
async function settled(cluster: LiveCluster, signal: AbortSignal): Promise<void> {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  const open = () =>
    [...cluster.standings()].filter(([, { settled, problem }]) => !settled && problem === undefined);
  while (open().length > 0 && !signal.aborted && Date.now() < end) await sleep(50);
  const standings = [...cluster.standings().values()];
  if (signal.aborted || standings.some(({ settled, absent }) => settled && !absent)) return;
  const { problem = 'no answer' } = standings.find((standing) => standing.problem) ?? {};
  throw new KubernetesError('ClusterUnreachable', `cannot list anything: ${problem}`);
}

function warningsOf(cluster: LiveCluster): string[] {
  return [...cluster.standings()].flatMap(([kind, { settled, problem }]) =>
    settled ? [] : [`${kind} is missing from the picture: ${problem ?? 'no answer'}`],
  );
}

interface Awaited {
  /** Resolves after a change, or without one after a while, or when the process is asked to end; never too soon. */
  readonly ended: Promise<void>;
  end(): void;
}

function nextChange(cluster: LiveCluster, signal: AbortSignal, restMs: number): Awaited {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    let isChanged = false;
    let isRested = false;
    const leave = cluster.subscribe(() => {
      isChanged = true;
      if (isRested) end();
    });
    const rest = setTimeout(() => {
      isRested = true;
      if (isChanged) end();
    }, restMs);
    const last = setTimeout(() => end(), Math.max(LONGEST_SECONDS * 1000, restMs));
    end = () => {
      leave();
      clearTimeout(rest);
      clearTimeout(last);
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
  return { ended, end: () => end() };
}
