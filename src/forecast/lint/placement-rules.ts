import { counted } from '../../kubevirt/words.ts';
/** Traps in where VMs may run: VMs that could migrate if there were a node for them. */

import { isMigratableOnEviction } from '../../decide/eviction-strategy.ts';
import { field, vmiField } from '../../decide/evidence.ts';
import { type Exclusion, tellExclusions } from '../../decide/placement/placement.ts';
import { METHOD } from '../../kubevirt/names.ts';
import type { Node, Vmi } from '../../kubevirt/objects.ts';
import { isMigratable, keyOf } from '../../kubevirt/predicates.ts';
import { inNamespaceOf, shellWord, stop, target } from './commands.ts';
import type { LintContext } from './context.ts';
import type { LintRule } from './finding.ts';
import { found, grouped, listed, refsOf, verb } from './words.ts';

const KIND = 'VirtualMachineInstance';

export const noSecondNode: LintRule = {
  code: 'DRV017',
  name: 'NoSecondNode',
  severity: 'warning',
  title: 'there is no second node that a VM could migrate to',
  explains:
    'A migration needs another node with the label `kubevirt.io/schedulable=true`. With one such node every migration waits ' +
    'five minutes for a target, fails and starts again: drains never end, and with `LiveMigrate` as the only method no ' +
    'launcher and no live update ever gets through.',
  needs: ['Node', KIND, 'KubeVirt'],
  find: ({ places, nodes, runningVmis, settings }) => {
    const takers = places.vmNodes();
    const movable = runningVmis().filter(isMigratable).length;
    if (takers.length > 1 || movable === 0) return [];
    const onlyMigrate = settings.workloadUpdateMethods.includes(METHOD.liveMigrate)
      ? onlyMethodCause(settings.workloadUpdateMethods)
      : '';
    const about = takers.length > 0 ? takers : nodes();
    return [
      {
        objects: refsOf('Node', about),
        cause: `${takers.length === 0 ? 'No node' : `Only ${takers[0]?.metadata.name}`} takes VMs, so none of ${counted(movable, 'live-migratable VMI')} can move${onlyMigrate}.`,
        cure: 'Bring a second node into service, or plan restarts: `kubectl get nodes -L kubevirt.io/schedulable` shows which nodes take VMs',
        evidence: about.map((node) =>
          field(node, 'metadata.labels[kubevirt.io/schedulable]', schedulable(node), 'Node'),
        ),
      },
    ];
  },
};

function onlyMethodCause(methods: readonly string[]): string {
  const rest = methods.includes(METHOD.evict) ? '' : ', and LiveMigrate is the only method';
  return `; the updater creates migrations that cannot succeed${rest}`;
}

function schedulable({ metadata }: Node): string | undefined {
  return metadata.labels?.['kubevirt.io/schedulable'];
}

export const pinnedButMigratable: LintRule = {
  code: 'DRV018',
  name: 'PinnedButMigratable',
  severity: 'warning',
  title: 'VMIs report LiveMigratable, but no other node suits them',
  explains:
    'The condition LiveMigratable looks at the VM alone, never at the nodes. A VM whose node selector, affinity, CPU model, ' +
    'tolerations or volumes fit one node only is reported as migratable all the same. Its eviction is refused and it is marked, its ' +
    'migrations fail one after the other, and the drain of its node never ends.',
  needs: [KIND, 'Pod', 'Node'],
  find: (cluster) => {
    if (cluster.places.vmNodes().length < 2) return [];
    const pinned = pinnedVmis(cluster);
    return grouped(pinned, ({ why }) => leadingReason(why)).flatMap((group) =>
      found(
        KIND,
        group,
        ({ vmi }) => vmi,
        ({ vmi, why }, count) => ({
          cause: `${counted(count, 'VMI')} ${verb(count, 'reports', 'report')} LiveMigratable and can run on ${verb(count, 'its', 'their')} own node only; other nodes are no place for ${keyOf(vmi)}: ${tellExclusions(why)}.`,
          cure: `Loosen what ties the VM (${why[0]?.message}), or treat it as one that cannot migrate: \`kubectl get vm ${target(vmi)} -o jsonpath='{.spec.template.spec}'\``,
          evidence: [vmiField(vmi, 'status.nodeName', vmi.status?.nodeName), ...(why[0]?.evidence ?? [])],
        }),
      ),
    );
  },
};

interface Pinned {
  readonly vmi: Vmi;
  readonly why: readonly Exclusion[];
}

function pinnedVmis({ runningVmis, places }: LintContext): Pinned[] {
  return runningVmis()
    .filter(isMigratable)
    .map((vmi) => ({ vmi, why: places.whyNowhereElse(vmi) }))
    .filter(({ why }) => why.length > 0);
}

