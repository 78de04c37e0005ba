import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeLab } from '../../lab/describe-lab.ts';
import { waitFor } from '../../lab/wait.ts';
import {
  evictions,
  logged,
  migrations,
  NEW_IMAGE,
  runOldVm,
  runVirtController,
  setStrategy,
} from './test-controller.ts';
import { controllerProcesses } from './test-controller-processes.ts';

describeLab('drover controller as a process', () => {
  const at = controllerProcesses();
  const { counted, lease, shipped, start } = at;

  it('leads, moves VMs by the CR, says how it is, and lets go when asked to end', async () => {
    await setStrategy(at.lab, { methods: ['LiveMigrate', 'Evict'] });
    await runOldVm(at.lab, 'moves', true);
    await runOldVm(at.lab, 'restarts', false);
    const journal = join(at.lab.folder, 'journal.jsonl');
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
    await waitFor(() => migrations(at.lab).length === 1 && evictions(at.lab).length === 1, {
      what: 'both moves',
    });
    expect(migrations(at.lab)).toMatchObject([
      { vmi: 'moves', name: expect.stringMatching(/^kubevirt-workload-update-/) },
    ]);
    expect(evictions(at.lab)).toMatchObject([{ name: 'virt-launcher-restarts' }]);
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

  it('on a dry run says what it would do, and changes nothing', async () => {
    await setStrategy(at.lab, { methods: ['LiveMigrate', 'Evict'] });
    await runVirtController(at.lab, 0);
    await runOldVm(at.lab, 'moves', true);
    await runOldVm(at.lab, 'restarts', false);
    const before = [migrations(at.lab).length, evictions(at.lab).length];
    const replica = start(at.lab.kubeconfig, '--dry-run');
    await logged(replica, 'would have created', { kind: 'VirtualMachineInstanceMigration', dryRun: true });
    await logged(replica, 'would have evicted', { object: 'default/virt-launcher-restarts' });
    expect([migrations(at.lab).length, evictions(at.lab).length]).toEqual(before);
    expect([await lease(), await counted()]).toEqual([{}, undefined]);
    expect(replica.told.map(({ decision, reason }) => `${decision} ${reason}`)).toEqual(
      expect.arrayContaining(['gate GateOpen', 'category LiveMigratable', 'migrate MigrationCreated']),
    );
    replica.child.kill('SIGINT');
    expect(await replica.ended).toBe(0);
  });

  it('is not ready without what it must know, and ends all the same when asked to', async () => {
    const account = await at.lab.kubeconfigForAccount('default/nobody');
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
