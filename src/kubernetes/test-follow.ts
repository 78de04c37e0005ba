import type { Change, Log, Metrics } from '../controllers/ports.ts';
import type { Kind } from '../fleet/fleet.ts';
import { connect } from './connect.ts';
import { LiveCluster } from './live-cluster.ts';
import type { WatchTiming } from './watch/timing.ts';

/** Timing with which a test need not wait. */
const HASTE: Partial<WatchTiming> = {
  pageSize: 3,
  watchSeconds: 30,
  inactivitySeconds: 20,
  backoff: { firstSeconds: 0.05, mostSeconds: 0.4 },
  absentSeconds: 0.5,
  staleSeconds: 1,
};

export interface Followed {
  readonly cluster: LiveCluster;
  readonly changes: Change[];
  readonly logged: { readonly level: string; readonly message: string; readonly fields: unknown }[];
  /** Value of a counter or gauge; labels as `kind=Pod,reason=Broken`. */
  metric(name: string, labels: string): number;
  stop(): Promise<void>;
}

export interface FollowOptions {
  readonly kinds: readonly Kind[];
  readonly timing?: Partial<WatchTiming>;
  readonly requestTimeoutSeconds?: number;
  readonly mayWrite?: () => boolean;
  readonly fieldSelectors?: Partial<Record<Kind, string>>;
  readonly dryRun?: boolean;
}

/** Follows kinds of a cluster, and notes what is told on the way. */
export function follow(kubeconfig: string, options: FollowOptions): Followed {
  const { kinds, timing, requestTimeoutSeconds = 10, mayWrite, fieldSelectors, dryRun } = options;
  const changes: Change[] = [];
  const logged: Followed['logged'] = [];
  const log: Log = { write: (level, message, fields) => void logged.push({ level, message, fields }) };
  const { metrics, metric } = recordMetrics();
  const api = connect({ kubeconfig, requestTimeoutSeconds, metrics });
  const following = { kinds, timing: { ...HASTE, ...timing }, mayWrite, fieldSelectors, dryRun };
  const cluster = new LiveCluster({ api, log, metrics, ...following });
  cluster.subscribe((change) => changes.push(change));
  cluster.start();
  const stop = async (): Promise<void> => {
    await cluster.stop();
    await api.close();
  };
  return { cluster, changes, logged, metric, stop };
}

/** Metrics that a test can read. */
export function recordMetrics(): { metrics: Metrics; metric: (name: string, labels: string) => number } {
  const values = new Map<string, number>();
  const keyOf = (name: string, labels: Readonly<Record<string, string>> = {}): string =>
    `${name}{${Object.entries(labels)
      .map((pair) => pair.join('='))
      .sort()
      .join(',')}}`;
  const metrics: Metrics = {
    count: (name, labels, by = 1) => {
      const key = keyOf(name, labels);
      values.set(key, (values.get(key) ?? 0) + by);
    },
    gauge: (name, value, labels) => void values.set(keyOf(name, labels), value),
    observe: () => {},
  };
  return { metrics, metric: (name, labels) => values.get(`${name}{${labels}}`) ?? 0 };
}
