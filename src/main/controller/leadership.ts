import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { LeaderElection } from '../../cli/services.ts';
import { BATCH_ANNOTATION, type TextStore } from '../../controllers/batch-memory.ts';
import type { Log, Metrics } from '../../controllers/ports.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';
import { LeaderLease } from '../../kubernetes/lease/leader-lease.ts';
import { LeaseNote } from '../../kubernetes/lease/lease-note.ts';
import { steadyClock, systemRandom } from '../../kubernetes/wall-clock.ts';

/** Whether this process may act, and where it keeps what the next one must know. */
export interface Leadership {
  /** The fence: asked before each write. */
  mayWrite(): boolean;
  /** Holds the time of the last eviction batch. */
  readonly store: TextStore;
  start(): Promise<void>;
  /** Gives the lead up, if it is held. To be called when no write is under way. */
  stop(): Promise<void>;
}

export interface LeadershipOptions {
  readonly election: LeaderElection;
  /** Nothing is written on a dry run, so that it neither leads nor keeps anything. */
  readonly dryRun: boolean;
  readonly api: ApiClient;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly onStartedLeading: () => void;
  readonly onStoppedLeading: () => void;
}

export function leadershipOf(options: LeadershipOptions): Leadership {
  if (options.dryRun) return rehearsed(options);
  return options.election.enabled ? elected(options) : alone(options);
}

function elected({ election, ...options }: LeadershipOptions): Leadership {
  const { namespace, name, enabled: _, ...timing } = election;
  const identity = `${hostname()}_${randomUUID()}`;
  const lease = new LeaderLease({
    ...{ ...options, namespace, name, identity, timing },
    ...{ clock: steadyClock, random: systemRandom },
  });
  return {
    mayWrite: () => lease.isHeld(),
    store: {
      read: () => lease.annotation(BATCH_ANNOTATION),
      write: (text) => lease.annotate(BATCH_ANNOTATION, text),
    },
    start: async () => lease.start(),
    stop: () => lease.stop(),
  };
}

function alone({ election, api, onStartedLeading }: LeadershipOptions): Leadership {
  const { namespace, name } = election;
  const note = new LeaseNote({ api, namespace, name, annotation: BATCH_ANNOTATION });
  return {
    mayWrite: () => true,
    store: note,
    start: async () => {
      await note.load();
      onStartedLeading();
    },
    stop: async () => {},
  };
}

function rehearsed({ onStartedLeading }: LeadershipOptions): Leadership {
  let text: string | undefined;
  return {
    mayWrite: () => true,
    store: {
      read: () => text,
      write: async (written) => {
        text = written;
        return { ok: true, name: 'dry run' };
      },
    },
    start: async () => onStartedLeading(),
    stop: async () => {},
  };
}
