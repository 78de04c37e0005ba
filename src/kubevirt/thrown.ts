/** What a thrown value says: its message; its name or itself where it has none; of several errors in one, the first. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return messageOf(thrown.errors[0]);
  return thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
}

const OF_FILES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission is lacking',
  EPERM: 'permission is lacking',
  ELOOP: 'its links go round in a circle',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EEXIST: 'there is a file in the place of a folder',
};

/** Why a file could not be read: what the operating system said, in words; anything else as `messageOf` has it. */
export function whyUnread(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return OF_FILES[code] ?? messageOf(thrown);
}
