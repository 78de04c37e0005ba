import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { objectAt } from '../../kubevirt/json.ts';
import { parseSelector } from '../../kubevirt/selector.ts';
import { describeLab } from '../../lab/describe-lab.ts';
import type { Lab } from '../../lab/lab.ts';
import {
  evict,
  get,
  launcherOf,
  patch,
  podPath,
  put,
  register,
  runVm,
  type Served,
  serve,
  startWebhookLab,
  untilAsked,
  vmiPath,
} from './test-webhook.ts';

const GUARD = 'admission webhook "eviction-guard.drover.dev" denied the request: ';
const OVERRIDE = 'annotation drover.dev/break-glass on node n1 overrides this';
const triggered = (name: string, namespace = 'default'): string =>
  `admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: Eviction triggered evacuation of VMI "${namespace}/${name}"`;
const NODE = '/api/v1/nodes/n1';

/** KubeVirt's own webhooks are played by Drover's in their place; they are registered as KubeVirt's are. */
describeLab("the guard beside KubeVirt's webhooks", () => {
  let lab: Lab;
  let kubevirt: Served;
  let guard: Served;

  beforeAll(async () => {
    lab = await startWebhookLab();
    kubevirt = await serve(lab);
    const defaults = [{ strategy: 'External', selector: parseSelector('role=worker') }];
    guard = await serve(lab, { guard: true, defaults });
    await register(lab, kubevirt);
    await register(lab, guard, { guard: true });
    await untilAsked(lab, kubevirt);
    await untilAsked(lab, guard);
  }, 90_000);
  afterAll(async () => {
    await guard?.stop();
    await kubevirt?.stop();
    await lab?.stop();
  });
  afterEach(() => patch(lab, NODE, { metadata: { annotations: { 'drover.dev/break-glass': null } } }));

  const space = async (name: string, annotations: object): Promise<void> => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations } };
    await put(lab, '/api/v1/namespaces', namespace);
  };
  const markOf = async (name: string, namespace?: string): Promise<unknown> =>
    objectAt((await get(lab, vmiPath(name, namespace))) ?? {}, 'status').evacuationNodeName;
  const strategyOf = async (name: string, namespace?: string): Promise<unknown> =>
    objectAt((await get(lab, vmiPath(name, namespace))) ?? {}, 'spec').evictionStrategy;
  const breakGlass = (value: string): Promise<unknown> =>
    patch(lab, NODE, { metadata: { annotations: { 'drover.dev/break-glass': value } } });
  const annotateVm = (name: string, annotations: object): Promise<unknown> =>
    patch(lab, `/apis/kubevirt.io/v1/namespaces/default/virtualmachines/${name}`, {
      metadata: { annotations },
    });

  it('refuses before KubeVirt has marked anything, tried or done; broken glass lets KubeVirt have its say', async () => {
    const vmAnnotations = { 'drover.dev/eviction': 'never' };
    await runVm(lab, 'pet', { strategy: 'LiveMigrate', migratable: 'True', vmAnnotations });
    const answer = {
      code: 429,
      message: `${GUARD}VM default/pet must not be evicted (drover.dev/eviction: never on the VirtualMachine; ${OVERRIDE})`,
    };
    const before = await get(lab, vmiPath('pet'));
    const asked = kubevirt.logged.length;
    expect(await evict(lab, launcherOf('pet'), { dryRun: true })).toEqual(answer);
    expect(await evict(lab, launcherOf('pet'))).toEqual(answer);
    expect(kubevirt.logged).toHaveLength(asked);
    expect(await get(lab, vmiPath('pet'))).toEqual(before);

    await breakGlass('INC-7');
    expect(await evict(lab, launcherOf('pet'), { dryRun: true })).toEqual({
      code: 429,
      message: triggered('pet'),
    });
    expect(await markOf('pet')).toBeUndefined();
    expect(await evict(lab, launcherOf('pet'))).toEqual({ code: 429, message: triggered('pet') });
    expect(await markOf('pet')).toBe('n1');
  });

  it('lets a VM without a rule through to KubeVirt', async () => {
    await runVm(lab, 'free', { strategy: 'LiveMigrate', migratable: 'True' });
    expect((await evict(lab, launcherOf('free'))).message).toBe(triggered('free'));
  });

  it('hears of an approval at once, and of its end', async () => {
    const vmAnnotations = { 'drover.dev/eviction': 'approve' };
    await runVm(lab, 'asks', { strategy: 'LiveMigrateIfPossible', migratable: 'False', vmAnnotations });
    const answer = (dryRun: boolean) => evict(lab, launcherOf('asks'), { dryRun });
    const refusal = {
      code: 429,
      message: `${GUARD}VM default/asks is evicted only with approval, which is drover.dev/eviction-approved: "true", or a time until which it holds (drover.dev/eviction: approve on the VirtualMachine; ${OVERRIDE})`,
    };
    expect(await answer(true)).toEqual(refusal);
    await annotateVm('asks', { 'drover.dev/eviction-approved': 'true' });
    expect(await answer(true)).toEqual({ code: 201, message: 'Success' });
    await annotateVm('asks', { 'drover.dev/eviction-approved': '2020-01-01T00:00:00Z' });
    expect(await answer(true)).toEqual(refusal);
    await annotateVm('asks', {
      'drover.dev/eviction-approved': new Date(Date.now() + 60_000).toISOString(),
    });
    expect(await answer(false)).toEqual({ code: 201, message: 'Success' });
  });

  it('keeps to windows, of the VM or of its namespace', async () => {
    await space('night', {
      'drover.dev/eviction': 'window',
      'drover.dev/eviction-window': '0 0 31 2 * 1h',
    });
    const evictable = { strategy: 'LiveMigrateIfPossible', migratable: 'False', namespace: 'night' };
    await runVm(lab, 'closed', evictable);
    expect(await evict(lab, launcherOf('closed'), { namespace: 'night' })).toEqual({
      code: 429,
      message: `${GUARD}VM night/closed is evicted only in its window, which never opens (drover.dev/eviction: window on the Namespace; ${OVERRIDE})`,
    });
    await runVm(lab, 'open', {
      ...evictable,
      vmAnnotations: { 'drover.dev/eviction-window': '0 0 * * * 24h Europe/Berlin' },
    });
    expect(await evict(lab, launcherOf('open'), { namespace: 'night' })).toEqual({
      code: 201,
      message: 'Success',
    });
  });

  it('kubectl drain tries again on a refusal of the guard, and ends once the glass is broken', async () => {
    await patch(lab, '/api/v1/nodes/n2', {
      metadata: { annotations: { 'drover.dev/break-glass': 'false' } },
    });
    await runVm(lab, 'last', {
      node: 'n2',
      strategy: 'None',
      vmAnnotations: { 'drover.dev/eviction': 'never' },
    });
    const drained = lab.kubectl(['drain', 'n2', '--force', '--timeout=40s']);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await patch(lab, '/api/v1/nodes/n2', { metadata: { annotations: { 'drover.dev/break-glass': 'true' } } });
    const { code, stdout, stderr } = await drained;
    expect(stderr).toContain(
      'error when evicting pods/"virt-launcher-last" -n "default" (will retry after 5s): admission webhook "eviction-guard.drover.dev" denied the request: VM default/last must not be evicted',
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('node/n2 drained')]);
    expect(await get(lab, podPath(launcherOf('last')))).toBeUndefined();
  });

  describe('the default strategy of new VMIs', () => {
    it('of the labels, then of the namespace, is there before KubeVirt gives the one of the cluster', async () => {
      await space('gold', { 'drover.dev/default-eviction-strategy': 'LiveMigrate' });
      await runVm(lab, 'plain', { namespace: 'gold', migratable: 'True' });
      await runVm(lab, 'worker', { namespace: 'gold', migratable: 'True', labels: { role: 'worker' } });
      await runVm(lab, 'own', { namespace: 'gold', strategy: 'None' });
      await runVm(lab, 'elsewhere');
      expect(await Promise.all(['plain', 'worker', 'own'].map((name) => strategyOf(name, 'gold')))).toEqual([
        'LiveMigrate',
        'External',
        'None',
      ]);
      expect(await strategyOf('elsewhere')).toBe('None');
      expect((await evict(lab, launcherOf('plain'), { namespace: 'gold' })).message).toBe(
        triggered('plain', 'gold'),
      );
    });

    it('is told to whoever makes the VMI where KubeVirt would not take it', async () => {
      await space('typo', { 'drover.dev/default-eviction-strategy': 'livemigrate' });
      const vmi = {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        metadata: { name: 'typo' },
        spec: {},
      };
      const created = await lab.kubectl(['create', '-n', 'typo', '-f', '-'], { stdin: JSON.stringify(vmi) });
      expect(created.code).toBe(0);
      expect(created.stderr).toBe(
        'Warning: drover: drover.dev/default-eviction-strategy of the namespace is "livemigrate", which KubeVirt does not know, so the cluster\'s strategy counts\n',
      );
      expect(await strategyOf('typo', 'typo')).toBe('None');
    });

    it('keeps nobody from starting a VM when the guard is away, but nothing is evicted then', async () => {
      const port = guard.port;
      await guard.stop();
      await runVm(lab, 'away', { labels: { role: 'worker' } });
      expect(await strategyOf('away')).toBe('None');
      expect(await evict(lab, launcherOf('away'))).toEqual({
        code: 500,
        message: expect.stringContaining('failed calling webhook "eviction-guard.drover.dev"'),
      });
      guard = await serve(lab, { guard: true, port });
      expect((await evict(lab, launcherOf('away'))).code).toBe(201);
    });
  });
});
