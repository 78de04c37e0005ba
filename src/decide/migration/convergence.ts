/**
 * How long a copy may take and what happens when it takes longer. evacuation-and-migration §7 of the spec, for the
 * algorithm without the feature gate MigrationStallDetection (Alpha); kubevirt v1.9.0
 * pkg/virt-launcher/virtwrap/live-migration-source.go.
 */
import type { MigrationConfiguration, Vmi } from '../../kubevirt/objects.ts';
import { parseQuantity } from '../../kubevirt/quantity.ts';
import type { Evidence, Table } from '../rules.ts';

const LSRC = 'kubevirt v1.9.0 pkg/virt-launcher/virtwrap/live-migration-source.go';
const GIGABYTE = 1e9;

/** virt-launcher looks at a running copy this often. */
export const POLL_MILLISECONDS = 400;

/** Why a copy that was canceled counts as failed. */
export const ABORTED = 'Live migration has been aborted';

/** More than this KubeVirt never lets a guest stand still for its last pages. */
const LONGEST_DOWNTIME_SECONDS = 2000;

/**
 * What there is to copy, in decimal gigabytes rounded up: the guest's memory, with block migration its ephemeral disks,
 * and the volumes that move along. Undefined: neither the guest's memory nor a request says how much memory there is.
 */
export function copySizeGB(vmi: Vmi, ephemeralDiskBytes: number): number | undefined {
  const domain = vmi.spec?.domain;
  const memory = parseQuantity(domain?.memory?.guest) ?? parseQuantity(domain?.resources?.requests?.memory);
  if (memory === undefined) return undefined;
  const disks = vmi.status?.migrationMethod === 'BlockMigration' ? ephemeralDiskBytes : 0;
  return Math.ceil((memory + disks + migratedVolumeBytes(vmi)) / GIGABYTE);
}

/** Capacity of the volumes that move along, as the VMI's volume status or, lacking that, the move itself knows it. */
function migratedVolumeBytes(vmi: Vmi): number {
  const known = new Map(
    vmi.status?.volumeStatus?.map(({ persistentVolumeClaimInfo: info }) => [
      info?.claimName,
      info?.capacity?.storage,
    ]),
  );
  return (vmi.status?.migratedVolumes ?? [])
    .map(({ sourcePVCInfo: source }) => known.get(source?.claimName) ?? source?.capacity?.storage)
    .reduce<number>((sum, capacity) => sum + (parseQuantity(capacity) ?? 0), 0);
}

/** The time that a copy may take; 0: any. */
export function completionTimeoutSeconds(configuration: MigrationConfiguration, sizeGB: number): number {
  return (configuration.completionTimeoutPerGiB ?? 0) * sizeGB;
}

/** A device of the host is passed through, so the guest cannot run on both sides at once. */
export function hasPassthroughDevice(vmi: Vmi): boolean {
  const devices = vmi.spec?.domain?.devices;
  const isSriov = devices?.interfaces?.some(({ sriov }) => sriov !== undefined) ?? false;
  return isSriov || Boolean(devices?.gpus?.length) || Boolean(devices?.hostDevices?.length);
}

export interface PollInput {
  /** `migrationState.mode`: PreCopy, PostCopy or Paused. */
  readonly mode: string | undefined;
  readonly elapsedSeconds: number;
  /** The time that the copy may take by now: `completionTimeoutSeconds`, and what earlier polls made of it. */
  readonly timeoutSeconds: number;
  /** How long the data that remains to be copied has not become less. */
  readonly stalledSeconds: number;
  readonly configuration: MigrationConfiguration;
  readonly hasPassthroughDevice: boolean;
}

export type PollDecision =
  | { readonly action: 'Continue' }
  | { readonly action: 'StartPostCopy' }
  /** The guest may stand still for so long at the end; the mode becomes Paused. */
  | { readonly action: 'RaiseDowntime'; readonly maxDowntimeMs: number; readonly timeoutSeconds: number }
  /** The guest stands still from now on; the mode becomes Paused. */
  | { readonly action: 'Suspend'; readonly timeoutSeconds: number }
  | { readonly action: 'Cancel'; readonly failureReason: string };

