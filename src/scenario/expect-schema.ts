/** What must have come true in the end. */
import { z } from 'zod';
import { duration } from './words.ts';

const count = z.int().min(0);
const UNCHECKED = 'absent: not checked.';

/** VMs by `namespace/name`, or by `name` in the namespace of the scenario. */
export const expectSchema = z.strictObject({
  outcomes: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .meta({
      description: `Outcome of each VM, or one of several; ${UNCHECKED}`,
      examples: [{ db: 'LiveMigrates', batch: ['Restarts', 'Untouched'] }],
    }),
  counts: z
    .record(z.string(), count)
    .optional()
    .meta({ description: `Number of VMs of each outcome; ${UNCHECKED}`, examples: [{ Restarts: 0 }] }),
  nodes: z
    .record(z.string(), z.string())
    .optional()
    .describe(`Node that each VM runs on in the end, empty for none; ${UNCHECKED}`),
  drains: z
    .record(z.string(), z.enum(['succeeded', 'failed', 'unfinished']))
    .optional()
    .describe(`How the last drain of each node ended; ${UNCHECKED}`),
  within: duration.optional().describe(`When the last VM must be done, after the beginning; ${UNCHECKED}`),
  notBefore: duration
    .optional()
    .describe(`Before when the last VM must not be done, after the beginning; ${UNCHECKED}`),
  movesPerVm: count.optional().describe(`Most moves of any VM; ${UNCHECKED}`),
  restartsPerVm: count.optional().describe(`Most restarts of any VM; ${UNCHECKED}`),
  downtimePerVm: duration.optional().describe(`Longest time that any guest is down, in all; ${UNCHECKED}`),
  movesAtOnce: count.optional().describe(`Most copies under way at any time; ${UNCHECKED}`),
  outboundPerNode: count
    .optional()
    .describe(`Most copies out of any node under way at any time; ${UNCHECKED}`),
  inboundPerNode: count.optional().describe(`Most copies into any node under way at any time; ${UNCHECKED}`),
  guestsPerNode: count.optional().describe(`Most guests on any node at any time; ${UNCHECKED}`),
  says: z
    .array(z.string())
    .optional()
    .describe(`Texts, each of which must be in the reason or message of some event or answer; ${UNCHECKED}`),
  neverSays: z
    .array(z.string())
    .optional()
    .describe(`Texts that no event and no answer may have; ${UNCHECKED}`),
});
export type Expectations = z.infer<typeof expectSchema>;
