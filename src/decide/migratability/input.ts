import type { ClusterConfiguration, Vmi } from '../../kubevirt/objects.ts';

/** What virt-handler knows when it judges whether a VMI can be live-migrated. */
export interface MigratabilityInput {
  readonly vmi: Vmi;
  /** The host model of the VMI's node as virt-handler found it; empty or absent when it found none. */
  readonly hostCpuModel?: string | undefined;
  /** `spec.configuration` of the KubeVirt CR. */
  readonly configuration?: ClusterConfiguration | undefined;
}
