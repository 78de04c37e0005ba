import { counted } from '../../kubevirt/words.ts';
import { type Aftermath, isShutDown, type LintContext } from './context.ts';
/** Traps in what an eviction does to running VMs: refused for ever, shut down for good, shut down unannounced. */

import { effectiveStrategy, strategyEvidence } from '../../decide/eviction-strategy.ts';
import { conditionField } from '../../decide/evidence.ts';
import { CONDITION, RUN_STRATEGY, STRATEGY } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { controllerOf, findCondition, isMigratable, keyOf } from '../../kubevirt/predicates.ts';
import { whyNotMigratable } from '../not-migratable.ts';
import { patchVm, restart, setStrategy, stop, target } from './commands.ts';
import type { Found, LintRule } from './finding.ts';
import { movesVolumes } from './storage-rules.ts';
import { found, grouped, verb } from './words.ts';

const KIND = 'VirtualMachineInstance';

export const drainRefused: LintRule = {
  code: 'DRV013',
  name: 'DrainRefused',
  severity: 'warning',
  title: 'VMIs refuse every eviction, so a drain of their node never ends',
  explains:
    'A VMI with strategy `LiveMigrate` that cannot live-migrate is neither moved nor shut down: its eviction is answered ' +
    'with 429 for as long as nothing changes. `kubectl drain` waits without end, Talos goes on after five minutes and cuts ' +
    'the guest off, a workload update with `Evict` asks again in every batch.',
  needs: [KIND, 'Pod', 'KubeVirt'],
  find: (cluster) => {
    const refusing = cluster.runningVmis().filter((vmi) => isRefusedForEver(cluster, vmi));
    const reasons = grouped(refusing, (vmi) => liveMigratable(vmi)?.reason ?? '');
    return reasons.flatMap((group) =>
      found(
        KIND,
        group,
        (vmi) => vmi,
        (first, count) => ({
          cause: `${counted(count, 'VMI')} ${verb(count, 'has', 'have')} strategy LiveMigrate and cannot live-migrate${reasonOf(first)}; ${keyOf(first)}: ${whyNotMigratable(first)}.`,
          cure: `Shut the VM down before its node is drained (${stop(first)}), or let it be shut down by the drain: ${evictable(first)}`,
          evidence: evictionEvidence(cluster, first),
        }),
      ),
    );
  },
};

/** The webhook refuses the eviction without marking the VMI, so nothing follows from asking. */
export function isRefusedForEver({ evictionOf }: LintContext, vmi: Vmi): boolean {
  return evictionOf(vmi)?.reason === 'NotLiveMigratable';
}

function reasonOf(vmi: Vmi): string {
  const reason = liveMigratable(vmi)?.reason;
  return reason ? ` (${reason})` : '';
}

function liveMigratable(vmi: Vmi) {
  return findCondition(vmi.status?.conditions, CONDITION.liveMigratable);
}

/** The commands after which the next eviction shuts the VM down, or migrates it, instead of being refused. */
function evictable(vmi: Vmi): string {
  return `${setStrategy(vmi, STRATEGY.liveMigrateIfPossible)}, then restart it once (${restart(vmi)})`;
}

/** What decides about an eviction: the strategy, and whether the VMI can live-migrate. */
export function evictionEvidence({ settings }: LintContext, vmi: Vmi) {
  return [...strategyEvidence(vmi, settings), conditionField(vmi, CONDITION.liveMigratable, KIND)];
}

/** Why an eviction shuts the VMI down: its strategy and whether it can migrate. */
function whyShutDown({ settings }: LintContext, vmi: Vmi): string {
  const strategy = effectiveStrategy(vmi, settings);
  return strategy === STRATEGY.liveMigrateIfPossible
    ? `strategy ${strategy}, and not live-migratable`
    : `strategy ${strategy || '""'}`;
}

export const staysOffAfterEviction: LintRule = {
  code: 'DRV014',
  name: 'StaysOffAfterEviction',
  severity: 'warning',
  title: 'an eviction shuts VMs down, and nothing starts them again',
  explains:
    'An eviction that is not refused shuts the guest down. What then happens is up to the run strategy: `Manual` and `Once` ' +
    'stay off, a VMI without VM is gone, and `RerunOnFailure` stays off when the guest obeyed the shutdown (a clean end ' +
    'counts as wanted) or was given no time for it. A drain or a roll-out then ends with fewer VMs than it began with.',
  needs: [KIND, 'VirtualMachine', 'Pod', 'KubeVirt'],
  find: (cluster) => {
    const shutDown = cluster.runningVmis().filter((vmi) => isShutDown(cluster, vmi));
    const groups = grouped(shutDown, (vmi) => {
      const why = whyOff(cluster, vmi);
      return why && `${why}\n${whyShutDown(cluster, vmi)}`;
    });
    return groups.flatMap((group) => staysOffFound(cluster, group));
  },
};

