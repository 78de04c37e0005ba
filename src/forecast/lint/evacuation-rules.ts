/** Traps that a drain leaves behind: marks and taints that keep moving VMs after the node is back. */
import { evacuationTable, hasDrainTaint } from '../../decide/evacuation/candidate.ts';
import { effectiveStrategy } from '../../decide/eviction-strategy.ts';
import { field, vmiField } from '../../decide/evidence.ts';
import { decide } from '../../decide/rules.ts';
import { STRATEGY } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { compareText } from '../../kubevirt/order.ts';
import { isMarked, keyOf } from '../../kubevirt/predicates.ts';
import { counted } from '../../kubevirt/words.ts';
import { shellWord } from './commands.ts';
import type { LintContext } from './context.ts';
import type { Found, LintRule } from './finding.ts';
import { found, grouped, listed, verb } from './words.ts';

const KIND = 'VirtualMachineInstance';

export const markLeftBehind: LintRule = {
  code: 'DRV025',
  name: 'MarkLeftBehind',
  severity: 'warning',
  title: 'VMIs are still marked for evacuation although nobody drains their node',
  explains:
    'An eviction marks the VMI in `status.evacuationNodeName`, and uncordoning the node does not take the mark back. A mark ' +
    'that names the node of the VMI starts one migration after the other until one succeeds. A mark that names another ' +
    'node starts none, but every eviction is answered "Evacuation in progress", so the next drain waits for nothing.',
  needs: [KIND, 'Node', 'Pod'],
  find: (cluster) => {
    const marked = cluster.runningVmis().filter((vmi) => isMarked(vmi));
    return grouped(marked, (vmi) => afterMark(cluster, vmi)).flatMap((group) => markFound(cluster, group));
  },
};

type AfterMark = 'migrates' | 'external' | 'nobody moves it';

/** What the mark still does; `undefined` where it does nothing, or where the node is on its way to be emptied. */
function afterMark(cluster: LintContext, vmi: Vmi): AfterMark | undefined {
  const { fleet, settings, forecast, evictionOf } = cluster;
  const node = fleet.get('Node', nodeOf(vmi));
  if (!node) return undefined;
  const pods = fleet.podsOf(vmi);
  const unfinishedMigrations = fleet.unfinishedMigrationsOf(vmi);
  const step = decide(evacuationTable, {
    ...{ vmi, node, pods, unfinishedMigrations, settings },
    now: forecast.now,
  });
  if (step.reason === 'MarkedForAnotherNode') {
    return evictionOf(vmi)?.reason === 'EvacuationInProgress' ? 'nobody moves it' : undefined;
  }
  if (node.spec?.unschedulable) return undefined;
  if (step.result.action === 'CreateMigration' || step.result.action === 'Wait') return 'migrates';
  return effectiveStrategy(vmi, settings) === STRATEGY.external ? 'external' : undefined;
}

function markOf(vmi: Vmi): string {
  return vmi.status?.evacuationNodeName ?? '';
}

function nodeOf(vmi: Vmi): string {
  return vmi.status?.nodeName ?? '';
}

function markFound(cluster: LintContext, vmis: readonly Vmi[]): Found[] {
  return found(
    KIND,
    vmis,
    (vmi) => vmi,
    (first, count, marked) => ({
      cause: MARK_CAUSE[afterMark(cluster, first) ?? 'migrates'](first, count, nodesOf(marked)),
      cure: cancelOf(first),
      evidence: [
        vmiField(first, 'status.evacuationNodeName', markOf(first)),
        vmiField(first, 'status.nodeName', nodeOf(first)),
      ],
    }),
  );
}

function nodesOf(vmis: readonly Vmi[]): string[] {
  return [...new Set(vmis.map(nodeOf))].sort(compareText);
}

type MarkCause = (first: Vmi, count: number, nodes: readonly string[]) => string;

const MARK_CAUSE: Readonly<Record<AfterMark, MarkCause>> = {
  migrates: (_, count, nodes) =>
    `${stillMarked(count, nodes)}: the evacuation goes on until a migration succeeds.`,
  external: (_, count, nodes) =>
    `${stillMarked(count, nodes)}: with strategy External their controller still shuts them down or replaces them.`,
  'nobody moves it': (first, count) =>
    `${counted(count, 'VMI')} ${verb(count, 'carries', 'carry')} the mark of another node: ${keyOf(first)} is on ${nodeOf(first)} ` +
    `and marked for ${markOf(first)}. Evictions are refused as in progress, and no migration starts.`,
};

function stillMarked(count: number, nodes: readonly string[]): string {
  const where = verb(nodes.length, 'the node is', 'the nodes are');
  return `${counted(count, 'VMI')} on ${listed(nodes)} ${verb(count, 'is', 'are')} still marked, but ${where} not cordoned`;
}

/** `virtctl evacuate-cancel` of v1.9.0 sends an empty node name and is refused, so the call is spelled out. */
function cancelOf(vmi: Vmi): string {
  const { namespace, name } = vmi.metadata;
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}/evacuate/cancel`;
  const body = JSON.stringify({ evacuationNodeName: markOf(vmi) });
  return (
    'Cancel the evacuation of each, then delete the migrations that it started: ' +
    `\`echo ${shellWord(body)} | kubectl replace --raw ${shellWord(path)} -f -\``
  );
}

export const drainTaintLeft: LintRule = {
  code: 'DRV026',
  name: 'DrainTaintLeft',
  severity: 'warning',
  title: 'the drain taint of KubeVirt is still on a node that is not cordoned',
  explains:
    'The taint that `migrations.nodeDrainTaintKey` names (`kubevirt.io/drain` where nothing is set) is an old way to drain: ' +
    'while a node carries it with effect NoSchedule, every VMI there whose strategy migrates is evacuated without any ' +
    'eviction, and cancelling an evacuation is refused.',
  needs: ['Node', KIND],
  find: ({ nodes, fleet, settings }) => {
    const key = settings.migrations.nodeDrainTaintKey;
    const tainted = nodes().filter((node) => hasDrainTaint(node, settings) && !node.spec?.unschedulable);
    const hit = tainted.reduce((sum, node) => sum + fleet.vmisOn(node.metadata.name).length, 0);
    return found(
      'Node',
      tainted,
      (node) => node,
      (first, count) => ({
        cause:
          `${counted(count, 'node')} with ${counted(hit, 'VMI')} ${verb(count, 'carries', 'carry')} the taint ${key}:NoSchedule ` +
          `and ${verb(count, 'is', 'are')} not cordoned, so KubeVirt keeps evacuating ${verb(count, 'it', 'them')}.`,
        cure: `Take the taint away, or cordon the node if it is to be drained: \`kubectl taint node ${shellWord(first.metadata.name)} ${shellWord(key)}:NoSchedule-\``,
        evidence: [field(first, 'spec.taints', first.spec?.taints, 'Node')],
      }),
    );
  },
};
