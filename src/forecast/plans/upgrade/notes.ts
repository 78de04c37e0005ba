import { countByNode, roundsAtLeast, widthAtStart } from '../../../decide/migration/widths.ts';
import type { Behavior } from '../../../decide/rules.ts';
import { outdated } from '../../../decide/workload-update/staleness.ts';
import { METHOD } from '../../../kubevirt/names.ts';
import { isRunning } from '../../../kubevirt/predicates.ts';
import { counted } from '../../../kubevirt/words.ts';
import type { Context } from '../../context.ts';
import type { Foreseen } from '../../foreseen.ts';
import { isEvicted, placesOf } from './rollout.ts';

/** What to know of a roll-out besides the verdicts: the count KubeVirt shows, its parts, batches and widths. */
export function rolloutNotes(
  context: Context,
  foreseen: readonly Foreseen[],
  launcherImage: string,
): string[] {
  return [
    countNote(foreseen, launcherImage),
    ...migrationNote(context, foreseen),
    ...batchNote(context, foreseen),
    ...ignoredMethods(context),
  ];
}

/** KubeVirt's number of outdated VMIs mixes two things; here they are apart. */
function countNote(foreseen: readonly Foreseen[], launcherImage: string): string {
  const acted = foreseen.filter(({ vmi, ending }) => isRunning(vmi) && !LEFT_ALONE.has(ending.reason));
  const old = acted.filter(({ vmi }) => outdated(vmi, launcherImage)).length;
  const waiting = acted.length - old;
  const stay = acted.filter(({ ending }) => ending.reason === 'NoMethodApplies').length;
  const split = `${old} with an old launcher, ${waiting} waiting for a live update`;
  return `KubeVirt counts ${acted.length} as outdated: ${split}; ${stay} of them no method applies to.`;
}

const LEFT_ALONE: ReadonlySet<string> = new Set([
  'NotRunning',
  'BeingDeleted',
  'ChangeWithdrawn',
  'LauncherImageUnknown',
  'UpToDate',
]);

/** How wide migrations run: exact, since only the caps decide. */
function migrationNote({ settings }: Context, foreseen: readonly Foreseen[]): string[] {
  const moving = foreseen.filter(({ ending }) => ending.outcome === 'LiveMigrates');
  if (moving.length === 0) return [];
  const caps = settings.migrations;
  const pending = countByNode(moving.map(({ vmi }) => vmi.status?.nodeName ?? ''));
  const twice = moving.filter(({ ending }) => ending.moves === 2).length;
  const more = twice > 0 ? `, and ${twice} more of VMs that move twice` : '';
  const from = `${counted(moving.length, 'migration')} from ${counted(pending.size, 'node')}${more}`;
  const limits = `${caps.parallelMigrationsPerCluster} per cluster, ${caps.parallelOutboundMigrationsPerNode} out of a node`;
  const rounds = counted(roundsAtLeast(pending, caps), 'round');
  return [`${from}: at most ${widthAtStart(pending, caps)} at once (${limits}), so at least ${rounds}.`];
}

/** Batches are exact when nothing refuses. */
function batchNote(context: Context, foreseen: readonly Foreseen[]): string[] {
  const { settings, behavior } = context;
  const evicted = foreseen.filter(isEvicted);
  if (evicted.length === 0) return [];
  const { batchEvictionSize: size, batchEvictionIntervalSeconds: interval } = settings;
  const all = counted(evicted.length, 'eviction');
  const refused = evicted.filter(({ ending }) => ending.outcome === 'Blocks').length;
  const again =
    refused > 0
      ? ` ${counted(refused, 'VM')} refused each time ${refused === 1 ? 'is' : 'are'} tried again every ${interval} s.`
      : '';
  const places = placesOf(context, evicted);
  if (places <= size) return [`${all}, all in the first batch (${size} every ${interval} s).${again}`];
  const batches = counted(Math.ceil(places / size), 'batch', 'batches');
  const pace = `${all}, ${size} in a batch, a batch every ${interval} s`;
  if (refused === 0) return [`${pace}: ${batches}, the first at once.`];
  return [`${pace}: at least ${batches}.${again} ${OTHERS[behavior]}`];
}

/** KubeVirt's cache has no order: who is in a batch is drawn anew each time. Drover puts behind all others whom it was refused. */
const OTHERS: Readonly<Record<Behavior, string>> = {
  exact: 'Who is in a batch is chance, and refused VMs take places in it, so the others may take longer.',
  intended: 'Refused VMs leave their places to the others.',
};

function ignoredMethods({ settings }: Context): string[] {
  const methods = settings.workloadUpdateMethods;
  const unknown = methods.filter((method) => method !== METHOD.liveMigrate && method !== METHOD.evict);
  return unknown.length > 0 ? [`KubeVirt ignores these workloadUpdateMethods: ${unknown.join(', ')}.`] : [];
}
