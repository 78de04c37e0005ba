import type { Evidence } from '../rules.ts';

/** What came of one read from the API server. `missing` is its 404, `error` anything else; both texts are the server's. */
export type Lookup<T> =
  | { readonly found: T }
  | { readonly missing: true; readonly message: string }
  | { readonly error: string };

/** The object, if it was found. */
export function foundIn<T>(lookup: Lookup<T>): T | undefined {
  return 'found' in lookup ? lookup.found : undefined;
}

/** The server says that there is no such object; another failure says nothing of that. */
export function isMissing(lookup: Lookup<unknown>): boolean {
  return 'missing' in lookup;
}

/** Why there is no object: the server's text; `undefined` if there is one. */
export function failureIn(lookup: Lookup<unknown>): string | undefined {
  if ('found' in lookup) return undefined;
  return 'missing' in lookup ? lookup.message : lookup.error;
}

/** Evidence that an object is there (its name), is not there (`undefined`), or could not be read (the server's text). */
export function lookupEvidence(object: string, lookup: Lookup<{ metadata: { name: string } }>): Evidence {
  const value = foundIn(lookup)?.metadata.name ?? (isMissing(lookup) ? undefined : failureIn(lookup));
  return { object, path: 'metadata.name', value };
}
