import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { describeLab, hasLabPart } from '../../lab/describe-lab.ts';
import { waitFor } from '../../lab/wait.ts';
import type { SimulationReport } from '../../rehearsal/report.ts';
import { DroverProcess, drover } from './test-process.ts';

const SCENARIO = `
title: a drain of three VMs
cluster:
  kubevirt: { methods: [LiveMigrate] }
  nodes: [n1, n2]
  vms:
    - { name: moves, node: n1, migratable: true, strategy: LiveMigrate }
    - { name: restarts, node: n1, migratable: true, strategy: None, graceSeconds: 5 }
    - { name: stays, node: n2, migratable: DisksNotLiveMigratable, strategy: LiveMigrate }
guests:
  - { bootSeconds: 0.5, shutdown: { kind: clean, seconds: 1 }, migration: { kind: takes, seconds: 1 } }
timeline:
  - at: 1s
    drain: { node: n1, timeout: 30s }
expect:
  outcomes: { moves: LiveMigrates, restarts: Restarts, stays: Untouched }
  nodes: { moves: n2, restarts: n2, stays: n2 }
  drains: { n1: succeeded }
  movesPerVm: 1
  says: ["Eviction triggered evacuation", "SuccessfulMigration"]
`;
/** CAPK sees marks when it looks next: at once for those from before. */
const WORKERS = `
title: workers of a guest cluster that carry a mark
cluster:
  nodes: [n1, n2]
  vms:
    - { name: w1, node: n1, migratable: true, strategy: External, marked: n1, graceSeconds: 5 }
    - { name: w2, node: n1, migratable: DisksNotLiveMigratable, strategy: External, marked: n1, graceSeconds: 5 }
  objects:
    - apiVersion: cluster.x-k8s.io/v1beta1
      kind: MachineSet
      metadata: { name: workers, uid: set-workers }
      spec: { replicas: 1, clusterName: tenant }
    - apiVersion: cluster.x-k8s.io/v1beta1
      kind: Machine
      metadata: { name: m2, labels: { group: workers }, ownerReferences: [{ apiVersion: cluster.x-k8s.io/v1beta1, kind: MachineSet, name: workers, uid: set-workers, controller: true }] }
      spec: { clusterName: tenant, infrastructureRef: { kind: KubevirtMachine, name: w2 } }
      status: { phase: Running, nodeRef: { name: w2 } }
    - { apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1, kind: KubevirtMachine, metadata: { name: w1 }, status: { ready: true } }
    - { apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1, kind: KubevirtMachine, metadata: { name: w2 }, status: { ready: true } }
    - apiVersion: cluster.x-k8s.io/v1beta1
      kind: MachineHealthCheck
      metadata: { name: workers }
      spec: { clusterName: tenant, selector: { matchLabels: { group: workers } } }
settings: { external: capk-backport, boot: 0.5s, migration: 1s }
expect:
  outcomes: { w1: LiveMigrates, w2: StaysOff }
`;
/** Of two VMs the second has its turn when nothing has happened for long. */
const LATE = `
title: late batches, and controllers that are killed twice at a time
cluster:
  kubevirt: { methods: [LiveMigrate, Evict], batchEvictionSize: 1, batchEvictionInterval: 20s }
  nodes: [n1, n2]
  vms:
    - { name: a, node: n1, migratable: DisksNotLiveMigratable, strategy: LiveMigrateIfPossible, graceSeconds: 5 }
    - { name: b, node: n1, migratable: DisksNotLiveMigratable, strategy: LiveMigrateIfPossible, graceSeconds: 5 }
guests:
  - { bootSeconds: 0.5, shutdown: { kind: clean, seconds: 1 } }
timeline:
  - { at: 1s, killController: { for: 10s } }
  - { at: 2s, killController: { for: 3s } }
  - { at: 3s, launcherImage: L2 }
`;
/** The drains never come to their end, and nobody sees the deed of the end. */
const LONG = `
title: two drains at once, of VMs that refuse
cluster:
  nodes: [n1, n2]
  vms:
    - { name: a, node: n1, migratable: DisksNotLiveMigratable, strategy: LiveMigrate }
    - { name: b, node: n2, migratable: DisksNotLiveMigratable, strategy: LiveMigrate }
timeline:
  - { at: 0s, drain: { node: n1 } }
  - { at: 0s, drain: { node: n2 } }
  - { at: 1h, cordon: n1 }
`;
const whole = hasLabPart('kube-scheduler') && hasLabPart('kube-controller-manager');

