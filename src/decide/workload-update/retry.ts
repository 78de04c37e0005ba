/** The updater's work queue, which holds the key of the KubeVirt CR: workload-update §2 of the spec. */

/** Every informer event waits this long before its pass, so that many make one. */
export const THROTTLE_SECONDS = 5;

/** Passes that end in an error are retried at most once in this time, whichever key they are for. */
export const RETRY_BUCKET_SECONDS = 5;

const RETRY_BASE_SECONDS = 5;
const RETRY_MAX_SECONDS = 300;

/**
 * How long to wait after the n-th failure in a row (1 is the first): 5 seconds, doubling, at most 300. A success starts the
 * count anew. The bucket may make it longer.
 */
export function retryDelaySeconds(failures: number): number {
  return Math.min(RETRY_MAX_SECONDS, RETRY_BASE_SECONDS * 2 ** (failures - 1));
}
