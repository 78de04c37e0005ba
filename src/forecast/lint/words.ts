/** The few words that the rules share, so that they name, list and order alike. */

import { refOf } from '../../decide/evidence.ts';
import type { Kind } from '../../fleet/fleet.ts';
import { groupBy } from '../../kubevirt/group-by.ts';
import type { ObjectMeta } from '../../kubevirt/objects.ts';
import { compareText } from '../../kubevirt/order.ts';
import type { Concerns, Found } from './finding.ts';

interface Named {
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace'>;
}

/**
 * One finding about all members of a list, or none where the list is empty.
 *
 * `objectOf` gives the object of a member; `words` are put together from the first member, the number of them, and all of
 * them. They must look at no other member, so that they stay true when the list is cut down to a scope.
 */
export function found<T>(
  kind: Kind,
  members: readonly T[],
  objectOf: (member: T) => Named,
  words: (first: T, count: number, members: readonly T[]) => Pick<Found, 'cause' | 'cure' | 'evidence'>,
): Found[] {
  const [first] = members;
  if (first === undefined) return [];
  const among = (concerns: Concerns): Found[] => {
    const left = members.filter((member) => concerns(kind, objectOf(member)));
    return found(kind, left, objectOf, words);
  };
  return [{ objects: refsOf(kind, members.map(objectOf)), ...words(first, members.length, members), among }];
}

/** References to objects of one kind, sorted and each once. */
export function refsOf(kind: Kind, objects: Iterable<Named>): string[] {
  return [...new Set([...objects].map((object) => refOf(object, kind)))].sort(compareText);
}

/** Members of a list by a text, in the order in which the texts first come; `undefined` is in no group. */
export function grouped<T>(members: Iterable<T>, textOf: (member: T) => string | undefined): T[][] {
  return [...groupBy(members, textOf)].flatMap(([text, group]) => (text === undefined ? [] : [group]));
}

/** The word that fits the number: `verb(1, 'has', 'have')` is `has`. */
export function verb(count: number, singular: string, plural: string): string {
  return count === 1 ? singular : plural;
}

/** `a`, `a and b`, `a, b and c`; more than `limit` end in "and 7 more". */
export function listed(names: readonly string[], limit = 5): string {
  const shown = names.length > limit ? [...names.slice(0, limit), `${names.length - limit} more`] : names;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** A time in the largest unit that fits twice: `90 min`, `5 h`, `3 d`. */
export function lasting(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
