import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { objectAt } from '../kubevirt/json.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { describeLab } from '../lab/describe-lab.ts';
import type { Lab } from '../lab/lab.ts';
import { deniedTo, grantShipped, type Overlay } from '../lab/test-shipped.ts';
import { waitFor } from '../lab/wait.ts';
import {
  clear,
  evictions,
  logged,
  migrations,
  NEW_IMAGE,
  type Replica,
  runOldVm,
  runVirtController,
  setStrategy,
  startControllerLab,
  startReplica,
} from './test-controller.ts';
import { get, patch, put } from './test-webhook.ts';

describeLab('drover controller as a process', () => {
  let lab: Lab;
  let replicas: Replica[] = [];
  /** Migrations that the tests before have seen. */
  let seen = 0;

  beforeAll(async () => {
    lab = await startControllerLab();
  }, 90_000);
  afterEach(async () => {
    for (const { child } of replicas) child.kill('SIGKILL');
    replicas = [];
    await clear(lab);
    seen = migrations(lab).length;
  });
  afterAll(() => lab?.stop());

  const ACCOUNT = 'drover-system/drover-controller';
  /** The kubeconfig of the account that is shipped, with the rights that are. */
  const shipped = async (overlay: Overlay) => lab.kubeconfigForAccount(await grantShipped(lab, overlay));

  function start(kubeconfig: string, ...flags: readonly string[]): Replica {
    const replica = startReplica(kubeconfig, ...flags);
    replicas.push(replica);
    return replica;
  }

  /** VMIs that got a migration in this test. */
  const movesOf = (lab: Lab) =>
    migrations(lab)
      .slice(seen)
      .map(({ vmi }) => vmi)
      .sort();
  const lease = async (name = 'drover-controller') =>
    (await get(lab, `/apis/coordination.k8s.io/v1/namespaces/drover-system/leases/${name}`)) ?? {};
  const counted = async (): Promise<unknown> => {
    const kubevirt = await get(lab, '/apis/kubevirt.io/v1/namespaces/default/kubevirts/kubevirt');
    return objectAt(kubevirt ?? {}, 'status').outdatedVirtualMachineInstanceWorkloads;
  };

  it('leads, moves VMs by the CR, says how it is, and lets go when asked to end', async () => {
    await setStrategy(lab, { methods: ['LiveMigrate', 'Evict'] });
    await runOldVm(lab, 'moves', true);
    await runOldVm(lab, 'restarts', false);
    const journal = join(lab.folder, 'journal.jsonl');
    const replica = start(
      await shipped('controller-by-cr'),
      '--launcher-image',
      NEW_IMAGE,
      '--journal',
      journal,
      '--diagnostics',
    );
    const { metricsPort } = await logged(replica, 'listening');
    await logged(replica, 'running');
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}${path}`);
      return { status: answer.status, text: await answer.text() };
    };
    await waitFor(() => migrations(lab).length === 1 && evictions(lab).length === 1, { what: 'both moves' });
    expect(migrations(lab)).toMatchObject([
      { vmi: 'moves', name: expect.stringMatching(/^kubevirt-workload-update-/) },
    ]);
    expect(evictions(lab)).toMatchObject([{ name: 'virt-launcher-restarts' }]);
    await logged(replica, 'created', { kind: 'VirtualMachineInstanceMigration' });
    await logged(replica, 'evicted', { object: 'default/virt-launcher-restarts' });
    await waitFor(async () => (await counted()) === 2, { what: 'the count' });

    expect(await ask('/healthz')).toEqual({ status: 200, text: 'ok' });
    expect(await ask('/readyz')).toEqual({ status: 200, text: 'ok' });
    const { text } = await ask('/metrics');
    expect(text).toMatch(/^drover_leader\{name="drover-controller"\} 1$/m);
    expect(text).toMatch(/^kubevirt_vmi_number_of_outdated 2$/m);
    expect(text).toMatch(
      /^drover_actions_total\{controller="workload-update",action="evict",reason="\w+"\} 1$/m,
    );
    expect((await ask('/debug/memory')).status).toBe(200);

    replica.child.kill('SIGTERM');
    expect(await replica.ended).toBe(0);
    expect(replica.words).toEqual([]);
    const { metadata, spec } = (await lease()) as { metadata: { annotations: object }; spec: object };
    expect(spec).toMatchObject({ holderIdentity: '' });
    expect(metadata.annotations).toHaveProperty('drover.dev/eviction-batch');
    const entries = readFileSync(journal, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const entry of entries)
      expect(entry).toMatchObject({
        at: expect.any(String),
        reason: expect.any(String),
        evidence: expect.any(Array),
      });
    expect(entries).toContainEqual(
      expect.objectContaining({
        controller: 'workload-update',
        object: 'VirtualMachineInstance default/restarts',
        decision: 'category',
        reason: 'MethodEvict',
      }),
    );
  });

  const OWN = 'workloadUpdateMethods: [LiveMigrate]\n';
  const strategyFile = (text: string): string => {
    const file = join(lab.folder, 'strategy.yaml');
    writeFileSync(file, text);
    return file;
  };
  const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

  it('beside empty methods goes by its own strategy, as it changes, with the rights that are shipped for that', async () => {
    await setStrategy(lab, { methods: [] });
    const kubeconfig = await shipped('controller');
    const file = strategyFile(OWN);
    await runOldVm(lab, 'moves', true);
    await runOldVm(lab, 'restarts', false);
    await runOldVm(lab, 'grows', true, 'default', growing);
    const replica = start(kubeconfig, '--launcher-image', NEW_IMAGE, '--strategy-from-file', file);
    await waitFor(() => movesOf(lab).length === 2, { what: 'the migrations', seconds: 40 });
    expect(movesOf(lab)).toEqual(['grows', 'moves']);
    for (const { body } of migrations(lab)) expect(body).not.toHaveProperty('spec.priority');
    expect(await logged(replica, 'running')).toMatchObject({
      account: 'system:serviceaccount:drover-system:drover-controller',
      controllers: ['workload-update'],
    });
    writeFileSync(file, 'workloadUpdateMethods: [Evikt]');
    await logged(replica, 'the new strategy cannot be read, the old one stays in force');
    const evicted = evictions(lab).length;
    writeFileSync(file, 'workloadUpdateMethods: [LiveMigrate, Evict]');
    await logged(replica, 'the strategy has changed');
    await waitFor(() => evictions(lab).length === evicted + 1, { what: 'the eviction' });
    expect(await counted()).toBeUndefined();
    await waitFor(async () => (await lab.kubectl(['get', 'events'])).stdout.includes('Created Migration'), {
      what: 'the events',
    });

    await setStrategy(lab, { methods: ['LiveMigrate'] });
    await logged(replica, 'a pass broke off and is tried again', { code: 'TwoUpdaters' });
    await runOldVm(lab, 'waits', true);
    await pause(7);
    expect(movesOf(lab)).toEqual(['grows', 'moves']);
    await setStrategy(lab, { methods: [] });
    await waitFor(() => movesOf(lab).includes('waits'), { what: 'it to act again', seconds: 40 });
    expect(deniedTo(lab, ACCOUNT)).toEqual([]);
  }, 120_000);

  it('goes by a ConfigMap too, and needs no lead where it is the only one', async () => {
    await setStrategy(lab, { methods: [] });
    const configMap = {
      kind: 'ConfigMap',
      metadata: { name: 'drover-strategy' },
      data: { 'strategy.yaml': OWN },
    };
    await put(lab, '/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', ...configMap });
    // What is shipped reads it as a file.
    const may = ['--verb=get', '--resource=configmaps', '--resource-name=drover-strategy'];
    await lab.kubectl(['create', 'role', 'strategy', ...may]);
    const subject = `--serviceaccount=${ACCOUNT.replace('/', ':')}`;
    await lab.kubectl(['create', 'rolebinding', 'strategy', '--role=strategy', subject]);
    await runOldVm(lab, 'moves', true);
    await runOldVm(lab, 'restarts', false);
    const flags = ['--strategy-from-configmap', 'default/drover-strategy', '--no-leader-elect'];
    const replica = start(await shipped('controller'), '--launcher-image', NEW_IMAGE, ...flags);
    await waitFor(() => movesOf(lab).length === 1, { what: 'the migration', seconds: 40 });
    await patch(lab, '/api/v1/namespaces/default/configmaps/drover-strategy', {
      data: { 'strategy.yaml': 'workloadUpdateMethods: [Evict]' },
    });
    await logged(replica, 'evicted', { object: 'default/virt-launcher-restarts' });
    const { metadata, spec } = (await lease()) as { metadata: { annotations: object }; spec: object };
    expect(metadata.annotations).toHaveProperty('drover.dev/eviction-batch');
    expect(spec).not.toHaveProperty('holderIdentity');
    expect(deniedTo(lab, ACCOUNT)).toEqual([]);
  });

  it.each([
    ['and Drover has a strategy too', true],
    ['and the virt-controller that runs goes by it already', false],
  ])('refuses to be the second driver: %s', async (why, hasOwn) => {
    await setStrategy(lab, { methods: ['Evict'] });
    await runVirtController(lab);
    await runOldVm(lab, 'restarts', false);
    const before = evictions(lab).length;
    const replica = start(lab.kubeconfig, ...(hasOwn ? ['--strategy-from-file', strategyFile(OWN)] : []));
    expect(await replica.ended).toBe(2);
    expect(replica.words).toEqual([
      `error: spec.workloadUpdateStrategy.workloadUpdateMethods of KubeVirt default/kubevirt is Evict, ${why} (TwoUpdaters)`,
      expect.stringMatching(/^ {2}to do: Empty /),
    ]);
    expect(evictions(lab)).toHaveLength(before);
    expect(await lease()).toEqual({});
  });

  it('refuses a strategy that is none', async () => {
    const replica = start(lab.kubeconfig, '--strategy-from-file', strategyFile('methods: []'));
    expect(await replica.ended).toBe(2);
    expect(replica.words[0]).toContain('strategy.yaml: it: Unrecognized key: "methods" (StrategyUnreadable)');
  });

  it('on a dry run says what it would do, and changes nothing', async () => {
    await setStrategy(lab, { methods: ['LiveMigrate', 'Evict'] });
    await runVirtController(lab, 0);
    await runOldVm(lab, 'moves', true);
    await runOldVm(lab, 'restarts', false);
    const before = [migrations(lab).length, evictions(lab).length];
    const replica = start(lab.kubeconfig, '--dry-run');
    await logged(replica, 'would have created', { kind: 'VirtualMachineInstanceMigration', dryRun: true });
    await logged(replica, 'would have evicted', { object: 'default/virt-launcher-restarts' });
    expect([migrations(lab).length, evictions(lab).length]).toEqual(before);
    expect([await lease(), await counted()]).toEqual([{}, undefined]);
    expect(replica.told.map(({ decision, reason }) => `${decision} ${reason}`)).toEqual(
      expect.arrayContaining(['gate GateOpen', 'category LiveMigratable', 'migrate MigrationCreated']),
    );
    replica.child.kill('SIGINT');
    expect(await replica.ended).toBe(0);
  });

  it('is not ready without what it must know, and ends all the same when asked to', async () => {
    const account = await lab.kubeconfigForAccount('default/nobody');
    const replica = start(account, '--launcher-image', NEW_IMAGE);
    const { metricsPort: port } = await logged(replica, 'listening');
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        (answer) => answer.text(),
        () => '',
      );
    await waitFor(async () => (await ready()).includes('cannot list resource "nodes"'), {
      what: 'it to say what it misses',
      seconds: 40,
    });
    expect(await ready()).toContain('Node is not known, or stale: nodes is forbidden: User');
    replica.child.kill('SIGTERM');
    expect(await replica.ended).toBe(0);
    expect(replica.words).toEqual([]);
  });
});

/** A VMI with a current launcher that got more CPUs. */
function growing(vmi: Vmi): Vmi {
  const conditions = [...(vmi.status?.conditions ?? []), { type: 'HotVCPUChange', status: 'True' }];
  return { ...vmi, status: { ...vmi.status, launcherContainerImageVersion: NEW_IMAGE, conditions } };
}
