import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../lab/describe-lab.ts';
import { deniedTo, grantShipped } from '../lab/test-shipped.ts';
import { logged, type Replica, startController } from './controller/test-controller.ts';
import {
  batches,
  deedsIn,
  evictedWhileMigrated,
  fullestBatch,
  gateChanges,
  overlappingMigrations,
} from './test-invariants.ts';
import {
  aVmManifest,
  type KubeVirtLab,
  NEW_IMAGE,
  patchKubeVirtStatus,
  runVms,
  startKubeVirtLab,
  untilAllCurrent,
  vmiOf,
} from './test-kubevirt-lab.ts';

/**
 * With so few places that VMs wait for each other, and so many that any four nodes can hold all of them: else the last outdated VM may
 * be on the one node with room left, and can never move.
 */
const PLACES = 8;
const NODES = ['n1', 'n2', 'n3', 'n4', 'n5'].map((name) => ({ name, pods: String(PLACES) }));
const SIZE = 3;
const INTERVAL_SECONDS = 5;
const RWO = 'DisksNotLiveMigratable';

/** Thirty VMs; what is left to KubeVirt's own default has no strategy. */
const MOVING = [
  ...many(8, (i) => [`migrate-${i}`, { strategy: 'LiveMigrate' }]),
  ...many(4, (i) => [`if-possible-${i}`, { strategy: 'LiveMigrateIfPossible' }]),
  ...many(4, (i) => [`none-${i}`, { strategy: 'None' }]),
  ...many(3, (i) => [`external-${i}`, { strategy: 'External' }]),
  ...many(3, (i) => [`unset-${i}`, {}]),
];
const RESTARTING = [
  ...many(4, (i) => [`stuck-if-possible-${i}`, { strategy: 'LiveMigrateIfPossible', unmigratable: RWO }]),
  ...many(2, (i) => [`stuck-none-${i}`, { strategy: 'None', unmigratable: RWO }]),
  ...many(2, (i) => [`stuck-unset-${i}`, { unmigratable: RWO }]),
];

type Named = readonly [string, Parameters<typeof aVmManifest>[1]];
function many(count: number, make: (index: number) => Named): Named[] {
  return Array.from({ length: count }, (_, i) => make(i));
}
const names = (vms: readonly Named[]): string[] => vms.map(([name]) => name).sort();
const keys = (vms: readonly Named[]): string[] => names(vms).map((name) => `default/${name}`);

describeLab('an upgrade on a real control plane', () => {
  let cluster: KubeVirtLab;
  let replica: Replica;

  beforeAll(async () => {
    cluster = await startKubeVirtLab({
      nodes: NODES,
      ...{ methods: ['LiveMigrate', 'Evict'], batchSize: SIZE, batchInterval: `${INTERVAL_SECONDS}s` },
    });
  }, 120_000);
  afterEach(() => {
    replica?.child.kill('SIGKILL');
  });
  afterAll(() => cluster?.stop());

  it('brings thirty VMs on five nodes to the new launcher, and nothing that must not happen does', async () => {
    const { lab, standIn } = cluster;
    const vms = [...MOVING, ...RESTARTING];
    await runVms(
      cluster,
      vms.map(([name, draft]) => aVmManifest(name, draft)),
    );
    expect(vms.length).toBeLessThanOrEqual((NODES.length - 1) * PLACES);
    const used = new Set(names(vms).map((name) => vmiOf(standIn, name)?.status?.nodeName));
    expect(used.size).toBeGreaterThanOrEqual(Math.ceil(vms.length / PLACES));
    const uids = new Map(names(vms).map((name) => [name, vmiOf(standIn, name)?.metadata.uid]));

    await patchKubeVirtStatus(lab, { targetDeploymentID: 'next' });
    cluster.setImage(NEW_IMAGE);
    const kubeconfig = await lab.kubeconfigForAccount(await grantShipped(lab, 'controller-by-cr'));
    // With the usual times of its lease: with shorter ones a slow machine keeps it from leading for long enough to act.
    replica = startController(kubeconfig, ['--launcher-image', NEW_IMAGE]);
    await logged(replica, 'leading');
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await patchKubeVirtStatus(lab, { observedDeploymentID: 'next' });
    await untilAllCurrent(standIn, names(vms), { seconds: 120 });

    const deeds = deedsIn(lab);
    const [, opened] = gateChanges(lab);
    for (const { at, user } of [...deeds.migrations, ...deeds.evictions, ...deeds.refusals]) {
      expect(user).toBe('system:serviceaccount:drover-system:drover-controller');
      expect(at).toBeGreaterThan(opened?.at ?? Number.POSITIVE_INFINITY);
    }
    expect(deeds.migrations.map(({ vmi }) => vmi).sort()).toEqual(keys(MOVING));
    expect(deeds.evictions.map(({ vmi }) => vmi).sort()).toEqual(keys(RESTARTING));
    expect(deeds.refusals).toEqual([]);
    expect(overlappingMigrations(deeds)).toEqual([]);
    expect(evictedWhileMigrated(deeds)).toEqual([]);
    expect(fullestBatch(deeds.evictions, INTERVAL_SECONDS)).toBe(SIZE);
    const isSame = (name: string) => vmiOf(standIn, name)?.metadata.uid === uids.get(name);
    expect(names(vms).filter(isSame)).toEqual(names(MOVING));
    expect(deniedTo(lab, 'drover-system/drover-controller')).toEqual([]);
    expect(replica.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(batches(deeds.evictions, INTERVAL_SECONDS)).toBe(Math.ceil(RESTARTING.length / SIZE));
  }, 180_000);
});
