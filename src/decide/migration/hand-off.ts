/** What the controller writes into the VMI once its target pod is ready. evacuation-and-migration §5 of the spec. */
import { ANNOTATION, LABEL, MIGRATION_EVENT } from '../../kubevirt/names.ts';
import type {
  Migration,
  MigrationConfiguration,
  MigrationPolicy,
  MigrationState,
  Pod,
  Vmi,
} from '../../kubevirt/objects.ts';
import { annotationOf } from '../../kubevirt/predicates.ts';
import { formatBytes } from '../../kubevirt/quantity.ts';
import { extended } from '../../kubevirt/shapes.ts';
import { type EventDraft, eventOnMigration } from '../events.ts';
import type { Behavior } from '../rules.ts';
import { overridesOf } from './configuration.ts';
import { fittingPolicies } from './policy.ts';
import { hasHotplugVolumes } from './subject.ts';

export interface HandOffInput {
  readonly migration: Migration;
  readonly vmi: Vmi;
  readonly targetPod: Pod;
  readonly attachmentPod: Pod | undefined;
  /** The cluster's settings as `migrationConfiguration` gives them. */
  readonly configuration: MigrationConfiguration;
  readonly policies: readonly MigrationPolicy[];
  readonly namespaceLabels: Readonly<Record<string, string>> | undefined;
  readonly behavior: Behavior;
}

export type HandOff =
  | {
      /** Replaces whatever account the VMI has. */
      readonly migrationState: MigrationState;
      /** Labels that the VMI gets besides its own; from them virt-handler on the target knows that it is meant. */
      readonly labels: Readonly<Record<string, string>>;
      readonly event: EventDraft;
    }
  | { readonly error: string };

/** The hand-off (kubevirt v1.9.0 pkg/virt-controller/watch/migration/migration.go:1199-1293). */
export function handOff(input: HandOffInput): HandOff {
  const { migration, vmi, targetPod, attachmentPod } = input;
  if (hasHotplugVolumes(vmi) && !attachmentPod) return { error: 'target attachment pod not found' };
  const targetNode = targetPod.spec?.nodeName ?? '';
  const labels = { [LABEL.migrationTargetNodeName]: targetNode };
  return {
    migrationState: {
      migrationUid: migration.metadata.uid,
      targetNode,
      sourceNode: vmi.status?.nodeName,
      targetPod: targetPod.metadata.name,
      ...noted(migration),
      ...memoryOverhead(targetPod),
      ...(hasHotplugVolumes(vmi) && { targetAttachmentPodUID: attachmentPod?.metadata.uid }),
      ...settingsFor(input, labels),
    },
    labels,
    event: eventOnMigration(
      migration,
      'Normal',
      MIGRATION_EVENT.successfulHandOver,
      'Migration target pod is ready for preparation by virt-handler.',
    ),
  };
}

/** What the migration itself noted while it was pending. */
function noted(migration: Migration): MigrationState {
  const own = migration.status?.migrationState;
  const names = ['sourcePod', 'sourcePersistentStatePVCName', 'targetPersistentStatePVCName'] as const;
  return Object.fromEntries(names.flatMap((name) => (own?.[name] ? [[name, own[name]]] : [])));
}

function memoryOverhead(targetPod: Pod): MigrationState {
  const bytes = Number(annotationOf(targetPod, ANNOTATION.memoryOverheadBytes) ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? { targetMemoryOverhead: formatBytes(bytes) } : {};
}

/** A policy that fits but changes nothing is not named. */
function settingsFor(input: HandOffInput, labels: Readonly<Record<string, string>>): MigrationState {
  const vmiLabels = extended(input.vmi.metadata.labels ?? {}, labels);
  const best = fittingPolicies(extended(input, { vmiLabels }))[0]?.policy;
  const overrides = best ? overridesOf(best) : {};
  if (!best || Object.keys(overrides).length === 0) return { migrationConfiguration: input.configuration };
  return {
    migrationPolicyName: best.metadata.name,
    migrationConfiguration: { ...input.configuration, ...overrides },
  };
}
