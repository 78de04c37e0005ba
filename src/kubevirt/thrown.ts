/** What a thrown value says: its message; its name or itself where it has none; of several errors in one, the first. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return messageOf(thrown.errors[0]);
  return thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
}
