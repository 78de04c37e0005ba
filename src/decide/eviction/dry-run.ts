import type { Eviction } from '../../kubevirt/admission.ts';

/**
 * Whether an eviction is only tried: the review says so, or else the *first* entry of the Eviction's dry-run list is
 * `All`. A dry run gets the same answers; the mark is sent as a dry run too, so nothing stays.
 * kubevirt v1.9.0 pkg/virt-api/webhooks/validating-webhook/admitters/pod-eviction-admitter.go:68-77.
 */
export function isDryRun(requestDryRun: boolean | undefined, eviction: Eviction): boolean {
  return requestDryRun === true || eviction.deleteOptions?.dryRun?.[0] === 'All';
}
