import { isKnownStrategy } from '../../../decide/eviction-strategy.ts';
import type { Settings } from '../../../decide/settings.ts';
import { METHOD, ROLLOUT_STRATEGY } from '../../../kubevirt/names.ts';
import type { Context } from '../../context.ts';

/** What to know of a changed configuration that no verdict on a VM of today tells. */
export function configWarnings(before: Context, after: Context): string[] {
  return [...warningsAbout(after), ...changesLater(before.settings, after.settings)];
}

/** What a change makes different for VMs that somebody edits, or whose migrations take long. */
function changesLater(before: Settings, after: Settings): string[] {
  const isStaged = ({ vmRolloutStrategy }: Settings) => vmRolloutStrategy === ROLLOUT_STRATEGY.stage;
  const staged =
    'Under vmRolloutStrategy Stage an edit of a VM, of its CPU and memory too, counts from its next restart.';
  return [
    ...(isStaged(after) && !isStaged(before) ? [staged] : []),
    ...(overtime(after) === overtime(before)
      ? []
      : [`A guest whose copy takes too long ${overtime(after)}.`]),
  ];
}

/** What becomes of a migration whose time is up: evacuation-and-migration §7 of the spec. */
function overtime({ migrations }: Settings): string {
  if (!migrations.allowWorkloadDisruption) return 'stays where it is, and its migration is cancelled';
  return migrations.allowPostCopy
    ? 'goes on at its target (allowPostCopy), and is lost if that fails'
    : 'is stopped for it to end (allowWorkloadDisruption)';
}

function warningsAbout({ settings }: Context): string[] {
  const {
    evictionStrategy,
    workloadUpdateMethods: methods,
    batchEvictionSize,
    batchEvictionIntervalSeconds,
  } = settings;
  const unknown = methods.filter((method) => method !== METHOD.liveMigrate && method !== METHOD.evict);
  return [
    ...(isKnownStrategy(evictionStrategy)
      ? []
      : [
          `KubeVirt knows no eviction strategy "${evictionStrategy}": VMs whose template names none can then be neither created, changed nor started, and do not come back from a restart; evictions of VMIs that carry it pass.`,
        ]),
    ...(unknown.length > 0 ? [`KubeVirt ignores these workloadUpdateMethods: ${unknown.join(', ')}.`] : []),
    ...(methods.length === 0
      ? ['Without methods, pending CPU, memory, network and volume changes are not carried out either.']
      : []),
    ...(batchEvictionSize <= 0 ? [`A batchEvictionSize of ${batchEvictionSize} evicts nothing, ever.`] : []),
    ...(batchEvictionIntervalSeconds <= 0
      ? ['A batchEvictionInterval of zero or less evicts a batch on every pass.']
      : []),
  ];
}