/** The reason that keeps the VMI off most nodes; it says what to change. */
function leadingReason(why: readonly Exclusion[]): string {
  const groups = grouped(why, ({ reason }) => reason).sort((a, b) => b.length - a.length);
  return groups[0]?.[0]?.reason ?? '';
}

export const pinnedHoldSlots: LintRule = {
  code: 'DRV019',
  name: 'PinnedHoldSlots',
  severity: 'warning',
  title: 'VMIs that can go nowhere will hold the outbound slots of their node in a drain',
  explains:
    'A node lets only `parallelOutboundMigrationsPerNode` migrations out at once, and one whose target finds no node holds ' +
    'its place for five minutes before it fails and is tried again. With as many such VMs on a node as it has places, the ' +
    'VMs that could move wait behind them, and so may those of other nodes, since the cluster has a limit too.',
  needs: [KIND, 'Pod', 'Node', 'KubeVirt'],
  find: (cluster) => {
    if (cluster.places.vmNodes().length < 2) return [];
    const slots = cluster.settings.migrations.parallelOutboundMigrationsPerNode;
    const stuck = pinnedVmis(cluster).filter(({ vmi }) => isEvacuated(cluster, vmi));
    const nodes = grouped(stuck, ({ vmi }) => vmi.status?.nodeName).flatMap((pinned) => {
      const node = cluster.fleet.get('Node', pinned[0]?.vmi.status?.nodeName ?? '');
      const waiting = node ? waitingBehind(cluster, node, pinned) : 0;
      return node && pinned.length >= slots && waiting > 0 ? [{ node, pinned, waiting }] : [];
    });
    return found(
      'Node',
      nodes,
      ({ node }) => node,
      ({ node, pinned, waiting }, count) => ({
        cause: `On ${node.metadata.name} ${pinned.length} VMIs that no other node suits (${listed(
          pinned.map(({ vmi }) => keyOf(vmi)),
          3,
        )}) can hold all ${slots} outbound slots, and ${counted(waiting, 'VMI')} that could move would wait${count > 1 ? `; ${counted(count - 1, 'more node')} ${verb(count - 1, 'is', 'are')} like it` : ''}.`,
        cure: `Shut the pinned VMs down before the drain, or move the others first: ${pinned[0] ? stop(pinned[0].vmi) : ''}; all VMs of the node: \`kubectl get vmi -A -l kubevirt.io/nodeName=${shellWord(node.metadata.name)}\``,
        evidence: [
          {
            object: 'KubeVirt',
            path: 'spec.configuration.migrations.parallelOutboundMigrationsPerNode',
            value: slots,
          },
        ],
      }),
    );
  },
};

/** A drain makes KubeVirt migrate the VMI. */
function isEvacuated({ settings }: LintContext, vmi: Vmi): boolean {
  return isMigratable(vmi) && isMigratableOnEviction(vmi, settings);
}

function waitingBehind(cluster: LintContext, node: Node, pinned: readonly Pinned[]): number {
  const stuck = new Set(pinned.map(({ vmi }) => vmi));
  const here = cluster.fleet.vmisOn(node.metadata.name);
  return here.filter((vmi) => !stuck.has(vmi) && isEvacuated(cluster, vmi)).length;
}

export const quotaLeavesNoRoom: LintRule = {
  code: 'DRV021',
  name: 'QuotaLeavesNoRoom',
  severity: 'warning',
  title: 'the quota of a namespace has no room for the second launcher that a migration needs',
  explains:
    'While a VM migrates it has two launcher pods, and both count against the quotas of the namespace. Where the quota has ' +
    'no room for the second, the migration stays Pending (`migrationRejectedByResourceQuota`) until something else in the namespace ' +
    'is given up; a drain and a roll-out wait as long.',
  needs: [KIND, 'Pod', 'ResourceQuota', 'Node'],
  find: ({ runningVmis, places }) => {
    const refused = runningVmis()
      .filter(isMigratable)
      .map((vmi) => ({ vmi, refusal: places.quotaRefusalOf(vmi) }))
      .filter(({ refusal }) => refusal?.reason === 'ExceededQuota');
    return found(
      KIND,
      refused,
      ({ vmi }) => vmi,
      ({ vmi, refusal }, count) => ({
        cause: `${counted(count, 'live-migratable VMI')} ${verb(count, 'has', 'have')} no room for a second launcher; for ${keyOf(vmi)}: ${refusal?.message}.`,
        cure: `Give the quota room for the largest launcher of the namespace: \`kubectl edit resourcequota ${inNamespaceOf(vmi)} ${shellWord(refusal?.quota ?? '')}\``,
        evidence: refusal?.evidence ?? [],
      }),
    );
  },
};
