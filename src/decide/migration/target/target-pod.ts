/** The pod that a VMI moves into. evacuation-and-migration §5 of the spec. */
import { ANNOTATION, LABEL, MIGRATION_EVENT, NODE_LABEL_PREFIX } from '../../../kubevirt/names.ts';
import type { Migration, Node, Pod, PodAffinityTerm, Vmi } from '../../../kubevirt/objects.ts';
import { extended } from '../../../kubevirt/shapes.ts';
import { type EventDraft, eventOnMigration, eventOnVmi } from '../../events.ts';
import { withMigration } from '../../placement/launcher-selectors.ts';
import type { Behavior } from '../../rules.ts';

export interface TargetTemplateInput {
  readonly vmi: Vmi;
  readonly migration: Migration;
  /** A launcher as it would be rendered for a fresh start, with today's launcher image. */
  readonly template: Pod;
  /** The launcher that the VMI is in. */
  readonly sourcePod: Pod;
  /** The node that it is on; undefined: unknown. */
  readonly sourceNode: Node | undefined;
  /** `migrations.matchSELinuxLevelOnMigration`; unset counts as true. */
  readonly matchSELinuxLevel: boolean | undefined;
  readonly behavior: Behavior;
}

export type TargetPod = { readonly pod: Pod } | { readonly error: string };

/**
 * The template with what a migration adds: whose target it is, a place away from every other pod of the VMI, the
 * selectors of its source, its SELinux level (kubevirt v1.9.0 pkg/virt-controller/watch/migration/migration.go:938-1045).
 */
export function targetPod(input: TargetTemplateInput): TargetPod {
  const { migration, template } = input;
  const nodeSelector = targetNodeSelector(input);
  const seLinux = targetSELinuxLevel(input);
  if ('error' in nodeSelector) return nodeSelector;
  if ('error' in seLinux) return seLinux;
  const { labels, annotations } = template.metadata;
  return {
    pod: {
      ...template,
      metadata: {
        ...template.metadata,
        labels: extended(labels ?? {}, { [LABEL.migrationJobUid]: migration.metadata.uid ?? '' }),
        annotations: extended(annotations ?? {}, { [ANNOTATION.migrationJobName]: migration.metadata.name }),
      },
      spec: {
        ...template.spec,
        affinity: awayFromSource(template, input.vmi),
        nodeSelector: nodeSelector.selector,
        ...(seLinux.level && { securityContext: { seLinuxOptions: { level: seLinux.level } } }),
      },
    },
  };
}

type Affinity = NonNullable<NonNullable<Pod['spec']>['affinity']>;

/** Not on a node where any pod of the VMI is, the source first of all: a cordoned source needs no other bar. */
function awayFromSource(template: Pod, vmi: Vmi): Affinity {
  const affinity = template.spec?.affinity;
  const before = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const term: PodAffinityTerm = {
    labelSelector: { matchLabels: { [LABEL.createdBy]: vmi.metadata.uid ?? '' } },
    topologyKey: LABEL.hostname,
  };
  const requiredDuringSchedulingIgnoredDuringExecution = [...before, term];
  return extended(affinity ?? {}, {
    podAntiAffinity: extended(affinity?.podAntiAffinity ?? {}, {
      requiredDuringSchedulingIgnoredDuringExecution,
    }),
  });
}

/** The migration's own selectors under those of the template, and over both what binds the guest to its CPU. */
function targetNodeSelector(
  input: TargetTemplateInput,
): { readonly selector: Record<string, string> } | { readonly error: string } {
  const { vmi, migration, sourcePod, sourceNode, behavior } = input;
  const addedNodeSelector = migration.spec?.addedNodeSelector;
  const question = { vmi, addedNodeSelector, behavior };
  const { selectors, missing } = withMigration(question, sourcePod, sourceNode, vmi.status?.nodeName);
  if (missing !== undefined) return { error: `the CPU model to look for is unknown: no ${missing}` };
  const cpu = selectors.filter(({ key }) => bindsToCpu(key)).map(({ key, value }) => [key, value]);
  const template = input.template.spec?.nodeSelector;
  return { selector: { ...addedNodeSelector, ...template, ...Object.fromEntries(cpu) } };
}

function bindsToCpu(key: string): boolean {
  const { cpuFeature, cpuModelMigration, cpuVendor } = NODE_LABEL_PREFIX;
  return [cpuFeature, cpuModelMigration, cpuVendor].some((prefix) => key.startsWith(prefix));
}

/** The part of the context behind its third colon; `none` says that the node has no SELinux. */
function targetSELinuxLevel({
  vmi,
  matchSELinuxLevel,
}: TargetTemplateInput): { readonly level?: string | undefined } | { readonly error: string } {
  const context = vmi.status?.selinuxContext;
  if (matchSELinuxLevel === false || context === 'none') return {};
  if (!context) return { error: 'SELinux context not set on VMI status' };
  return { level: context.split(':').slice(3).join(':') };
}

/** The event once the target pod is created. */
export function targetCreatedEvent(migration: Migration, podName: string): EventDraft {
  const message = `Created migration target pod ${podName}`;
  return eventOnMigration(migration, 'Normal', MIGRATION_EVENT.successfulCreate, message);
}

/** The event once the attachment pod of the target is created. */
export function attachmentCreatedEvent(migration: Migration, podName: string): EventDraft {
  const message = `Created attachment pod ${podName}`;
  return eventOnMigration(migration, 'Normal', MIGRATION_EVENT.successfulCreate, message);
}

/** The event where the API server refuses the target pod. */
export function targetRefusedEvent(vmi: Vmi, error: string): EventDraft {
  return eventOnVmi(vmi, 'Warning', MIGRATION_EVENT.failedCreate, `Error creating pod: ${error}`);
}

/** The event where the API server refuses the attachment pod. */
export function attachmentRefusedEvent(vmi: Vmi, error: string): EventDraft {
  const message = `Error creating attachment pod: ${error}`;
  return eventOnVmi(vmi, 'Warning', MIGRATION_EVENT.failedCreate, message);
}