describeLab('drover lab run', () => {
  const folder = mkdtempSync('/tmp/drover-run-test-');
  afterAll(() => rmSync(folder, { recursive: true }));

  it.skipIf(!whole)(
    'starts who acts on marks: CAPK migrates one VM, and has the Machine of another replaced',
    async () => {
      const file = join(folder, 'workers.yaml');
      writeFileSync(file, WORKERS);
      const env = { TMPDIR: folder, KUBEBUILDER_ASSETS: inject('labAssets') };
      const simulated = await drover(['simulate', file, '-o', 'json']);
      const played = await drover(['lab', 'run', file, '--quiet', '25s', '-o', 'json'], env);
      const ends = ({ out }: { readonly out: string }) => {
        const { failures, firstRun } = (JSON.parse(out) as SimulationReport).status;
        const vms = firstRun.vms.filter(({ name }) => /w[12]$/.test(name));
        return { failures, vms: vms.map(({ name, outcome }) => [name, outcome]) };
      };
      expect(played.err).not.toContain('warning:');
      expect(ends(simulated).failures).toEqual([]);
      expect(ends(played)).toEqual(ends(simulated));
    },
    150_000,
  );

  it.skipIf(!whole)(
    'waits for late batches, and starts controllers that were killed twice when the last kill is over',
    async () => {
      const file = join(folder, 'late.yaml');
      writeFileSync(file, LATE);
      const env = { TMPDIR: folder, KUBEBUILDER_ASSETS: inject('labAssets') };
      const played = await drover(['lab', 'run', file, '--quiet', '4s', '-o', 'json'], env);
      const { isCutShort, vms } = (JSON.parse(played.out) as SimulationReport).status.firstRun;
      expect(isCutShort).toBe(false);
      expect(vms.map(({ outcome }) => outcome)).toEqual(['Restarts', 'Restarts']);
      expect(Math.min(...vms.flatMap(({ startSeconds }) => startSeconds ?? 0))).toBeGreaterThan(11);
    },
    120_000,
  );

  it.skipIf(!whole)(
    'ends at once when it is asked to, whatever it would still do',
    async () => {
      const file = join(folder, 'long.yaml');
      writeFileSync(file, LONG);
      const env = { TMPDIR: folder, KUBEBUILDER_ASSETS: inject('labAssets') };
      const run = new DroverProcess(['lab', 'run', file, '-o', 'json'], env);
      await waitFor(() => run.err.includes('the lab runs'), { what: 'the lab', seconds: 60 });
      // A while into the run, so that both drains have been refused.
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      run.child.kill('SIGINT');
      const asked = Date.now();
      const { out } = await run.ended;
      expect(Date.now() - asked).toBeLessThan(20_000);
      const { isCutShort, vms } = (JSON.parse(out) as SimulationReport).status.firstRun;
      expect([isCutShort, vms.map(({ outcome }) => outcome)]).toEqual([true, ['Blocks', 'Blocks']]);
    },
    120_000,
  );

  it.skipIf(!whole)(
    'plays on a real API server what is played in virtual time, with the same end',
    async () => {
      const file = join(folder, 'scenario.yaml');
      writeFileSync(file, SCENARIO);
      const env = { TMPDIR: folder, KUBEBUILDER_ASSETS: inject('labAssets') };
      const simulated = await drover(['simulate', file, '-o', 'json']);
      const played = await drover(['lab', 'run', file, '--quiet', '5s', '-o', 'json'], env);
      expect(played.err).not.toContain('warning:');
      const ends = ({ out }: { readonly out: string }) => {
        const { failures, firstRun } = (JSON.parse(out) as SimulationReport).status;
        return { failures, vms: firstRun.vms.map(({ name, outcome, toNode }) => [name, outcome, toNode]) };
      };
      expect(ends(played)).toEqual(ends(simulated));
      expect([played.code, ends(played).failures]).toEqual([0, []]);
      expect(
        readdirSync(folder).filter((name) => !name.endsWith('.yaml') && !name.startsWith('tsx-')),
      ).toEqual([]);
    },
  );
});
