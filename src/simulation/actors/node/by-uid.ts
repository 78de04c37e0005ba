interface WithUid {
  readonly metadata: { readonly uid?: string | undefined; readonly name: string };
}

/** The fleet gives no order; runs must not depend on one. */
export function byUid(a: WithUid, b: WithUid): number {
  const [one, other] = [a.metadata.uid ?? a.metadata.name, b.metadata.uid ?? b.metadata.name];
  return one < other ? -1 : 1;
}
