/** A VMI or a migration as `JSON.parse` gives it. */
export interface Decoded {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly vmiName?: string };
  readonly status: {
    readonly phase?: string;
    launcherContainerImageVersion?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly migrationState?: Readonly<Record<string, string>>;
    readonly migratedVolumes?: readonly { readonly volumeName: string }[];
    readonly volumeStatus?: readonly {
      readonly name: string;
      readonly persistentVolumeClaimInfo?: { readonly accessModes: readonly string[] };
    }[];
  };
}

/** How many VMIs a pass finds outdated, to migrate, to evict, to abort. */
export type PassCounts = Readonly<Record<'outdated' | 'migrate' | 'evict' | 'abort', number>>;

/**
 * The pass as one writes it without a thought of speed, over objects as decoded; right for generated fleets, which have
 * both update methods. What it takes measures the machine.
 */
export function naivePass(
  vmis: Iterable<Decoded>,
  migrations: readonly Decoded[],
  image: string,
  now: number,
): PassCounts {
  const unfinished = new Map<string, Decoded[]>();
  for (const migration of migrations.filter(isUnfinished)) {
    const key = `${migration.metadata.namespace}/${migration.spec.vmiName}`;
    unfinished.set(key, [...(unfinished.get(key) ?? []), migration]);
  }
  const counts = { outdated: 0, migrate: 0, evict: 0, abort: 0 };
  for (const vmi of vmis) {
    const { name, namespace, deletionTimestamp } = vmi.metadata;
    if (vmi.status.phase !== 'Running' || deletionTimestamp) continue;
    const action = actionFor(vmi, unfinished.get(`${namespace}/${name}`) ?? [], image, now);
    if (action === 'migrate' || action === 'evict' || action === 'wait') counts.outdated++;
    if (action === 'migrate' || action === 'evict' || action === 'abort') counts[action]++;
  }
  return counts;
}

function actionFor(vmi: Decoded, unfinished: readonly Decoded[], image: string, now: number) {
  const conditions = new Map((vmi.status.conditions ?? []).map((c) => [c.type, c.status]));
  const { launcherContainerImageVersion: own } = vmi.status;
  const state = vmi.status.migrationState ?? {};
  const startedAt = Date.parse(state.startTimestamp ?? '');
  const endedAt = Date.parse(state.endTimestamp ?? '');
  const isMigrating = startedAt <= now && !(endedAt <= now);
  const isOutdated = own !== undefined && own !== image;
  const isChanging = CHANGES.some((type) => conditions.get(type) === 'True');
  const isOwn = unfinished.some(
    (m) => 'kubevirt.io/workloadUpdateMigration' in (m.metadata.annotations ?? {}),
  );
  if (!isOutdated && isOwn && !isChanging && !state.targetNodeDomainReadyTimestamp) return 'abort';
  if (!isOutdated && (!isChanging || isMigrating)) return 'ignore';
  if (isMigrating || unfinished.length > 0) return 'wait';
  return conditions.get('LiveMigratable') === 'True' || movesVolumes(vmi) ? 'migrate' : 'evict';
}

const CHANGES = ['HotVCPUChange', 'HotMemoryChange', 'MigrationRequired', 'VolumesChange'];

function isUnfinished({ status }: Decoded): boolean {
  return status.phase !== 'Succeeded' && status.phase !== 'Failed';
}

/** Every volume is moved or shared. */
function movesVolumes({ status }: Decoded): boolean {
  const moved = (status.migratedVolumes ?? []).map(({ volumeName }) => volumeName);
  const stays = (status.volumeStatus ?? []).filter(
    ({ name, persistentVolumeClaimInfo: claim }) =>
      claim?.accessModes[0] === 'ReadWriteOnce' && !moved.includes(name),
  );
  return moved.length > 0 && stays.length === 0;
}
