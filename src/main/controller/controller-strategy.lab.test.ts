import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Vmi } from '../../kubevirt/objects.ts';
import { describeLab } from '../../lab/describe-lab.ts';
import { deniedTo } from '../../lab/test-shipped.ts';
import { waitFor } from '../../lab/wait.ts';
import { patch, put } from '../webhook/test-webhook.ts';
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

describeLab('drover controller with a strategy of its own', () => {
  const at = controllerProcesses();
  const { counted, lease, moves, shipped, start } = at;

  const ACCOUNT = 'drover-system/drover-controller';
  const OWN = 'workloadUpdateMethods: [LiveMigrate]\n';
  const strategyFile = (text: string): string => {
    const file = join(at.lab.folder, 'strategy.yaml');
    writeFileSync(file, text);
    return file;
  };
  const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

  it('beside empty methods goes by its own strategy, as it changes, with the rights that are shipped for that', async () => {
    await setStrategy(at.lab, { methods: [] });
    const kubeconfig = await shipped('controller');
    const file = strategyFile(OWN);
    await runOldVm(at.lab, 'moves', true);
    await runOldVm(at.lab, 'restarts', false);
    await runOldVm(at.lab, 'grows', true, 'default', growing);
    const replica = start(kubeconfig, '--launcher-image', NEW_IMAGE, '--strategy-from-file', file);
    await waitFor(() => moves().length === 2, { what: 'the migrations', seconds: 40 });
    expect(moves()).toEqual(['grows', 'moves']);
    for (const { body } of migrations(at.lab)) expect(body).not.toHaveProperty('spec.priority');
    expect(await logged(replica, 'running')).toMatchObject({
      account: 'system:serviceaccount:drover-system:drover-controller',
      controllers: ['workload-update'],
    });
    writeFileSync(file, 'workloadUpdateMethods: [Evikt]');
    await logged(replica, 'the new strategy cannot be read, the old one stays in force');
    const evicted = evictions(at.lab).length;
    writeFileSync(file, 'workloadUpdateMethods: [LiveMigrate, Evict]');
    await logged(replica, 'the strategy has changed');
    await waitFor(() => evictions(at.lab).length === evicted + 1, { what: 'the eviction' });
    expect(await counted()).toBeUndefined();
    await waitFor(
      async () => (await at.lab.kubectl(['get', 'events'])).stdout.includes('Created Migration'),
      {
        what: 'the events',
      },
    );

    await setStrategy(at.lab, { methods: ['LiveMigrate'] });
    await logged(replica, 'a pass broke off and is tried again', { code: 'TwoUpdaters' });
    await runOldVm(at.lab, 'waits', true);
    await pause(7);
    expect(moves()).toEqual(['grows', 'moves']);
    await setStrategy(at.lab, { methods: [] });
    await waitFor(() => moves().includes('waits'), { what: 'it to act again', seconds: 40 });
    expect(deniedTo(at.lab, ACCOUNT)).toEqual([]);
  }, 120_000);

  it('goes by a ConfigMap too, and needs no lead where it is the only one', async () => {
    await setStrategy(at.lab, { methods: [] });
    const configMap = {
      kind: 'ConfigMap',
      metadata: { name: 'drover-strategy' },
      data: { 'strategy.yaml': OWN },
    };
    await put(at.lab, '/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', ...configMap });
    // What is shipped reads it as a file.
    const may = ['--verb=get', '--resource=configmaps', '--resource-name=drover-strategy'];
    await at.lab.kubectl(['create', 'role', 'strategy', ...may]);
    const subject = `--serviceaccount=${ACCOUNT.replace('/', ':')}`;
    await at.lab.kubectl(['create', 'rolebinding', 'strategy', '--role=strategy', subject]);
    await runOldVm(at.lab, 'moves', true);
    await runOldVm(at.lab, 'restarts', false);
    const flags = ['--strategy-from-configmap', 'default/drover-strategy', '--no-leader-elect'];
    const replica = start(await shipped('controller'), '--launcher-image', NEW_IMAGE, ...flags);
    await waitFor(() => moves().length === 1, { what: 'the migration', seconds: 40 });
    await patch(at.lab, '/api/v1/namespaces/default/configmaps/drover-strategy', {
      data: { 'strategy.yaml': 'workloadUpdateMethods: [Evict]' },
    });
    await logged(replica, 'evicted', { object: 'default/virt-launcher-restarts' });
    const { metadata, spec } = (await lease()) as { metadata: { annotations: object }; spec: object };
    expect(metadata.annotations).toHaveProperty('drover.dev/eviction-batch');
    expect(spec).not.toHaveProperty('holderIdentity');
    expect(deniedTo(at.lab, ACCOUNT)).toEqual([]);
  });

  it.each([
    ['and Drover has a strategy too', true],
    ['and the virt-controller that runs goes by it already', false],
  ])('refuses to be the second driver: %s', async (why, hasOwn) => {
    await setStrategy(at.lab, { methods: ['Evict'] });
    await runVirtController(at.lab);
    await runOldVm(at.lab, 'restarts', false);
    const before = evictions(at.lab).length;
    const replica = start(at.lab.kubeconfig, ...(hasOwn ? ['--strategy-from-file', strategyFile(OWN)] : []));
    expect(await replica.ended).toBe(2);
    expect(replica.words).toEqual([
      `error: spec.workloadUpdateStrategy.workloadUpdateMethods of KubeVirt default/kubevirt is Evict, ${why} (TwoUpdaters)`,
      expect.stringMatching(/^ {2}to do: Empty /),
    ]);
    expect(evictions(at.lab)).toHaveLength(before);
    expect(await lease()).toEqual({});
  });

  it('refuses a strategy that is none', async () => {
    const replica = start(at.lab.kubeconfig, '--strategy-from-file', strategyFile('methods: []'));
    expect(await replica.ended).toBe(2);
    expect(replica.words[0]).toContain('strategy.yaml: it: Unrecognized key: "methods" (StrategyUnreadable)');
  });
});

/** A VMI with a current launcher that got more CPUs. */
function growing(vmi: Vmi): Vmi {
  const conditions = [...(vmi.status?.conditions ?? []), { type: 'HotVCPUChange', status: 'True' }];
  return { ...vmi, status: { ...vmi.status, launcherContainerImageVersion: NEW_IMAGE, conditions } };
}
