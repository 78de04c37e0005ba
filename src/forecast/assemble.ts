import { formatVersion, isKnownVersion, KNOWN_VERSIONS } from '../decide/versions.ts';
import type { Kind } from '../fleet/fleet.ts';
import { compareText } from '../kubevirt/order.ts';
import type { Context } from './context.ts';
import { type Forecast, type ForecastRound, OUTCOMES, type Outcome, type VmVerdict } from './forecast.ts';
import { scopeInWords } from './scope.ts';
import { lacksVmis } from './unseen.ts';

/** What a plan found, before it becomes a Forecast. */
export interface Findings {
  readonly action: string;
  readonly title: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly verdicts: readonly VmVerdict[];
  /** The answer in one sentence, once the counts are known. */
  readonly summarize: (counts: Readonly<Record<Outcome, number>>) => string;
  readonly notes?: readonly string[];
  readonly warnings?: readonly string[];
  readonly round?: ForecastRound;
}

/** Puts a Forecast together: VMs by namespace and name, counts that add up to them, assumptions and gaps named. */
export function assemble(context: Context, findings: Findings): Forecast {
  const vms = [...findings.verdicts].sort(byNamespaceAndName);
  const counts = countOutcomes(vms);
  return {
    apiVersion: 'drover.dev/v1alpha1',
    kind: 'Forecast',
    spec: {
      action: findings.action,
      title: [findings.title, ...scopeInWords(context.scope)].join(' · '),
      kubevirtVersion: formatVersion(context.settings.version),
      parameters: { ...findings.parameters, settings: settingsOf(context) },
    },
    status: {
      summary: findings.summarize(counts),
      counts,
      vms,
      notes: [...(findings.notes ?? []), ...assumptions(context)],
      warnings: [...(findings.warnings ?? []), ...scopeWarning(context, vms), ...versionWarning(context)],
      missing: missingKinds(context),
      ...(findings.round === undefined ? {} : { round: findings.round }),
    },
  };
}

function countOutcomes(vms: readonly VmVerdict[]): Record<Outcome, number> {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const vm of vms) counts[vm.outcome]++;
  return counts;
}

function byNamespaceAndName(a: VmVerdict, b: VmVerdict): number {
  return compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
}

function settingsOf({ settings }: Context): Record<string, unknown> {
  const { migrations } = settings;
  return {
    evictionStrategy: settings.evictionStrategy,
    workloadUpdateMethods: settings.workloadUpdateMethods,
    batchEvictionSize: settings.batchEvictionSize,
    batchEvictionIntervalSeconds: settings.batchEvictionIntervalSeconds,
    parallelMigrationsPerCluster: migrations.parallelMigrationsPerCluster,
    parallelOutboundMigrationsPerNode: migrations.parallelOutboundMigrationsPerNode,
    vmRolloutStrategy: settings.vmRolloutStrategy,
  };
}

/** Kinds of which every cluster with VMs has objects: without them some verdicts are Unknown. */
const ESSENTIAL: readonly Kind[] = ['KubeVirt', 'Node', 'Pod'];

function missingKinds({ fleet }: Context): string[] {
  const absent = ESSENTIAL.filter((kind) => fleet.count(kind) === 0);
  if (lacksVmis(fleet)) absent.push('VirtualMachineInstance');
  return absent.map((kind) => `${kind}: none in the input`);
}

const OPTIONAL: readonly Kind[] = ['PodDisruptionBudget', 'ResourceQuota'];

function assumptions(context: Context): string[] {
  const absent = OPTIONAL.filter((kind) => context.fleet.count(kind) === 0 && !context.fleet.isKnown(kind));
  return [
    ...(absent.length > 0 ? [`Taken as none, since the input has none: ${absent.join(', ')}.`] : []),
    ...versionNote(context),
  ];
}

/** Says whose behaviour is foretold wherever that is not simply what the cluster reports. */
function versionNote({ settings, kubevirt }: Context): string[] {
  const version = formatVersion(settings.version);
  const observed = kubevirt?.status?.observedKubeVirtVersion;
  switch (settings.versionSource) {
    case 'assumed':
      return [
        `KubeVirt ${version} assumed: ${observed ? `"${observed}" is no version` : 'no status.observedKubeVirtVersion in the input'}.`,
      ];
    case 'flag':
      return [`KubeVirt ${version} as asked for; the cluster reports ${observed ?? 'none'}.`];
    default:
      return [];
  }
}

/** A name that is misspelt must not look like good news. */
function scopeWarning({ scope }: Context, vms: readonly VmVerdict[]): string[] {
  const only = scopeInWords(scope);
  return only.length > 0 && vms.length === 0
    ? [`No VM that this is about is among those asked for (${only.join(', ')}).`]
    : [];
}

function versionWarning({ settings: { version } }: Context): string[] {
  if (isKnownVersion(version)) return [];
  return [
    `KubeVirt ${formatVersion(version)} is not among those that forecasts are made for (${KNOWN_VERSIONS}): it is taken for the nearest of them.`,
  ];
}
