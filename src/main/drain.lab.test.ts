import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeLab } from '../lab/describe-lab.ts';
import type { ProgramResult } from '../lab/run-program.ts';
import { deniedTo, grantShipped } from '../lab/test-shipped.ts';
import { waitFor } from '../lab/wait.ts';
import { logged, type Replica, startReplica } from './controller/test-controller.ts';
import { deedsIn, evictedWhileMigrated, overlappingMigrations } from './test-invariants.ts';
import { aVmManifest, type KubeVirtLab, runVms, startKubeVirtLab, vmiOf } from './test-kubevirt-lab.ts';

/** The recording of the same ten VMs, drained by kubectl under the real KubeVirt. */
const RECORDED = new URL('../../testdata/histories/drain-matrix/', import.meta.url);
/** Long enough for two refusals and a third try. */
const TIMEOUT_SECONDS = 13;
const DRAIN = ['--ignore-daemonsets', '--delete-emptydir-data'];
/** As the recording names them: strategy, and whether the guest can move. */
const VMS = [undefined, 'None', 'LiveMigrate', 'LiveMigrateIfPossible', 'External'].flatMap((strategy) => {
  const name = (strategy ?? 'unset').toLowerCase();
  return [
    // As in the recording, they move for longer than kubectl waits before it asks again.
    [`${name}-mig-always`, { strategy, annotations: { 'lab/migration': 'ok:5.5' } }],
    [`${name}-fix-always`, { strategy, unmigratable: 'DisksNotLiveMigratable' }],
  ] as const;
});
const NAMES: readonly string[] = VMS.map(([name]) => name).sort();
const STUCK = ['external-fix-always', 'external-mig-always', 'livemigrate-fix-always'];

/** Every line that kubectl says, once, whatever it calls pods, namespace and time-out, and in whatever order it lists errors. */
function linesOf(text: string, namespace: string, timeout: string): string[] {
  const lines = text
    .split('\n')
    .filter((line) => line !== '' && !/throttling|^(\$|---)/.test(line))
    .map((line) =>
      line
        .replace(/(virt-launcher-[a-z-]+-always)-[a-z0-9]{5}\b/g, '$1')
        .replaceAll(`"${namespace}"`, 'NAMESPACE')
        .replaceAll(`${namespace}/`, 'NAMESPACE/')
        .replaceAll(timeout, 'TIMEOUT')
        .replace(/\[(error .*)\]/, (_, errors: string) => errors.split(', ').sort().join(', ')),
    );
  return [...new Set(lines)].sort();
}

describeLab('kubectl drain', () => {
  let cluster: KubeVirtLab;
  let replica: Replica;

  beforeAll(async () => {
    cluster = await startKubeVirtLab({ nodes: [{ name: 'n1' }, { name: 'n2' }] });
    const { lab } = cluster;
    const kubeconfig = await lab.kubeconfigForAccount(await grantShipped(lab, 'controller-by-cr'));
    replica = startReplica(kubeconfig, '--controllers', 'evacuation');
    await logged(replica, 'leading');
    await lab.kubectl(['cordon', 'n2']);
    await runVms(
      cluster,
      VMS.map(([name, draft]) => aVmManifest(name, draft)),
    );
    await lab.kubectl(['uncordon', 'n2']);
  }, 150_000);
  afterAll(async () => {
    replica?.child.kill('SIGKILL');
    await cluster?.stop();
  });

  const drain = (...flags: readonly string[]): Promise<ProgramResult> =>
    cluster.lab.kubectl(['drain', 'n1', ...DRAIN, ...flags]);
  const uidOf = (name: string) => vmiOf(cluster.standIn, name)?.metadata.uid;
  const nodeOf = (name: string) => vmiOf(cluster.standIn, name)?.status?.nodeName;
  const isRunning = (name: string) => vmiOf(cluster.standIn, name)?.status?.phase === 'Running';

  it('says, does and ends as it was recorded', async () => {
    expect(NAMES.map(nodeOf)).toEqual(NAMES.map(() => 'n1'));
    const uids = new Map(NAMES.map((name) => [name, uidOf(name)]));
    const startedAt = Date.now();
    const { code, stdout, stderr } = await drain(`--timeout=${TIMEOUT_SECONDS}s`);
    expect(code).toBe(1);
    expect(Date.now() - startedAt).toBeGreaterThan((TIMEOUT_SECONDS - 1) * 1000);
    const recorded = readFileSync(new URL('drain-n1.txt', RECORDED), 'utf8');
    expect(linesOf(`${stdout}\n${stderr}`, 'default', `${TIMEOUT_SECONDS}s`)).toEqual(
      linesOf(recorded, 'drain-matrix', '1m0s'),
    );

    await waitFor(() => NAMES.every(isRunning), { what: 'all VMs to run' });
    const happenedTo = (name: string): string => {
      if (uidOf(name) !== uids.get(name)) return 'Restarted';
      return nodeOf(name) === 'n1' ? 'StayedWhereItWas' : 'LiveMigrated';
    };
    const outcomes = JSON.parse(readFileSync(new URL('outcomes.json', RECORDED), 'utf8')).vms;
    expect(NAMES.map((name) => [name, happenedTo(name)])).toEqual(
      NAMES.map((name) => [name, outcomes[name].happened]),
    );
    const marked = NAMES.filter((name) => vmiOf(cluster.standIn, name)?.status?.evacuationNodeName === 'n1');
    expect(marked).toEqual(['external-fix-always', 'external-mig-always']);
    const deeds = deedsIn(cluster.lab);
    expect(deeds.migrations.map(({ vmi }) => vmi).sort()).toEqual([
      'default/livemigrate-mig-always',
      'default/livemigrateifpossible-mig-always',
    ]);
    expect(overlappingMigrations(deeds)).toEqual([]);
    expect(evictedWhileMigrated(deeds).filter((vmi) => !/livemigrate.*-mig/.test(vmi))).toEqual([]);
    expect(deniedTo(cluster.lab, 'drover-system/drover-controller')).toEqual([]);
  }, 90_000);

  it('on a server-side dry run is refused likewise, and changes nothing', async () => {
    const versions = () => STUCK.map((name) => vmiOf(cluster.standIn, name)?.metadata.resourceVersion);
    const before = versions();
    const { code, stdout } = await drain('--dry-run=server', '--timeout=2s');
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('(server dry run)') });
    expect(versions()).toEqual(before);
  });

  it('ends where pods are deleted instead, whatever the strategy', async () => {
    const uids = new Map(STUCK.map((name) => [name, uidOf(name)]));
    const { code, stdout } = await drain('--disable-eviction');
    expect({ code, end: stdout.trim().split('\n').at(-1) }).toEqual({ code: 0, end: 'node/n1 drained' });
    await waitFor(() => STUCK.every((name) => isRunning(name) && uidOf(name) !== uids.get(name)), {
      what: 'the VMs to run again',
    });
    expect(NAMES.map(nodeOf)).toEqual(NAMES.map(() => 'n2'));
  });
});
