import type { Vmi } from '../../kubevirt/objects.ts';

/** `Urgent`: nothing but a migration brings it about. `Patient`: a migration brings it about, later will do. */
export type NetworkChange = 'None' | 'Patient' | 'Urgent';

/**
 * How the secondary networks of a running VMI differ from those that its guest has.
 *
 * Promise: a guest that has not reported any interface yet differs in nothing. Networks with another attachment definition under the
 * same name are not seen: what the guest has does not tell it. kubevirt v1.9.0 pkg/network/migration/evaluator.go:39-170.
 */
export function networkChange({ spec, status }: Vmi): NetworkChange {
  const reported = status?.interfaces;
  const secondary = spec?.networks?.filter(({ multus }) => multus !== undefined) ?? [];
  if (reported === undefined || secondary.length === 0) return 'None';
  const has = new Set(reported.map(({ name }) => name));
  const names = new Set(secondary.map(({ name }) => name));
  const changed = (spec?.domain?.devices?.interfaces ?? []).filter(
    ({ name, state }) => names.has(name) && (state === 'absent') === has.has(name),
  );
  if (changed.length === 0) return 'None';
  const isUrgent = changed.some(({ sriov, state }) => sriov !== undefined && state !== 'absent');
  return isUrgent ? 'Urgent' : 'Patient';
}
