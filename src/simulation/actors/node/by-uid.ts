import { compareText } from '../../../kubevirt/order.ts';

interface WithUid {
  readonly metadata: { readonly uid?: string | undefined; readonly name: string };
}

/** The fleet gives no order; runs must not depend on one. */
export function byUid(a: WithUid, b: WithUid): number {
  return compareText(a.metadata.uid ?? a.metadata.name, b.metadata.uid ?? b.metadata.name);
}
