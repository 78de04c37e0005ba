import { isExpired } from '../answer.ts';
import type { WatchEnd } from './watch-once.ts';

/** What follows the end of a watch. */
export interface NextStep {
  readonly step: 'watch' | 'list';
  /** Wait before, longer each time. */
  readonly wait: boolean;
  readonly retryAfterSeconds?: number | undefined;
  /** Why, as the metrics and the log call it. */
  readonly reason: string;
}

/** A watch that gave nothing this often in a row, while the server answered, is given up for a list. */
const FRUITLESS_MOST = 5;

/**
 * A watch that was silent from its beginning, after so many that were too, is given up for a list: a server whose cache has fallen
 * behind opens watches and says nothing in them, while its lists are of now.
 */
const SILENT_MOST = 1;

/**
 * Where a watch ended decides what follows. Nothing is lost when the next one begins at the version that was seen last, and
 * a list of everything is dear, so that is for when the version is of no use any more: the server forgot it, or what it sent
 * cannot be trusted.
 *
 * `fruitful`: it brought an event, or held for a while without falling silent. `fruitless`: how many before it did not, with
 * the server answering.
 */
export function nextStep(ended: WatchEnd, fruitful: boolean, fruitless: number): NextStep {
  switch (ended.end) {
    case 'closed':
      return { step: 'watch', wait: !fruitful, reason: 'Closed' };
    case 'broken':
      return { step: 'watch', wait: true, reason: 'Broken' };
    case 'stalled':
      return fruitful || fruitless < SILENT_MOST
        ? { step: 'watch', wait: false, reason: 'Stalled' }
        : { step: 'list', wait: false, reason: 'Silent' };
    case 'bad':
      return { step: 'list', wait: true, reason: 'BadLine' };
    case 'refused':
      return afterRefusal(ended.failure, fruitless);
  }
}

function afterRefusal(
  failure: Extract<WatchEnd, { end: 'refused' }>['failure'],
  fruitless: number,
): NextStep {
  const { code = 0, retryAfterSeconds } = failure;
  if (isExpired(failure)) return { step: 'list', wait: false, reason: 'Expired' };
  const busy = code === 429 || code >= 500;
  if (busy && fruitless < FRUITLESS_MOST)
    return { step: 'watch', wait: true, retryAfterSeconds, reason: 'Busy' };
  return { step: 'list', wait: true, retryAfterSeconds, reason: 'Refused' };
}
