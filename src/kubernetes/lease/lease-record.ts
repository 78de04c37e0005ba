import { z } from 'zod';
import type { JsonObject } from '../../kubevirt/json.ts';
import type { Instant } from '../../kubevirt/time.ts';

/** What a Lease says. */
export interface LeaseRecord {
  readonly resourceVersion: string;
  /** Empty: nobody has it. */
  readonly holder: string;
  readonly durationSeconds: number;
  readonly acquiredAt: string | undefined;
  readonly transitions: number;
  readonly annotations: Readonly<Record<string, string>>;
  /** Changes with each renewal, also when nothing else does. */
  readonly renewedAt: string | undefined;
}

const leaseSchema = z.object({
  metadata: z.object({
    resourceVersion: z.string(),
    annotations: z.record(z.string(), z.string()).nullish(),
  }),
  spec: z
    .object({
      holderIdentity: z.string().nullish(),
      leaseDurationSeconds: z.number().nullish(),
      acquireTime: z.string().nullish(),
      renewTime: z.string().nullish(),
      leaseTransitions: z.number().nullish(),
    })
    .nullish(),
});

/** Reads a coordination.k8s.io/v1 Lease. Throws for anything else. */
export function readLease(object: JsonObject): LeaseRecord {
  const { metadata, spec } = leaseSchema.parse(object);
  return {
    resourceVersion: metadata.resourceVersion,
    holder: spec?.holderIdentity ?? '',
    durationSeconds: spec?.leaseDurationSeconds ?? 0,
    acquiredAt: spec?.acquireTime ?? undefined,
    renewedAt: spec?.renewTime ?? undefined,
    transitions: spec?.leaseTransitions ?? 0,
    annotations: metadata.annotations ?? {},
  };
}

/**
 * Whether somebody may take the lease, by client-go's rule: it is free, or one's own, or its holder has let it run out.
 * `seenAt` is when this process first saw the record as it is: clocks of others are never compared.
 */
export function mayTake(record: LeaseRecord, me: string, seenAt: Instant, now: Instant): boolean {
  if (record.holder === '' || record.holder === me) return true;
  return seenAt + record.durationSeconds * 1000 <= now;
}

/** The spec of a lease that `me` takes or renews; `at` is the time of the world. */
export function heldSpec(
  record: LeaseRecord | undefined,
  me: string,
  durationSeconds: number,
  at: Instant,
): JsonObject {
  const mine = record?.holder === me;
  return {
    holderIdentity: me,
    leaseDurationSeconds: durationSeconds,
    acquireTime: mine && record.acquiredAt !== undefined ? record.acquiredAt : microTime(at),
    renewTime: microTime(at),
    leaseTransitions: record === undefined ? 0 : record.transitions + Number(!mine),
  };
}

/** The spec of a lease that its holder gives up: the next may take it at once. */
export function releasedSpec(record: LeaseRecord, at: Instant): JsonObject {
  return {
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireTime: microTime(at),
    renewTime: microTime(at),
    leaseTransitions: record.transitions,
  };
}

/** Kubernetes' MicroTime. */
function microTime(at: Instant): string {
  return new Date(at).toISOString().replace('Z', '000Z');
}
