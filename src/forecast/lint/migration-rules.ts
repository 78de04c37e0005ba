/** Traps around migrations that failed or were left half done. */
import { migrationField, podField, refOf } from '../../decide/evidence.ts';
import type { Migration, Pod, Vmi } from '../../kubevirt/objects.ts';
import { byKey, compareText, newestFirst } from '../../kubevirt/order.ts';
import {
  isEvacuationMigration,
  isMigrationFinal,
  isWorkloadUpdateMigration,
  keyOf,
} from '../../kubevirt/predicates.ts';
import { counted } from '../../kubevirt/words.ts';
import { target } from './commands.ts';
import type { LintContext } from './context.ts';
import type { LintRule } from './finding.ts';
import { found, listed, verb } from './words.ts';

const KIND = 'VirtualMachineInstance';
/** Two can be bad luck. */
const FAILURES_IN_A_ROW = 3;

interface Failing {
  readonly vmi: Vmi;
  /** Newest first. */
  readonly failed: readonly Migration[];
}

export const migrationsKeepFailing: LintRule = {
  code: 'DRV027',
  name: 'MigrationsKeepFailing',
  severity: 'warning',
  title: 'the automatic migrations of a VMI fail one after the other',
  explains:
    'KubeVirt retries a failed evacuation or update migration for ever, 20 s after the first failure and doubling up to ' +
    '320 s, and keeps only the five newest attempts, so the loop looks short and never ends. A drain of the node waits as ' +
    'long. The reason must be removed; more attempts do not help.',
  needs: [KIND, 'VirtualMachineInstanceMigration'],
  find: ({ runningVmis, fleet }) => {
    const failing = runningVmis()
      .map((vmi) => ({ vmi, failed: failuresOf(fleet.migrationsOf(vmi)) }))
      .filter(({ failed }) => failed.length >= FAILURES_IN_A_ROW);
    return found(KIND, failing, ({ vmi }) => vmi, failingWords);
  },
};

function failingWords({ vmi, failed }: Failing, count: number, all: readonly Failing[]) {
  const reasons = [...new Set(all.map((one) => reasonOf(one.failed[0])))].sort(compareText);
  return {
    cause:
      `The last ${failed.length} automatic migrations of ${keyOf(vmi)} failed` +
      `${count > 1 ? `, and ${counted(count - 1, 'more VMI')} ${verb(count - 1, 'fares', 'fare')} alike` : ''}; ` +
      `reasons given: ${listed(reasons, 3)}.`,
    cure: `Look at the newest attempt and remove its reason, or take back the mark or the change that asks for it: \`kubectl describe vmim ${target(failed[0] ?? vmi)}\``,
    evidence: failed.map((migration) => migrationField(migration, 'status.phase', migration.status?.phase)),
  };
}

/** The automatic migrations that failed since the last one that did not, newest first; those under way are not counted. */
function failuresOf(migrations: readonly Migration[]): Migration[] {
  const ended = migrations
    .filter((migration) => isWorkloadUpdateMigration(migration) || isEvacuationMigration(migration))
    .filter(isMigrationFinal)
    .sort(newestFirst);
  const success = ended.findIndex((migration) => migration.status?.phase === 'Succeeded');
  return success === -1 ? ended : ended.slice(0, success);
}

function reasonOf(migration: Migration | undefined): string {
  return migration?.status?.migrationState?.failureReason || 'none recorded';
}

export const twoLaunchers: LintRule = {
  code: 'DRV028',
  name: 'TwoLaunchers',
  severity: 'error',
  title: 'a VMI has two live launcher pods and no migration in flight',
  explains:
    'Only a migration may give a VMI a second launcher pod, and it ends with one of the two finished. Two live pods without ' +
    'a migration are the rest of one that went wrong: at best no further migration starts for this VMI and its drain hangs, ' +
    'at worst both run the guest on the same disk and destroy it.',
  needs: [KIND, 'Pod', 'VirtualMachineInstanceMigration'],
  find: (cluster) => {
    const doubled = cluster.runningVmis().filter((vmi) => isDoubled(cluster, vmi));
    return found(
      KIND,
      doubled,
      (vmi) => vmi,
      (first, count) => {
        const pods = [...cluster.livePodsOf(first)].sort(byKey);
        const more =
          count > 1 ? ` So ${verb(count - 1, 'does', 'do')} ${counted(count - 1, 'more VMI')}.` : '';
        return {
          cause: `${keyOf(first)} is on ${first.status?.nodeName ?? 'no node'} and has ${counted(pods.length, 'live launcher pod')} (${listed(pods.map(placeOf))}), but no unfinished migration.${more}`,
          cure: strayCure(cluster, first, pods),
          evidence: pods.map((pod) => podField(pod, 'spec.nodeName', pod.spec?.nodeName)),
        };
      },
    );
  },
};

/** Pods on their way out are left aside: the target of a migration that just failed is one of them. */
function isDoubled({ fleet, livePodsOf }: LintContext, vmi: Vmi): boolean {
  return livePodsOf(vmi).length > 1 && fleet.unfinishedMigrationsOf(vmi).length === 0;
}

function placeOf(pod: Pod): string {
  return `${pod.metadata.name} on ${pod.spec?.nodeName ?? 'no node'}`;
}

function strayCure({ fleet }: LintContext, vmi: Vmi, pods: readonly Pod[]): string {
  const current = fleet.launcherPodOf(vmi);
  const stray = pods.find((pod) => pod !== current) ?? vmi;
  return (
    `Hold every roll-out and drain. Make sure that no guest runs in ${refOf(stray, 'Pod')}, then delete it: ` +
    `\`kubectl delete pod ${target(stray)}\`. If both ran the guest, stop the VM and check its disks first.`
  );
}
