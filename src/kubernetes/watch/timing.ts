import type { BackoffOptions } from './backoff.ts';

/** The patience of a reflector. */
export interface WatchTiming {
  /** Objects in one page of a list. */
  readonly pageSize: number;
  /** How long the server is to keep a watch open at least; twice that at most, drawn, so that not all end at once. */
  readonly watchSeconds: number;
  /** How long a watch may be silent. Servers send bookmarks about once a minute. */
  readonly inactivitySeconds: number;
  readonly backoff: BackoffOptions;
  /** When to ask again for a kind that the server does not know. */
  readonly absentSeconds: number;
  /** How long a kind may be without a watch before what is held of it does not count any more. */
  readonly staleSeconds: number;
}

export const WATCH_TIMING: WatchTiming = {
  pageSize: 500,
  watchSeconds: 300,
  inactivitySeconds: 150,
  backoff: { firstSeconds: 0.5, mostSeconds: 30 },
  absentSeconds: 60,
  staleSeconds: 30,
};
