/** What is done to the cluster of a scenario, and when. */
import { z } from 'zod';
import { DRAIN_CLIENTS, type DrainClientName } from '../decide/drain/clients.ts';
import { duration } from './words.ts';

/** `namespace/name`, or `name` in the namespace of the scenario. */
const vmName = z.string();
const anyObject = z.record(z.string(), z.unknown());

/** Whoever empties nodes by command. */
const CLIENTS = Object.keys(DRAIN_CLIENTS).filter((name) => name !== 'workload-updater') as Exclude<
  DrainClientName,
  'workload-updater'
>[];

const drainShape = z.strictObject({
  node: z.string().describe('Node to empty.'),
  then: z
    .array(z.string())
    .optional()
    .describe(
      'Nodes that the same kubectl empties after it, one after another; all are cordoned first; absent: none.',
    ),
  client: z.enum(CLIENTS).default('kubectl').describe('Whoever empties it, with its usual settings.'),
  timeout: duration.optional().meta({
    description: 'When the client gives up, 0 for never; absent: its own default.',
    examples: ['10m'],
  }),
  graceSeconds: z
    .int()
    .min(0)
    .optional()
    .describe("Seconds that evicted pods have to end; absent: what the client says, else the pods' own."),
  force: z.boolean().default(false).describe('Evict pods without a controller, too (kubectl --force).'),
  disableEviction: z
    .boolean()
    .default(false)
    .describe(
      'Delete pods in place of evicting them, past webhooks and budgets (kubectl --disable-eviction).',
    ),
  podSelector: z
    .record(z.string(), z.string())
    .optional()
    .meta({
      description: 'Labels of the pods to evict; absent: all pods.',
      examples: [{ 'kubevirt.io': 'virt-launcher' }],
    }),
  reboot: z
    .boolean()
    .default(false)
    .describe(
      'The node boots anew when the drain has succeeded, and is given back then; a node of Talos does so in any case.',
    ),
});

const drainSchema = drainShape.refine(
  ({ then, client, reboot }) => then === undefined || (client === 'kubectl' && !reboot),
  'only kubectl empties nodes one after another, and boots none',
);

const upgradeSchema = z.strictObject({
  version: z
    .string()
    .optional()
    .meta({ description: 'The new version; absent: next.', examples: ['v1.9.0'] }),
  launcherImage: z.string().describe('Image of its launchers.'),
});

const editSchema = z.strictObject({
  vm: vmName.describe('The VM, by name or namespace/name.'),
  patch: anyObject.meta({
    description: 'A merge patch of it.',
    examples: [{ spec: { runStrategy: 'Halted' } }],
  }),
});

const deleteSchema = z.strictObject({
  kind: z.string().meta({ description: 'Kind of the object.', examples: ['VirtualMachineInstance'] }),
  name: vmName.describe('Its name, or namespace/name; name* is the first of those that begin so.'),
});

const ACTIONS = {
  upgrade: upgradeSchema.describe(
    "A new KubeVirt is rolled out: virt-handlers, virt-controller with the launchers' new image, virt-api.",
  ),
  launcherImage: z
    .string()
    .describe('virt-controller starts anew with this image for launchers, and nothing else changes.'),
  drain: drainSchema.describe('A node is cordoned and emptied.'),
  cordon: z.string().describe('This node is cordoned.'),
  uncordon: z.string().describe('This node is taken into use again.'),
  config: anyObject.meta({
    description: "A merge patch of the KubeVirt object's spec.",
    examples: [{ configuration: { evictionStrategy: 'LiveMigrate' } }],
  }),
  edit: editSchema.describe('A VM is changed.'),
  start: vmName.describe('This VM is started, as by virtctl start.'),
  stop: vmName.describe('This VM is stopped, as by virtctl stop.'),
  restart: vmName.describe('This VM is restarted, as by virtctl restart.'),
  migrate: vmName.describe('This VM is moved, as by virtctl migrate.'),
  evict: vmName.describe('The launcher pod of this VM is evicted, once.'),
  failNode: z.string().describe('This node is gone at once, with all guests on it.'),
  rebootNode: z.string().describe('This node falls and comes back, with no drain before.'),
  killController: z
    .strictObject({ for: duration.default(10).describe('How long they are away; absent: 10s.') })
    .describe("Drover's controllers and virt-controller die, and are back after some time."),
  create: z.array(anyObject).describe('These Kubernetes objects are created.'),
  delete: deleteSchema.describe('A Kubernetes object is deleted.'),
} as const;
export type ActionName = keyof typeof ACTIONS;
/** What an action takes, by its name. */
export type Actions = { [Name in ActionName]: z.infer<(typeof ACTIONS)[Name]> };

const shape = Object.fromEntries(
  Object.entries(ACTIONS).map(([name, schema]) => [name, schema.optional()]),
) as {
  [Name in ActionName]: z.ZodOptional<(typeof ACTIONS)[Name]>;
};

const ACTION_NAMES = Object.keys(ACTIONS) as readonly ActionName[];

/** One thing that is done at a time after the beginning. */
export const timelineEntrySchema = z
  .strictObject({
    at: duration.meta({ description: 'When, after the beginning.', examples: ['0', '90s', '1h30m'] }),
    ...shape,
  })
  .refine((entry) => ACTION_NAMES.filter((name) => entry[name] !== undefined).length === 1, {
    message: `an entry of the timeline has "at" and one action: ${ACTION_NAMES.join(', ')}`,
  })
  // What an editor can know of that.
  .meta({ minProperties: 2, maxProperties: 2 });
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

/** The one action of an entry. Throws where there is none, as in no entry that was read. */
export function actionIn(entry: TimelineEntry): ActionName {
  const name = ACTION_NAMES.find((action) => entry[action] !== undefined);
  if (!name) throw new Error(`an entry of a timeline without an action, at ${entry.at} s`);
  return name;
}
