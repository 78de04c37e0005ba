/** What is done to the cluster of a scenario, and when; and what must come of it. */
import { z } from 'zod';
import { DRAIN_CLIENTS, type DrainClientName } from '../decide/drain/clients.ts';
import { parseDurationSeconds } from '../kubevirt/time.ts';

/** As Go writes durations: `90s`, `5m`, `1h30m`; read as seconds. */
const duration = z
  .string()
  .regex(/^((\d+(\.\d+)?(ms|s|m|h))+|0)$/, 'a duration, such as 90s or 5m')
  .transform((text) => parseDurationSeconds(text) ?? 0);

/** `namespace/name`, or `name` in the namespace of the scenario. */
const vmName = z.string();
const anyObject = z.record(z.string(), z.unknown());

/** Whoever empties nodes by command. */
const CLIENTS = Object.keys(DRAIN_CLIENTS).filter((name) => name !== 'workload-updater') as Exclude<
  DrainClientName,
  'workload-updater'
>[];

const drainSchema = z.strictObject({
  node: z.string(),
  client: z.enum(CLIENTS).default('kubectl'),
  /** When the client gives up; its own default where absent, `0` never. */
  timeout: duration.optional(),
  graceSeconds: z.int().min(0).optional(),
  force: z.boolean().default(false),
  disableEviction: z.boolean().default(false),
  podSelector: z.record(z.string(), z.string()).optional(),
  /** The node boots anew when the drain has succeeded, and is given back then. A node of Talos does so in any case. */
  reboot: z.boolean().default(false),
});

const ACTIONS = {
  /** A new KubeVirt is rolled out: virt-handlers, virt-controller with the launchers' new image, virt-api. */
  upgrade: z.strictObject({ version: z.string().optional(), launcherImage: z.string() }),
  /** virt-controller starts anew with another image for launchers, and nothing else changes. */
  launcherImage: z.string(),
  drain: drainSchema,
  cordon: z.string(),
  uncordon: z.string(),
  /** A merge patch of the KubeVirt CR's spec. */
  config: anyObject,
  /** A merge patch of a VM. */
  edit: z.strictObject({ vm: vmName, patch: anyObject }),
  start: vmName,
  stop: vmName,
  restart: vmName,
  migrate: vmName,
  /** An eviction of its launcher pod, once. */
  evict: vmName,
  /** The node is gone at once, with all guests on it. */
  failNode: z.string(),
  /** The node falls and comes back, with no drain before. */
  rebootNode: z.string(),
  /** Drover's controllers and virt-controller die, and are back after so long. */
  killController: z.strictObject({ for: duration.default(10) }),
  create: z.array(anyObject),
  delete: z.strictObject({ kind: z.string(), name: vmName }),
} as const;
export type ActionName = keyof typeof ACTIONS;
/** What an action takes, by its name. */
export type Actions = { [Name in ActionName]: z.infer<(typeof ACTIONS)[Name]> };

const shape = Object.fromEntries(
  Object.entries(ACTIONS).map(([name, schema]) => [name, schema.optional()]),
) as {
  [Name in ActionName]: z.ZodOptional<(typeof ACTIONS)[Name]>;
};

export const ACTION_NAMES = Object.keys(ACTIONS) as readonly ActionName[];

/** One thing that is done at a time after the beginning. */
export const timelineEntrySchema = z
  .strictObject({ at: duration, ...shape })
  .refine((entry) => ACTION_NAMES.filter((name) => entry[name] !== undefined).length === 1, {
    message: `an entry of the timeline has "at" and one action: ${ACTION_NAMES.join(', ')}`,
  });
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

const count = z.int().min(0);

/** What must have come true in the end. VMs by `namespace/name`, or by `name` in the namespace of the scenario. */
export const expectSchema = z.strictObject({
  /** VM → outcome, or one of several. */
  outcomes: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  /** Outcome → number of VMs. */
  counts: z.record(z.string(), count).optional(),
  /** VM → the node that it runs on in the end; an empty text: none. */
  nodes: z.record(z.string(), z.string()).optional(),
  /** Node → how its last drain ended. */
  drains: z.record(z.string(), z.enum(['succeeded', 'failed', 'unfinished'])).optional(),
  /** When the last VM must be done, after the beginning. */
  within: duration.optional(),
  notBefore: duration.optional(),
  /** At most so many for each VM. */
  movesPerVm: count.optional(),
  restartsPerVm: count.optional(),
  downtimePerVm: duration.optional(),
  /** At most so many copies under way, in all and out of or into one node. */
  movesAtOnce: count.optional(),
  outboundPerNode: count.optional(),
  inboundPerNode: count.optional(),
  guestsPerNode: count.optional(),
  /** Texts, each in the reason or message of some event or answer. */
  says: z.array(z.string()).optional(),
  /** Texts that nobody says. */
  neverSays: z.array(z.string()).optional(),
});
export type Expectations = z.infer<typeof expectSchema>;

/** How the simulated world is; what is absent is as in the recordings of the real one. */
export const settingsSchema = z.strictObject({
  seed: z.int().optional(),
  behavior: z.enum(['exact', 'intended']).optional(),
  /** When to stop at the latest; an hour where absent. It stops before, as soon as nothing goes on any more. */
  until: duration.optional(),
  /** The image that virt-controller starts launchers with at first; the one that most VMIs run where absent. */
  launcherImage: z.string().optional(),
  podStart: duration.optional(),
  boot: duration.optional(),
  /** How long a copy of memory takes where `guests` say nothing. */
  migration: duration.optional(),
  /** How long a node is down that boots anew. */
  reboot: duration.optional(),
  nicMbps: z.number().positive().optional(),
  rackUplinkMbps: z.number().positive().optional(),
  /** Who takes VMIs with the strategy External, with the rest of Cluster API. */
  external: z.enum(['none', 'capk-v0.1.10', 'capk-backport']).optional(),
});
