import type { Evidence } from '../rules.ts';
import type { Settings } from '../settings.ts';
import { formatVersion } from '../versions.ts';

/** What the webhook says to an eviction. `mark`: the VMI is marked for evacuation on the way, by `status.evacuationNodeName`. */
export type EvictionVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly message: string; readonly mark: boolean };

export const ALLOWED: EvictionVerdict = { allowed: true };

/** A refusal that leaves no mark. */
export function denied(message: string): EvictionVerdict {
  return { allowed: false, message, mark: false };
}

/** What the webhook says where it marks the VMI. `key`: namespace/name of the VMI. */
export function evacuationStarted(key: string): string {
  return `Eviction triggered evacuation of VMI "${key}"`;
}

/** What it says where the VMI is marked already. */
export function evacuationInProgress(key: string): string {
  return `Evacuation in progress: ${evacuationStarted(key)}`;
}

/** Where the rows of the tables come from. */
export const ADMITTER =
  'kubevirt v1.9.0 pkg/virt-api/webhooks/validating-webhook/admitters/pod-eviction-admitter.go';

/** Evidence of the KubeVirt version, for rows that only some versions have. */
export function versionEvidence(settings: Pick<Settings, 'version'>): Evidence {
  const value = formatVersion(settings.version);
  return { object: 'KubeVirt', path: 'status.observedKubeVirtVersion', value };
}
