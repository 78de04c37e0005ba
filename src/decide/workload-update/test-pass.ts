/** Clusters with VMIs that are outdated. */
import { aKubeVirt, aVmi } from '../../kubevirt/builders.ts';
import type { KubeVirt, Migration, Pod, Vmi } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import type { Behavior } from '../rules.ts';
import { resolveSettings } from '../settings.ts';
import { NO_BATCH } from './batch.ts';
import { type PassInput, planPass } from './pass.ts';
import { surveyVmis } from './survey.ts';

export const NOW = parseInstant('2026-03-01T12:00:00Z') ?? 0;

interface Cluster {
  readonly kubevirt?: KubeVirt;
  readonly vmis?: readonly Vmi[];
  readonly migrations?: readonly Migration[];
  readonly pods?: readonly Pod[];
  readonly behavior?: Behavior;
}

export const plan = (cluster: Cluster, change: Partial<PassInput> = {}) => {
  const { vmis = [], migrations = [], pods = [], behavior = 'exact' } = cluster;
  const kubevirt = cluster.kubevirt ?? aKubeVirt().methods('LiveMigrate', 'Evict').build();
  const settings = resolveSettings(kubevirt);
  const methods = settings.workloadUpdateMethods;
  return planPass({
    kubevirt,
    settings,
    survey: surveyVmis({ vmis, migrations, launcherImage: 'v2', methods, now: NOW, behavior }),
    podsOf: () => pods,
    state: { batch: NO_BATCH },
    shuffle: (list) => list,
    now: NOW,
    behavior,
    ...change,
  });
};

export const told = ({ commands }: ReturnType<typeof plan>) =>
  commands.map(({ kind, vmi }) => `${kind} ${vmi.metadata.name}`);

export const stale = (name: string) => aVmi(name).on('n1').launcher('v1');
export const migratable = (...names: string[]) => names.map((name) => stale(name).migratable().build());
export const stuck = (...names: string[]) => names.map((name) => stale(name).build());
