/** A timeline is carried out: every deed at its time. */
import { actionIn, type TimelineEntry } from '../scenario/timeline-schema.ts';
import { DEEDS } from './deeds.ts';
import type { DeedResult } from './result.ts';
import type { DeedEnd, Stage, Tell } from './stage.ts';

type Kept = { -readonly [Key in keyof DeedResult]: DeedResult[Key] };

/** Sets every deed of a timeline for its time; what comes of them is in the list, in the order of time, sooner or later. */
export function schedule(stage: Stage, timeline: readonly TimelineEntry[]): DeedResult[] {
  const { clock } = stage.context;
  const startAt = clock.now();
  const inTime = [...timeline].sort((a, b) => a.at - b.at);
  return inTime.map((entry) => {
    const kept: Kept = {
      atSeconds: entry.at,
      deed: deedText(entry),
      node: entry.drain?.node,
      end: 'unfinished',
      says: [],
    };
    clock.after(entry.at, () => {
      const tell: Tell = (says) => Object.assign(kept, { says });
      void carryOut(stage, entry, tell).then(({ end, says = [] }) => {
        Object.assign(kept, { end, says, endSeconds: (clock.now() - startAt) / 1000 });
      });
    });
    return kept;
  });
}

async function carryOut(stage: Stage, entry: TimelineEntry, tell: Tell): Promise<DeedEnd> {
  const name = actionIn(entry);
  const deed = DEEDS[name] as (stage: Stage, action: unknown, tell: Tell) => Promise<DeedEnd>;
  return deed(stage, entry[name], tell);
}

/** What was done, in one line. */
function deedText(entry: TimelineEntry): string {
  if (entry.drain)
    return `drain ${[entry.drain.node, ...(entry.drain.then ?? [])].join(' ')} (${entry.drain.client})`;
  const name = actionIn(entry);
  const action = entry[name];
  return `${name} ${typeof action === 'string' ? action : JSON.stringify(action)}`;
}
