import { Fleet } from '../../fleet/fleet.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import { planDrain } from '../../forecast/plans/drain.ts';
import { DRAIN_DEFAULTS, type DrainQuestion } from '../../forecast/questions.ts';
import { project } from '../../kubevirt/projection.ts';
import { clusterObjects } from '../../scenario/cluster.ts';
import { scenarioSchema } from '../../scenario/schema.ts';
import { type TimeOptions, withTime } from './with-time.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
export const forecastOptions = { now: NOW, behavior: 'exact', scope: {} } as never;

/** Six migratable VMs of 4 GiB on n1, room on n2; others, where asked for. `budgeted`: with a budget that lets one of them go at a time. */
export function aFleet({
  kubevirt = {},
  fixed = false,
  pinned = false,
  refusing = false,
  vms = 6,
  budgeted = 0,
  onN2 = 0,
  outdated = 0,
  memory = '4Gi',
} = {}): Fleet {
  const movable = Array.from({ length: vms }, (_, index) => ({
    ...{ name: `m${index}`, node: 'n1', migratable: true, strategy: 'LiveMigrate', memory },
    ...(index < outdated && { launcher: 'L0', labels: { 'kubevirt.io/outdatedLauncherImage': '' } }),
  }));
  const stuck = { name: 'stuck', node: 'n1', migratable: 'HostDeviceNotLiveMigratable', strategy: 'None' };
  const refuses = { ...stuck, name: 'refuses', strategy: 'LiveMigrate' };
  const nowhere = {
    ...{ name: 'pinned', node: 'n1', migratable: true, strategy: 'LiveMigrate' },
    nodeSelector: { 'kubernetes.io/hostname': 'n1' },
  };
  const { cluster } = scenarioSchema.parse({
    title: 'times',
    cluster: {
      kubevirt: { methods: ['LiveMigrate', 'Evict'], ...kubevirt },
      nodes: ['n1', 'n2', 'n3'],
      vms: [
        ...movable,
        ...Array.from({ length: onN2 }, (_, index) => ({
          ...movable[0],
          name: `o${index}`,
          node: 'n2',
          launcher: 'L1',
          memory: '1Gi',
        })),
        ...Array.from({ length: budgeted }, (_, index) => ({
          ...stuck,
          name: `b${index}`,
          labels: { pool: 'b' },
        })),
        ...(fixed ? [stuck] : []),
        ...(refusing ? [refuses] : []),
        ...(pinned ? [nowhere] : []),
      ],
      objects: [
        {
          ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'b' } },
          spec: { minAvailable: budgeted - 1, selector: { matchLabels: { pool: 'b' } } },
        },
      ].slice(0, budgeted),
    },
  });
  const fleet = new Fleet();
  for (const raw of clusterObjects(cluster)) {
    const kind = raw.kind as 'Pod';
    fleet.apply(kind, project(kind, JSON.parse(JSON.stringify(raw))));
  }
  return fleet;
}

/** A drain with times, played once. */
export function drainInTime(
  fleet: Fleet,
  asked: Partial<DrainQuestion>,
  options: Partial<TimeOptions> = {},
): Promise<Forecast> {
  const question = { ...DRAIN_DEFAULTS, nodes: ['n1'], ...asked };
  const forecast = planDrain(fleet, question, forecastOptions);
  const once = { takenAt: NOW, behavior: 'exact', runs: 1, whatIf: [], ...options } as const;
  return withTime(forecast, fleet, { action: 'drain', question }, once);
}
