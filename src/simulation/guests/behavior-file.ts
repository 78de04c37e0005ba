import { loadAll } from 'js-yaml';
import type { Vmi } from '../../kubevirt/objects.ts';
import { problemText } from '../../kubevirt/projection-error.ts';
import { matchesSelector } from '../../kubevirt/selector.ts';
import { messageOf } from '../../kubevirt/thrown.ts';
import { type BehaviorOf, type GuestBehavior, RECORDED_BEHAVIOR } from './behavior.ts';
import { type BehaviorEntry, behaviorFileSchema } from './behavior-schema.ts';
import { chanceOf } from './chance.ts';
import { GuestError } from './errors.ts';

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
export function behaviorsOf(
  entries: readonly BehaviorEntry[],
  base: GuestBehavior = RECORDED_BEHAVIOR,
): BehaviorOf {
  return (vmi) => {
    const told = entries
      .filter(({ selector }) => picks(selector, vmi))
      .map((entry) => ofThisCopy(entry, vmi));
    return told.reduceRight<GuestBehavior>((below, { selector: _, ...entry }) => over(below, entry), base);
  };
}

/** Where only a share of the copies fails, an entry has nothing to say of the others. Each copy has a target pod with a name of its own. */
function ofThisCopy({ migration, ...entry }: BehaviorEntry, { status }: Vmi): BehaviorEntry {
  if (migration?.kind !== 'fails' || migration.share === undefined) return { ...entry, migration };
  const { share, ...failure } = migration;
  const fails = chanceOf(status?.migrationState?.targetPod ?? '') < share;
  return fails ? { ...entry, migration: failure } : entry;
}

function over(below: GuestBehavior, entry: Omit<BehaviorEntry, 'selector'>): GuestBehavior {
  const told = Object.entries(entry).filter(([, value]) => value !== undefined);
  return { ...below, ...Object.fromEntries(told) };
}

/** Whether an entry with this selector is for a VMI. */
export function picks(
  { namespace, name, matchLabels }: BehaviorEntry['selector'],
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