const CONTINUE: PollDecision = { action: 'Continue' };
const CANCEL: PollDecision = { action: 'Cancel', failureReason: ABORTED };

function isOverdue({ elapsedSeconds, timeoutSeconds }: PollInput): boolean {
  return timeoutSeconds > 0 && elapsedSeconds > timeoutSeconds;
}

function mayDisrupt(input: PollInput): boolean {
  return isOverdue(input) && input.configuration.allowWorkloadDisruption === true && input.mode !== 'Paused';
}

function isStalled({ stalledSeconds, configuration }: PollInput): boolean {
  const limit = configuration.progressTimeout ?? 0;
  return limit > 0 && stalledSeconds > limit;
}

/** What a poll of the copy does. */
export const pollTable: Table<PollInput, PollDecision> = [
  {
    name: 'PostCopy',
    asks: 'the guest runs on the target already, so there is no way back',
    source: `${LSRC}:730-815`,
    when: ({ mode }) => mode === 'PostCopy',
    reads: ({ mode }) => [seen('mode', mode)],
    then: () => CONTINUE,
  },
  {
    name: 'SwitchToPostCopy',
    asks: 'the time is up, post-copy is allowed, and no device of the host stands in its way',
    source: `${LSRC}:730-815`,
    when: (input) =>
      mayDisrupt(input) && input.configuration.allowPostCopy === true && !input.hasPassthroughDevice,
    reads: overdueEvidence,
    then: () => ({ action: 'StartPostCopy' }),
  },
  {
    name: 'LongerDowntime',
    asks: 'the time is up, disruption is allowed, and the guest has a device of the host',
    source: `${LSRC}:730-815`,
    when: (input) => mayDisrupt(input) && input.hasPassthroughDevice,
    reads: overdueEvidence,
    then: ({ timeoutSeconds }) => ({
      action: 'RaiseDowntime',
      maxDowntimeMs: Math.min(2 * timeoutSeconds, LONGEST_DOWNTIME_SECONDS) * 1000,
      timeoutSeconds: 2 * timeoutSeconds,
    }),
  },
  {
    name: 'GuestSuspended',
    asks: 'the time is up, and disruption is allowed',
    source: `${LSRC}:730-815`,
    when: mayDisrupt,
    reads: overdueEvidence,
    then: ({ timeoutSeconds }) => ({ action: 'Suspend', timeoutSeconds: 2 * timeoutSeconds }),
  },
  {
    name: 'Stalled',
    asks: 'the data that remains has not become less for the time given to that',
    source: `${LSRC}:730-815`,
    when: isStalled,
    reads: ({ stalledSeconds, configuration }) => [
      seen('stalledSeconds', stalledSeconds),
      setting('progressTimeout', configuration.progressTimeout),
    ],
    then: () => CANCEL,
  },
  {
    name: 'Overdue',
    asks: 'the time is up',
    source: `${LSRC}:730-815`,
    when: isOverdue,
    reads: overdueEvidence,
    then: () => CANCEL,
  },
  {
    name: 'Copying',
    asks: 'there is still time',
    source: `${LSRC}:730-815`,
    when: () => true,
    reads: overdueEvidence,
    then: () => CONTINUE,
  },
];

function seen(path: string, value: unknown): Evidence {
  return { object: 'copy', path, value };
}

function setting(name: keyof MigrationConfiguration, value: unknown): Evidence {
  return { object: 'migrationConfiguration', path: name, value };
}

function overdueEvidence({ elapsedSeconds, timeoutSeconds, configuration }: PollInput): Evidence[] {
  return [
    seen('elapsedSeconds', elapsedSeconds),
    seen('timeoutSeconds', timeoutSeconds),
    setting('allowWorkloadDisruption', configuration.allowWorkloadDisruption),
    setting('allowPostCopy', configuration.allowPostCopy),
  ];
}
