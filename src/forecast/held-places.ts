import { hasHotplugVolumes } from '../decide/migration/subject.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { Context } from './context.ts';
import type { Ending } from './ending.ts';
import type { Foreseen } from './foreseen.ts';
import { someOf } from './views/remedies.ts';

/**
 * Migrations that never come to an end and never fail hold their places in the caps for ever: KubeVirt's of VMs with plugged
 * volumes, for which it makes one target after another. Where they hold all of them, whoever comes later never gets his turn, and who
 * comes first is chance. (A target without plugged volumes is given up after 300 s, and others have their turn meanwhile;
 * Drover begins no migration that no node takes.)
 */
export function withHeldPlaces(context: Context, foreseen: readonly Foreseen[]): Foreseen[] {
  const holders = context.behavior === 'exact' ? foreseen.filter(holdsForEver) : [];
  if (holders.length === 0) return [...foreseen];
  return foreseen.map((one) => {
    const held = one.ending.outcome === 'LiveMigrates' ? capHeldBy(context, one, holders) : undefined;
    return held ? { ...one, ending: behind(one, held) } : one;
  });
}

const ENDLESS: ReadonlySet<string> = new Set(['NoNodeFits', 'NoRoom']);

function holdsForEver({ ending, vmi }: Foreseen): boolean {
  return ending.outcome === 'NeverCompletes' && ENDLESS.has(ending.reason) && hasHotplugVolumes(vmi);
}

interface HeldCap {
  readonly cap: string;
  readonly places: number;
  readonly holders: readonly Foreseen[];
}

/** The cap whose places are all held, for a VM on its node. */
function capHeldBy(
  { settings }: Context,
  { vmi }: Foreseen,
  holders: readonly Foreseen[],
): HeldCap | undefined {
  const { parallelMigrationsPerCluster, parallelOutboundMigrationsPerNode } = settings.migrations;
  const here = holders.filter((holder) => holder.vmi.status?.nodeName === vmi.status?.nodeName);
  const held = [
    { cap: 'parallelMigrationsPerCluster', places: parallelMigrationsPerCluster, holders },
    { cap: 'parallelOutboundMigrationsPerNode', places: parallelOutboundMigrationsPerNode, holders: here },
  ];
  return held.find(({ places, holders: those }) => those.length >= places);
}

function behind({ ending, trail }: Foreseen, { cap, places, holders }: HeldCap): Ending {
  const names = holders.map(({ vmi }) => keyOf(vmi)).sort();
  trail.note(
    'places of migrations',
    'PlacesHeld',
    `${cap} is ${places}, and ${someOf(names)} never give up`,
    [
      { object: 'KubeVirt', path: `spec.configuration.migrations.${cap}`, value: places },
      { object: 'this action', path: 'migrations that never end', value: names },
    ],
  );
  return {
    ...ending,
    outcome: 'Deferred',
    reason: 'PlacesHeld',
    says: `${ending.says} if its turn comes first: once ${someOf(names)}, which no node takes and whose volumes are plugged in, ${names.length === 1 ? 'holds' : 'hold'} what ${cap} allows, it waits for as long as ${names.length === 1 ? 'that migration is' : 'those migrations are'} there`,
    remedies: [`Let ${someOf(names)} find a node, or unplug the volumes, or raise ${cap} above ${places}.`],
  };
}
