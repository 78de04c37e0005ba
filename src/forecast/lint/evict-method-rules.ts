/** Traps in method `Evict`: what it shuts down, and what it cannot. */
import { vmiField } from '../../decide/evidence.ts';
import { METHOD, STRATEGY } from '../../kubevirt/names.ts';
import type { KubeVirt, Vmi } from '../../kubevirt/objects.ts';
import { isMigratable, keyOf } from '../../kubevirt/predicates.ts';
import { counted } from '../../kubevirt/words.ts';
import { whyNotMigratable } from '../not-migratable.ts';
import { patchKubeVirt, restart, setStrategy } from './commands.ts';
import type { LintContext } from './context.ts';
import { evictionEvidence, isRefusedForEver } from './eviction-rules.ts';
import type { LintRule } from './finding.ts';
import { found, grouped, verb } from './words.ts';

const KIND = 'VirtualMachineInstance';

export const evictWithoutStrategy: LintRule = {
  code: 'DRV008',
  name: 'EvictWithoutStrategy',
  severity: 'warning',
  title: 'method Evict shuts down VMs that have no eviction strategy',
  explains:
    '`Evict` among the methods means that the updater evicts what it cannot migrate, at every launcher update and for CPU, ' +
    'memory and network changes too. A VM without a strategy (`None`, the value where nobody sets one) is then simply shut ' +
    'down. With `Evict` alone that hits even VMs that could live-migrate. Listing `Evict` is a choice about every VM whose ' +
    'owner made none.',
  needs: ['KubeVirt', KIND, 'Pod'],
  find: (cluster) => {
    const unprotected = cluster.runningVmis().filter((vmi) => isEvictedUnprotected(cluster, vmi));
    return grouped(unprotected, (vmi) => String(isMigratable(vmi))).flatMap((group) =>
      found(
        KIND,
        group,
        (vmi) => vmi,
        (first, count) => ({
          cause: `${counted(count, 'VMI')} ${verb(count, 'has', 'have')} no eviction strategy and ${unprotectedCause(cluster, first, count)}.`,
          cure: unprotectedCure(cluster, first),
          evidence: [...methodsEvidence(cluster), ...evictionEvidence(cluster, first)],
        }),
      ),
    );
  },
};

function isEvictedUnprotected({ categoryOf, evictionOf }: LintContext, vmi: Vmi): boolean {
  const eviction = evictionOf(vmi);
  const unprotected = eviction?.reason === 'NoStrategy' || eviction?.reason === 'UnknownStrategy';
  return unprotected && categoryOf(vmi, true).action === 'evict';
}

function unprotectedCause({ settings }: LintContext, vmi: Vmi, count: number): string {
  const them = verb(count, 'it', 'them');
  const pace = `${settings.batchEvictionSize} every ${settings.batchEvictionIntervalSeconds} s`;
  return isMigratable(vmi)
    ? `could live-migrate, but the methods list Evict without LiveMigrate: a launcher update shuts ${them} down, ${pace}`
    : `cannot live-migrate: a launcher update shuts ${them} down, ${pace}`;
}

function unprotectedCure({ kubevirt }: LintContext, vmi: Vmi): string {
  if (isMigratable(vmi))
    return `List LiveMigrate too: ${methodsPatch(kubevirt, [METHOD.liveMigrate, METHOD.evict])}`;
  return (
    `Give VMs that must not be shut down unasked a strategy (${setStrategy(vmi, STRATEGY.liveMigrate)}, ` +
    `in force from their next start), or take Evict away: ${methodsPatch(kubevirt, [METHOD.liveMigrate])}`
  );
}

function methodsPatch(kubevirt: KubeVirt | undefined, workloadUpdateMethods: readonly string[]): string {
  return kubevirt ? patchKubeVirt(kubevirt, { workloadUpdateStrategy: { workloadUpdateMethods } }) : '';
}

function methodsEvidence({ kubevirt, settings }: LintContext) {
  const path = 'spec.workloadUpdateStrategy.workloadUpdateMethods';
  return kubevirt
    ? [{ object: `KubeVirt ${keyOf(kubevirt)}`, path, value: settings.workloadUpdateMethods }]
    : [];
}

export const updaterNeverRests: LintRule = {
  code: 'DRV009',
  name: 'UpdaterNeverRests',
  severity: 'error',
  title: 'virt-controller burns more than a core on VMIs that it can never evict',
  explains:
    'While a VMI waits for its eviction, the updater looks again after 30 ns instead of the 30 s that were meant (releases ' +
    '1.3 to 1.9 at least). An outdated VMI that refuses eviction for ever, with `Evict` among the methods, keeps it at that: ' +
    'one is enough for 1.2 CPU cores. It also takes a place in every batch, and with as many of them as a batch is long ' +
    'nothing else is evicted.',
  needs: ['KubeVirt', KIND, 'Pod'],
  find: (cluster) => {
    const stuck = cluster.runningVmis().flatMap((vmi) => {
      const why = cluster.categoryOf(vmi).action === 'evict' ? whyNever(cluster, vmi) : undefined;
      return why === undefined ? [] : [{ vmi, why }];
    });
    return found(
      KIND,
      stuck,
      ({ vmi }) => vmi,
      ({ vmi: first, why }, count) => ({
        cause: `${counted(count, 'VMI')} ${verb(count, 'is', 'are')} to be evicted for an update, in batches of ${cluster.settings.batchEvictionSize}, and the eviction is refused for ever; ${keyOf(first)}: ${why}.`,
        cure:
          `Restart each of the VMs once, which updates it (${restart(first)}); until then take Evict away: ` +
          methodsPatch(cluster.kubevirt, withoutEvict(cluster)),
        evidence: [
          ...methodsEvidence(cluster),
          vmiField(
            first,
            'status.launcherContainerImageVersion',
            first.status?.launcherContainerImageVersion,
          ),
          ...evictionEvidence(cluster, first),
        ],
      }),
    );
  },
};

/** Why no eviction of the VMI ever succeeds: the webhook refuses it, or a budget does. */
function whyNever(cluster: LintContext, vmi: Vmi): string | undefined {
  if (isRefusedForEver(cluster, vmi)) return `strategy LiveMigrate, but ${whyNotMigratable(vmi)}`;
  const pod = cluster.evictionOf(vmi)?.result.allowed ? cluster.fleet.launcherPodOf(vmi) : undefined;
  const answer = pod && cluster.budgets.answerFor(pod).result;
  return answer?.kind === 'RefusedForEver' || answer?.kind === 'SeveralBudgets' ? answer.message : undefined;
}

function withoutEvict({ settings }: LintContext): string[] {
  return settings.workloadUpdateMethods.filter((method) => method !== METHOD.evict);
}
