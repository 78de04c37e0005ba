import { z } from 'zod';
import type { ApiResult } from '../decide/api-result.ts';
import { type BatchState, NO_BATCH } from '../decide/workload-update/batch.ts';
import type { Instant } from '../kubevirt/time.ts';

/** Keeps in the cluster what is remembered of eviction batches, so that neither a restart nor a new leader begins one too early. */
export interface BatchMemory {
  /** What was saved last; undefined: nothing ever. Rejects where that cannot be known. */
  load(): Promise<BatchState | undefined>;
  save(state: BatchState): Promise<ApiResult>;
}

/** A text in the cluster, such as an annotation of the Lease. */
export interface TextStore {
  /** As it was last seen; undefined: never written. */
  read(): string | undefined;
  write(text: string): Promise<ApiResult>;
}

/** The annotation of the Lease that holds it. @public */
export const BATCH_ANNOTATION = 'drover.dev/eviction-batch';

/** An eviction that was sent is answered within this time, one way or the other. */
export const ANSWER_SECONDS = 60;

/** Who was refused is not kept: a new process may find that out anew, and the text stays short. */
const savedSchema = z.object({ lastAt: z.number().optional(), accepted: z.number() });

/**
 * The memory as a text.
 *
 * Promise: a text that says nothing sensible is taken for a batch that has just been used up to the last place: better late
 * than twice. An instant too far ahead, as of a clock that was wrong, is taken for the farthest that a right one writes.
 */
export function batchMemoryIn(store: TextStore, now: () => Instant): BatchMemory {
  return {
    load: async () => {
      const text = store.read();
      return text === undefined ? undefined : readBatch(text, now());
    },
    save: ({ lastAt, accepted }) => store.write(JSON.stringify({ lastAt, accepted })),
  };
}

/** A batch all of whose places are taken, until an interval after `lastAt`. */
export function usedUp(lastAt: Instant): BatchState {
  return { ...NO_BATCH, lastAt, accepted: Number.MAX_SAFE_INTEGER };
}

/**
 * What is saved before evictions are sent: should the process end before their answers, all of them were accepted, at the
 * last moment at which they could be.
 */
export function claimOf(now: Instant): BatchState {
  return usedUp(now + ANSWER_SECONDS * 1000);
}

function readBatch(text: string, now: Instant): BatchState {
  const saved = parse(text);
  if (!saved) return usedUp(now);
  const { lastAt, accepted } = saved;
  if (lastAt === undefined) return { ...NO_BATCH, accepted };
  return { ...NO_BATCH, lastAt: Math.min(lastAt, now + ANSWER_SECONDS * 1000), accepted };
}

function parse(text: string): z.infer<typeof savedSchema> | undefined {
  try {
    return savedSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
