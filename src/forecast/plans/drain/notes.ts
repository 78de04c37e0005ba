import type { DrainClient } from '../../../decide/drain/clients.ts';
import type { Pod } from '../../../kubevirt/objects.ts';
import { isHotplugPod, keyOf } from '../../../kubevirt/predicates.ts';
import { counted } from '../../../kubevirt/words.ts';
import type { Context } from '../../context.ts';
import type { Foreseen } from '../../foreseen.ts';
import type { DrainedNode } from './drained-node.ts';
import { refusedPods, selectedOn } from './refused-pods.ts';
import { roomWarning } from './room-warning.ts';

/** What to know of a drain besides the verdicts: the command it stands for, widths, attachment pods. */
export function drainNotes(context: Context, client: DrainClient, nodes: readonly DrainedNode[]): string[] {
  const { parallelMigrationsPerCluster: cluster, parallelOutboundMigrationsPerNode: outbound } =
    context.settings.migrations;
  return [
    ...(client.name === 'kubectl' ? [`Stands for: ${commandOf(client, nodes)}`] : []),
    `${client.title}: ${endOf(client)}.`,
    `At most ${cluster} migrations run at once, ${outbound} out of a node.`,
    ...attachmentNotes(context, nodes),
  ];
}

function endOf({ retriesAfter, timeoutSeconds, afterTimeout }: DrainClient): string {
  if (retriesAfter === 'nothing') return `what is refused, ${afterTimeout}`;
  return timeoutSeconds ? `after ${timeoutSeconds} s ${afterTimeout}` : 'it goes on without a limit of time';
}

function commandOf(
  { flags, timeoutSeconds, gracePeriodSeconds }: DrainClient,
  nodes: readonly DrainedNode[],
): string {
  const words = [
    'kubectl drain',
    ...nodes.map(({ name }) => name),
    ...(flags.ignoreDaemonSets ? ['--ignore-daemonsets'] : []),
    ...(flags.deleteEmptyDirData ? ['--delete-emptydir-data'] : []),
    ...(flags.force ? ['--force'] : []),
    ...(flags.disableEviction ? ['--disable-eviction'] : []),
    ...(timeoutSeconds ? [`--timeout=${timeoutSeconds}s`] : []),
    ...(gracePeriodSeconds === undefined ? [] : [`--grace-period=${gracePeriodSeconds}`]),
  ];
  return words.join(' ');
}

function selectedPods(nodes: readonly DrainedNode[]): Pod[] {
  return nodes.flatMap(selectedOn);
}

/** From 1.6 on attachment pods are refused while their VM runs; before, they could go first, under the running guest. */
function attachmentNotes({ settings }: Context, nodes: readonly DrainedNode[]): string[] {
  const attached = selectedPods(nodes).filter(isHotplugPod).length;
  if (attached === 0 || !settings.rules.hotplugPodsRefused) return [];
  return [
    `${counted(attached, 'attachment pod')} (hp-volume-…) of hot-plugged disks answer 429 too, until the VM has left its launcher.`,
  ];
}

/** What may go wrong with a drain and is no verdict on a VM: attachment pods, budgets of other pods, and room for all together. */
export function drainWarnings(
  context: Context,
  nodes: readonly DrainedNode[],
  foreseen: readonly Foreseen[],
): string[] {
  return [
    ...attachmentWarnings(context, nodes),
    ...budgetWarnings(context, nodes),
    ...roomWarning(context, foreseen),
  ];
}

function attachmentWarnings({ settings }: Context, nodes: readonly DrainedNode[]): string[] {
  const attached = selectedPods(nodes).filter(isHotplugPod);
  if (attached.length === 0 || settings.rules.hotplugPodsRefused) return [];
  return [
    `KubeVirt before 1.6 lets ${counted(attached.length, 'attachment pod')} of hot-plugged disks go before the VM has moved: I/O errors in the guest. Drain the VMs first: --pod-selector=kubevirt.io=virt-launcher`,
  ];
}

/** Pods that are no VM can keep a drain from finishing as well. */
function budgetWarnings(context: Context, nodes: readonly DrainedNode[]): string[] {
  return nodes
    .flatMap((node) => refusedPods(context, node))
    .flatMap(({ pod, answer }) =>
      LASTING.has(answer.kind)
        ? [`Pod ${keyOf(pod)}, which is no VM, keeps the drain from finishing: ${answer.message}.`]
        : [],
    );
}

const LASTING: ReadonlySet<string> = new Set(['RefusedForEver', 'SeveralBudgets']);
