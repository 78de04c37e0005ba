import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { objectAt } from '../kubevirt/json.ts';
import { describeLab } from '../lab/describe-lab.ts';
import type { Lab } from '../lab/lab.ts';
import { waitFor } from '../lab/wait.ts';
import {
  evictions,
  logged,
  migrations,
  NEW_IMAGE,
  type Replica,
  runOldVm,
  setStrategy,
  startControllerLab,
  startReplica,
} from './test-controller.ts';
import { get } from './test-webhook.ts';

describeLab('drover controller as a process', () => {
  let lab: Lab;
  let replicas: Replica[] = [];

  beforeAll(async () => {
    lab = await startControllerLab();
  }, 90_000);
  afterEach(() => {
    for (const { child } of replicas) child.kill('SIGKILL');
    replicas = [];
  });
  afterAll(() => lab?.stop());

  function start(kubeconfig: string, ...flags: readonly string[]): Replica {
    const replica = startReplica(kubeconfig, ...flags);
    replicas.push(replica);
    return replica;
  }

  const lease = async (name = 'drover-controller') =>
    (await get(lab, `/apis/coordination.k8s.io/v1/namespaces/default/leases/${name}`)) ?? {};
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
      lab.kubeconfig,
      '--launcher-image',
      NEW_IMAGE,
      '--journal',
      journal,
      '--diagnostics',
    );
    const { metricsPort } = await logged(replica, 'running');
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
});
