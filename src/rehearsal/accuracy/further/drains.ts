import type { DrainQuestion } from '../../../forecast/questions.ts';
import type { Draws } from '../draws.ts';
import type { Trial } from '../trial.ts';

/** How a node is emptied, where not by a plain `kubectl drain`. */
export type DrainWay = Pick<
  DrainQuestion,
  'client' | 'timeoutSeconds' | 'gracePeriodSeconds' | 'disableEviction' | 'force' | 'podSelector'
>;

/** Drains by other clients, and with flags. */
export function drains(draws: Draws, trial: Trial): Trial {
  const client = draws.pick('kubectl', 'kubectl', 'kubectl', 'talosctl', 'talos-node', 'cluster-autoscaler');
  const ofKubectl = client === 'kubectl';
  const drain: DrainWay = {
    client,
    timeoutSeconds: ofKubectl && draws.percent(50) ? draws.pick(60, 600, 1800) : undefined,
    gracePeriodSeconds: ofKubectl ? draws.pick(undefined, undefined, 5, 45, 400) : undefined,
    disableEviction: ofKubectl && draws.percent(20),
    force: ofKubectl && draws.percent(30),
    podSelector: ofKubectl && draws.percent(25) ? { matchLabels: { pool: 'web' } } : undefined,
  };
  return { ...trial, drain };
}
