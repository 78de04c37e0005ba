import { loadAll } from 'js-yaml';
import { z } from 'zod';
import type { Vmi } from '../../kubevirt/objects.ts';
import { problemText } from '../../kubevirt/projection-error.ts';
import { parseQuantity } from '../../kubevirt/quantity.ts';
import { matchesSelector } from '../../kubevirt/selector.ts';
import { messageOf } from '../../kubevirt/thrown.ts';
import { type BehaviorOf, type GuestBehavior, INJECTED_FAILURE, RECORDED_BEHAVIOR } from './behavior.ts';
import { GuestError } from './errors.ts';

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
  kind: z.enum(['clean', 'crashes', 'ignores']),
  seconds: seconds.default(0),
  ignoredRequests: z.int().min(0).optional(),
});

const copiesSchema = z
  .strictObject({
    kind: z.literal('copies'),
    memory: megabytes.optional(),
    hotSet: megabytes.default(0),
    hotSetSeconds: seconds.default(0),
    coldDirtyPerSecond: megabytes.default(0),
  })
  .transform(({ kind, memory, hotSet, hotSetSeconds, coldDirtyPerSecond }) => ({
    kind,
    memoryMB: memory,
    hotSetMB: hotSet,
    hotSetSeconds,
    coldDirtyMBps: coldDirtyPerSecond,
  }));

const migrationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('takes'), seconds }),
  z.strictObject({ kind: z.literal('fails'), seconds, reason: z.string().default(INJECTED_FAILURE) }),
  copiesSchema,
]);

const entrySchema = z.strictObject({
  selector: z
    .strictObject({
      namespace: z.string().optional(),
      /** `*` stands for anything. */
      name: z.string().optional(),
      matchLabels: z.record(z.string(), z.string()).optional(),
    })
    .default({}),
  bootSeconds: seconds.optional(),
  shutdown: shutdownSchema.optional(),
  migration: migrationSchema.optional(),
  migratability: z.strictObject({ reason: z.string().optional(), message: z.string().optional() }).optional(),
  ownEnd: z.strictObject({ kind: z.enum(['powersOff', 'crashes']), seconds }).optional(),
  guestAgent: z.boolean().optional(),
});

/** A list of behaviours, each for the VMs that its selector picks. @public for schemas of editors */
export const behaviorFileSchema = z.array(entrySchema);
type Entry = z.infer<typeof entrySchema>;

/**
 * Behaviours as a user writes them in YAML.
 *
 * Promise: field by field, the first entry that picks the VMI and says something counts; what none says is as in `base`.
 * An entry without a selector picks all. A file that cannot be read is a `GuestError` with every problem.
 */
export function behaviorsIn(text: string, file: string, base: GuestBehavior = RECORDED_BEHAVIOR): BehaviorOf {
  const written = read(text, file);
  const parsed = behaviorFileSchema.safeParse(written);
  if (!parsed.success)
    throw new GuestError('GuestsInvalid', `${file}: ${problemText(parsed.error, written)}`);
  return behaviorsOf(parsed.data, base);
}

/** The same of entries that were read already, as a part of a larger file. @public */
export function behaviorsOf(entries: readonly Entry[], base: GuestBehavior = RECORDED_BEHAVIOR): BehaviorOf {
  return (vmi) => {
    const told = entries.filter(({ selector }) => picks(selector, vmi));
    return told.reduceRight<GuestBehavior>((below, { selector: _, ...entry }) => over(below, entry), base);
  };
}

function over(below: GuestBehavior, entry: Omit<Entry, 'selector'>): GuestBehavior {
  const told = Object.entries(entry).filter(([, value]) => value !== undefined);
  return { ...below, ...Object.fromEntries(told) };
}

/** Whether an entry with this selector is for a VMI. */
export function picks(
  { namespace, name, matchLabels }: Entry['selector'],
  { metadata }: Pick<Vmi, 'metadata'>,
): boolean {
  if (namespace !== undefined && namespace !== metadata.namespace) return false;
  if (name !== undefined && !isLike(name, metadata.name)) return false;
  return matchLabels === undefined || matchesSelector({ matchLabels }, metadata.labels);
}

function isLike(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.\\+?^${}()|[\]]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

function read(text: string, file: string): unknown {
  try {
    const documents = loadAll(text).filter((document) => document !== null);
    return documents.length === 1 ? documents[0] : documents.flat();
  } catch (error) {
    const message = messageOf(error);
    throw new GuestError('GuestsUnreadable', `${file}: ${message}`);
  }
}
