import { type Placement, tellExclusions } from '../../decide/placement/placement.ts';
import type { Behavior } from '../../decide/rules.ts';
import type { Settings } from '../../decide/settings.ts';
import { isHotpluggable, pluggedVolumes } from '../../decide/vmi/attachments.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { firstOf } from '../../kubevirt/words.ts';
import type { Context } from '../context.ts';
import { type Ending, orElse, unknown } from '../ending.ts';
import type { Trail } from '../trail.ts';
import { placeLauncher } from './place.ts';

/** The cap that lets no migration begin at all, if one does. */
export function closedCap({ migrations }: Settings): string | undefined {
  return CAPS.find((cap) => migrations[cap] <= 0);
}

const CAPS = ['parallelMigrationsPerCluster', 'parallelOutboundMigrationsPerNode'] as const;

/** How a migration comes about, for the words of its verdict. */
export type MigrationCause = Pick<Ending, 'reason' | 'lead'>;

/** Follows a migration to its end: a backup in its way, a target that may be scheduled somewhere or nowhere. */
export function foreseeMigration(
  context: Context,
  vmi: Vmi,
  trail: Trail,
  { reason, lead }: MigrationCause,
): Ending {
  const backup = runningBackup(context, vmi, trail);
  if (backup) return backup;
  const placement = placeLauncher(context, vmi, 'migration-target');
  if (placement.missing.length > 0 && placement.fitsNow.length === 0) {
    return unknown(trail, placement.missing.join(', '), 'Dump nodes and pods too, with their specs.');
  }
  notePlacement(trail, placement);
  if (placement.quota) return { ...quotaRefuses(placement.quota.message), lead };
  if (placement.fitsNow.length > 0) {
    const ending: Ending = { outcome: 'LiveMigrates', reason, lead, says: 'live-migrates to another node' };
    return unlessOutOfReach(context, vmi, trail, ending);
  }
  return { ...nowhere(placement, context.behavior), lead };
}

/** The scheduler does not know of plugged volumes: of nodes that take the target it may choose one that they cannot be reached from. */
export function unlessOutOfReach(context: Context, vmi: Vmi, trail: Trail, ending: Ending): Ending {
  if (pluggedVolumes(vmi).length === 0) return ending;
  const volumes = vmi.spec?.volumes?.filter((volume) => !isHotpluggable(volume));
  const judged = (one: Vmi) => {
    const { fitsNow, fitsIfEmpty } = placeLauncher({ ...context, explain: true }, one, 'migration-target');
    return [...fitsNow, ...fitsIfEmpty];
  };
  const within = new Set(judged(vmi));
  const outOfReach = judged({ ...vmi, spec: { ...vmi.spec, volumes } }).filter((node) => !within.has(node));
  if (outOfReach.length === 0) return ending;
  const evidence = [{ object: 'Cluster', path: 'nodes out of reach of plugged volumes', value: outOfReach }];
  trail.note('placement', 'PluggedVolumes', 'the scheduler does not look at plugged volumes', evidence);
  const when = `should its target be put on ${firstOf(outOfReach)}, from where a plugged volume cannot be reached, it stays`;
  return { ...orElse(ending, 'Stays', when), mayMissVolumes: true };
}

/** Up to KubeVirt 1.8 a migration waits for a running backup; from 1.9 on a system-critical one aborts it. */
function runningBackup(context: Context, vmi: Vmi, trail: Trail): Ending | undefined {
  const backup = vmi.status?.changedBlockTracking?.backupStatus;
  if (!backup || backup.completed || context.settings.rules.criticalMigrationAbortsBackup) return undefined;
  const path = 'status.changedBlockTracking.backupStatus.completed';
  const object = `VirtualMachineInstance ${vmi.metadata.namespace}/${vmi.metadata.name}`;
  const evidence = [{ object, path, value: backup.completed ?? false }];
  trail.note('backup', 'BackupInProgress', 'a migration waits until the backup has ended', evidence);
  return {
    outcome: 'Deferred',
    reason: 'BackupInProgress',
    says: 'waits: a backup is running, and its migration starts only when that has ended',
    remedies: ['Wait for the backup to end, or abort it.'],
  };
}

/** Which nodes could take the target; which could not, and why, when none can. */
function notePlacement(trail: Trail, { fitsNow, excluded, quota }: Placement): void {
  if (quota) {
    trail.note('placement', 'QuotaExceeded', quota.message, quota.evidence);
  } else if (fitsNow.length > 0) {
    trail.note('placement', 'NodeFits', `the target fits on ${fitsNow.join(', ')}`, [
      { object: 'Cluster', path: 'nodes that fit', value: fitsNow },
    ]);
  } else {
    const evidence = excluded.map(({ node, message }) => ({
      object: `Node ${node}`,
      path: 'placement',
      value: message,
    }));
    trail.note('placement', 'NoNodeFits', tellExclusions(excluded), evidence.slice(0, MOST_NODES_TOLD));
  }
}

/** Evidence names so many nodes at most: a cluster of a thousand nodes is not a verdict. */
const MOST_NODES_TOLD = 16;

function quotaRefuses(message: string): Ending {
  return {
    outcome: 'NeverCompletes',
    reason: 'QuotaExceeded',
    says: `cannot migrate: ${message}`,
    lacks: message,
    remedies: ['Raise the quota by one launcher pod for the time of the move.'],
  };
}

/** A target that cannot be scheduled is given 300 s; the pauses grow from 20 s to 320 s (evacuation-and-migration §4 of the spec). */
const ATTEMPTS: Readonly<Record<Behavior, string>> = {
  exact:
    'every attempt is given up after 300 s and the next one waits up to 320 s, so about one in ten minutes',
  intended: 'no attempt is made before a node can take it',
};

function nowhere({ excluded, fitsIfEmpty }: Placement, behavior: Behavior): Ending {
  const why = tellExclusions(excluded);
  if (fitsIfEmpty.length > 0) {
    const lacks = `no other node has room for it now: ${why}`;
    return {
      outcome: 'NeverCompletes',
      reason: 'NoRoom',
      says: `cannot migrate: ${lacks}`,
      lacks,
      remedies: [`Make room on ${fitsIfEmpty.slice(0, 3).join(', ')}, or add a node.`],
    };
  }
  return {
    outcome: 'NeverCompletes',
    reason: 'NoNodeFits',
    says: `cannot migrate: no other node can take it: ${why}; ${ATTEMPTS[behavior]}`,
    remedies: [
      'Widen its node selector or affinity, or label, untaint or add a node that fits.',
      'Or shut it down for the work.',
    ],
  };
}