/** The branch in which the VM stays off. A volume update in flight is a rule of its own. */
function offBranch({ aftermathOf }: LintContext, vmi: Vmi): Aftermath | undefined {
  if (movesVolumes(vmi)) return undefined;
  return aftermathOf(vmi).find(({ result }) => result === 'StaysOff');
}

/** Whether the VM stays off for certain and why, going on from its name; how the guest ends is told where it matters. */
function whyOff(cluster: LintContext, vmi: Vmi): string | undefined {
  const off = offBranch(cluster, vmi);
  if (!off) return undefined;
  const branches = cluster.aftermathOf(vmi);
  const [ends, stays] = off.asks;
  if (branches.some(({ result }) => result !== 'StaysOff')) return `may stay off: ${stays}`;
  return off.reason === 'CleanShutdownStaysOff' ? `stay off: ${ends}; ${stays}` : `stay off: ${stays}`;
}

function staysOffFound(cluster: LintContext, group: readonly Vmi[]): Found[] {
  return found(
    KIND,
    group,
    (vmi) => vmi,
    (first, count) => ({
      cause: `${counted(count, 'VMI')} ${verb(count, 'is', 'are')} shut down by an eviction (${whyShutDown(cluster, first)}) and ${agree(count, whyOff(cluster, first))}.`,
      cure: offCure(first),
      evidence: [...evictionEvidence(cluster, first), ...(offBranch(cluster, first)?.evidence ?? [])],
    }),
  );
}

/** `stay off` of several is `stays off` of one. */
function agree(count: number, why = ''): string {
  return count === 1 ? why.replace(/^stay /, 'stays ') : why;
}

function offCure(vmi: Vmi): string {
  if (!controllerOf(vmi.metadata)) {
    return `Save what is worth keeping before the node is drained; a VM that owns the VMI would start it again: \`kubectl get vmi ${target(vmi)} -o yaml\``;
  }
  return (
    `Start them again after the drain (\`virtctl start ${target(vmi)}\`), or have that done for you: ` +
    patchVm(vmi, { runStrategy: RUN_STRATEGY.always })
  );
}

export const restartsUnannounced: LintRule = {
  code: 'DRV016',
  name: 'RestartsUnannounced',
  severity: 'info',
  title: 'every drain of their node restarts VMs, and nothing announces it',
  explains:
    'Under `LiveMigrateIfPossible` a VM that cannot live-migrate is shut down by an eviction and started again, and under ' +
    '`None` every VM is. KubeVirt tells nobody beforehand: its alert VMCannotBeEvicted, its metric and its event look at ' +
    '`LiveMigrate` alone. The owners should know.',
  needs: [KIND, 'VirtualMachine', 'Pod', 'KubeVirt'],
  find: (cluster) => {
    const restarted = cluster.runningVmis().filter((vmi) => {
      const branches = cluster.aftermathOf(vmi);
      return isShutDown(cluster, vmi) && branches.every(({ result }) => result === 'Restarts');
    });
    const groups = grouped(restarted, (vmi) => `${whyShutDown(cluster, vmi)} ${isMigratable(vmi)}`);
    return groups.flatMap((group) =>
      found(
        KIND,
        group,
        (vmi) => vmi,
        (first, count) => ({
          cause: `${counted(count, 'VMI')} ${verb(count, 'is', 'are')} shut down and started again by an eviction (${whyShutDown(cluster, first)}${movable(first)}).`,
          cure: unannouncedCure(first),
          evidence: evictionEvidence(cluster, first),
        }),
      ),
    );
  },
};

function movable(vmi: Vmi): string {
  return isMigratable(vmi) ? ', although it could live-migrate' : '';
}

function unannouncedCure(vmi: Vmi): string {
  return isMigratable(vmi)
    ? `Have it migrated instead: ${evictable(vmi)}`
    : `Tell the owners, or have drains wait for them with strategy LiveMigrate on the VM; what a drain would do now: \`drover plan evict ${keyOf(vmi)}\``;
}
