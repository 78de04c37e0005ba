/** Behaviours of guests as a user writes them. */
import { z } from 'zod';
import { parseQuantity } from '../../kubevirt/quantity.ts';
import { INJECTED_FAILURE } from './behavior.ts';

const MEGABYTE = 1e6;

const seconds = z.number().min(0);

/** A size as Kubernetes writes it (`8Gi`), or bytes; in megabytes. */
const megabytes = z.union([z.string(), z.number()]).transform((size, context) => {
  const bytes = parseQuantity(size);
  if (bytes !== undefined && bytes >= 0) return bytes / MEGABYTE;
  context.addIssue({ code: 'custom', message: `"${size}" is no size: write 512Mi or 8Gi` });
  return z.NEVER;
});

const shutdownSchema = z.strictObject({
  kind: z
    .enum(['clean', 'crashes', 'ignores'])
    .describe('Whether it shuts down when it is asked to, crashes, or does nothing.'),
  seconds: seconds.default(0).describe('Seconds from when it takes notice until it is off.'),
  ignoredRequests: z
    .int()
    .min(0)
    .optional()
    .describe('How many requests it takes no notice of first, one comes every 5 seconds; absent: none.'),
});

const copiesSchema = z
  .strictObject({
    kind: z.literal('copies').describe('The copy takes as long as memory and network make it.'),
    memory: megabytes
      .optional()
      .meta({ description: "Memory in use; absent: all of the guest's.", examples: ['24Gi'] }),
    hotSet: megabytes
      .default(0)
      .meta({ description: 'Memory that it writes to over and over; absent: none.', examples: ['512Mi'] }),
    hotSetSeconds: seconds
      .optional()
      .describe('Seconds within which it has written to all of the hot set; absent: it has none.'),
    coldDirtyPerSecond: megabytes
      .default(0)
      .meta({ description: 'Other memory that it writes to each second; absent: none.', examples: ['40Mi'] }),
  })
  // At once, as it would be without, no copy would ever come to an end.
  .refine(({ hotSet, hotSetSeconds }) => hotSet === 0 || hotSetSeconds !== undefined, {
    path: ['hotSetSeconds'],
    message: 'say within how many seconds it has written to all of hotSet',
  })
  .meta({ dependentRequired: { hotSet: ['hotSetSeconds'] } })
  .transform(({ kind, memory, hotSet, hotSetSeconds = 0, coldDirtyPerSecond }) => ({
    kind,
    memoryMB: memory,
    hotSetMB: hotSet,
    hotSetSeconds,
    coldDirtyMBps: coldDirtyPerSecond,
  }));

const migrationSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('takes').describe('The copy takes a given time.'),
    seconds: seconds.describe('Seconds from when the target has seen the domain.'),
  }),
  z.strictObject({
    kind: z.literal('fails').describe('The copy fails.'),
    seconds: seconds.describe('Seconds until the source gives up.'),
    reason: z.string().default(INJECTED_FAILURE).describe('Why it says that it failed.'),
    share: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({
        description:
          'Share of its copies that fail, by chance; the others go as the entries below have it; absent: 1, all fail.',
        examples: [0.1],
      }),
  }),
  copiesSchema,
]);

const selectorSchema = z.strictObject({
  namespace: z.string().optional().describe('Namespace of the VMs; absent: any.'),
  name: z
    .string()
    .optional()
    .meta({ description: 'Name of the VMs, * stands for anything; absent: any.', examples: ['pg-*'] }),
  matchLabels: z
    .record(z.string(), z.string())
    .optional()
    .describe('Labels that their VMIs have; absent: any.'),
});

const migratabilitySchema = z.strictObject({
  reason: z
    .string()
    .optional()
    .meta({
      description: 'Why it cannot live-migrate; absent: it can.',
      examples: ['HostDeviceNotLiveMigratable'],
    }),
  message: z.string().optional().describe('Message beside the reason; absent: none.'),
});

const ownEndSchema = z.strictObject({
  kind: z.enum(['powersOff', 'crashes']).describe('How it ends.'),
  seconds: seconds.describe(
    'Seconds after it came up, or after the beginning for a guest that was up before.',
  ),
});

const entrySchema = z.strictObject({
  selector: selectorSchema.default({}).describe('The VMs that this is for: all that have everything named.'),
  bootSeconds: seconds.optional().describe('Seconds until the guest is up; absent: 1.'),
  shutdown: shutdownSchema
    .optional()
    .describe('What it makes of the power button; absent: off 2 seconds after the request.'),
  migration: migrationSchema
    .optional()
    .describe('How a copy of its memory goes; absent: it takes 3 seconds.'),
  migratability: migratabilitySchema
    .optional()
    .describe('What virt-handler finds about its moves; absent: what follows from the VMI.'),
  ownEnd: ownEndSchema.optional().describe('It ends of its own accord; absent: it does not.'),
  guestAgent: z.boolean().optional().describe('Whether a guest agent connects; absent: none does.'),
});

/** A list of behaviours, each for the VMs that its selector picks. */
export const behaviorFileSchema = z.array(entrySchema);
export type BehaviorEntry = z.infer<typeof entrySchema>;
