import type { Log, Metrics } from './ports.ts';

/** A log and metrics that nobody reads: of clusters that are played, or only looked at. */
export const silent: { readonly log: Log; readonly metrics: Metrics } = {
  log: { write: () => {} },
  metrics: { count: () => {}, gauge: () => {}, observe: () => {} },
};
