/** What is done to the cluster of a scenario, and when. */
import { z } from 'zod';

/** As Go writes durations: `90s`, `5m`, `1h30m`. */
const duration = z.string().regex(/^(\d+(\.\d+)?(ms|s|m|h))+$/, 'a duration, such as 90s or 5m');

/** `namespace/name`, or `name` in the namespace of the scenario. */
const vmName = z.string();

const ACTIONS = {
  /** A new KubeVirt is rolled out: the operator, then the launchers' image. */
  upgrade: z.strictObject({ version: z.string().optional(), launcherImage: z.string() }),
  /** Only the image that launchers are started with. */
  launcherImage: z.string(),
  drain: z.strictObject({
    node: z.string(),
    client: z.string().optional(),
    timeout: duration.optional(),
    graceSeconds: z.number().optional(),
    force: z.boolean().optional(),
    disableEviction: z.boolean().optional(),
    podSelector: z.string().optional(),
    /** The node reboots when the drain has ended, and is uncordoned then. */
    reboot: z.boolean().optional(),
  }),
  cordon: z.string(),
  uncordon: z.string(),
  /** A merge patch of the KubeVirt CR's spec. */
  config: z.record(z.string(), z.unknown()),
  /** A merge patch of a VM. */
  edit: z.strictObject({ vm: vmName, patch: z.record(z.string(), z.unknown()) }),
  start: vmName,
  stop: vmName,
  restart: vmName,
  migrate: vmName,
  evict: vmName,
  /** The guest shuts itself down, or crashes. */
  shutdown: vmName,
  crash: vmName,
  /** The node is gone at once, with all guests on it. */
  failNode: z.string(),
  rebootNode: z.string(),
  /** Drover's controllers die and come back after so long. */
  killController: z.strictObject({ for: duration.optional() }),
  create: z.array(z.record(z.string(), z.unknown())),
  delete: z.strictObject({ kind: z.string(), name: vmName }),
} as const;
export type ActionName = keyof typeof ACTIONS;

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

/** What must have come true in the end. */
export const expectSchema = z.strictObject({
  /** VM → outcome. */
  outcomes: z.record(z.string(), z.string()).optional(),
  /** Outcome → number of VMs. */
  counts: z.record(z.string(), z.number()).optional(),
  /** When the last VM must be done, after the beginning. */
  within: duration.optional(),
  notBefore: duration.optional(),
  movesPerVm: z.number().optional(),
  downtimePerVm: duration.optional(),
});
export type Expectations = z.infer<typeof expectSchema>;

/** How the simulated world is; what is absent is as in the recordings of the real one. */
export const settingsSchema = z.strictObject({
  seed: z.number().optional(),
  behavior: z.enum(['exact', 'intended']).optional(),
  /** When to stop at the latest; an hour where absent. It stops before, as soon as nothing goes on any more. */
  until: duration.optional(),
  podStart: duration.optional(),
  boot: duration.optional(),
  nicMbps: z.number().optional(),
  rackUplinkMbps: z.number().optional(),
  /** Who takes VMIs with the strategy External. */
  external: z.enum(['none', 'capk-0.1.10', 'capk-backport']).optional(),
});
export type SimulationSettings = z.infer<typeof settingsSchema>;
