import type { Outcome } from '../forecast.ts';

/** Each outcome in a few words, for legends and the reference. */
export const MEANING: Readonly<Record<Outcome, string>> = {
  Cut: 'the node goes down with the guest still on it',
  Blocks: 'eviction is refused until something changes',
  NeverCompletes: 'attempts repeat without a feasible end',
  StaysOff: 'shut down, and nothing starts it again',
  MayStayOff: 'restarts or stays off, as the guest ends',
  Unknown: 'the input lacks something',
  HandedOver: 'only marked; another controller decides',
  Restarts: 'shut down, and comes back on its own',
  Deferred: 'nothing happens until a condition changes',
  LiveMigrates: 'keeps running, ends on another node',
  Untouched: 'not affected',
};
