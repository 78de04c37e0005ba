import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectAt } from '../../kubevirt/json.ts';
import { describeLab } from '../../lab/describe-lab.ts';
import type { Lab } from '../../lab/lab.ts';
import { waitFor } from '../../lab/wait.ts';
import {
  type Evicted,
  evict,
  get,
  launcherOf,
  patch,
  podPath,
  put,
  register,
  runPod,
  runVm,
  type Served,
  serve,
  startWebhookLab,
  uidOf,
  untilAsked,
  vmiPath,
} from './test-webhook.ts';

const LAUNCHER = 'admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: ';
const HOTPLUG = 'admission webhook "hotplug-pod-eviction-interceptor.kubevirt.io" denied the request: ';
const LET_GO: Evicted = { code: 201, message: 'Success' };
const refused = (message: string): Evicted => ({ code: 429, message: `${LAUNCHER}${message}` });
const triggered = (name: string): Evicted =>
  refused(`Eviction triggered evacuation of VMI "default/${name}"`);
const stuck = (name: string): Evicted =>
  refused(`VMI ${name} is configured with an eviction strategy but is not live-migratable`);

describeLab("the webhook in place of KubeVirt's", () => {
  let lab: Lab;
  let served: Served;

  beforeAll(async () => {
    lab = await startWebhookLab(['n1', 'n2', 'drained']);
    served = await serve(lab);
    await register(lab, served);
    await untilAsked(lab, served);
  }, 90_000);
  afterAll(async () => {
    await served?.stop();
    await lab?.stop();
  });

  const markOf = async (name: string): Promise<unknown> => {
    const vmi = await get(lab, vmiPath(name));
    return vmi && objectAt(vmi, 'status').evacuationNodeName;
  };

  describe('every strategy with every migratability, tried and then done', () => {
    it.each<[string | undefined, string | undefined, (name: string) => Evicted, string | undefined]>([
      [undefined, 'True', () => LET_GO, undefined],
      [undefined, 'False', () => LET_GO, undefined],
      ['None', 'True', () => LET_GO, undefined],
      ['None', 'False', () => LET_GO, undefined],
      ['Whatever', 'True', () => LET_GO, undefined],
      ['Whatever', 'False', () => LET_GO, undefined],
      ['LiveMigrate', 'True', triggered, 'n1'],
      ['LiveMigrate', 'False', stuck, undefined],
      ['LiveMigrate', undefined, stuck, undefined],
      ['LiveMigrateIfPossible', 'True', triggered, 'n1'],
      ['LiveMigrateIfPossible', 'False', () => LET_GO, undefined],
      ['LiveMigrateIfPossible', undefined, () => LET_GO, undefined],
      ['External', 'True', triggered, 'n1'],
      ['External', 'False', triggered, 'n1'],
      ['External', undefined, triggered, 'n1'],
    ])('%s, LiveMigratable %s', async (strategy, migratable, answerFor, mark) => {
      const name = `m-${strategy}-${migratable}`.toLowerCase();
      await runVm(lab, name, { strategy, migratable });
      const answer = answerFor(name);
      const before = [await get(lab, vmiPath(name)), await get(lab, podPath(launcherOf(name)))];

      expect(await evict(lab, launcherOf(name), { dryRun: true })).toEqual(answer);
      expect([await get(lab, vmiPath(name)), await get(lab, podPath(launcherOf(name)))]).toEqual(before);

      expect(await evict(lab, launcherOf(name))).toEqual(answer);
      expect(await markOf(name)).toBe(mark);
      expect((await get(lab, podPath(launcherOf(name)))) !== undefined).toBe(answer.code !== 201);

      if (mark === undefined) return;
      const again = refused(`Evacuation in progress: Eviction triggered evacuation of VMI "default/${name}"`);
      expect(await evict(lab, launcherOf(name), { dryRun: true })).toEqual(again);
      expect(await evict(lab, launcherOf(name))).toEqual(again);
    });
  });

  it('takes the dry run of the body for one, too', async () => {
    await runVm(lab, 'body', { strategy: 'LiveMigrate', migratable: 'True' });
    const eviction = await lab.admin.call({
      method: 'POST',
      path: `${podPath(launcherOf('body'))}/eviction`,
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: launcherOf('body') },
        deleteOptions: { dryRun: ['All'] },
      },
    });
    expect(eviction).toMatchObject({ ok: false, code: 429, message: triggered('body').message });
    expect(await markOf('body')).toBeUndefined();
  });

  it('refuses the target pod of a migration, and what is marked and cannot move any more', async () => {
    await runVm(lab, 'moving', { strategy: 'LiveMigrate', migratable: 'True' });
    await runPod(lab, 'virt-launcher-moving-target', {
      node: 'n2',
      labels: { 'kubevirt.io': 'virt-launcher' },
      annotations: { 'kubevirt.io/domain': 'moving' },
    });
    expect(await evict(lab, 'virt-launcher-moving-target')).toEqual(
      refused('Eviction request for target Pod'),
    );
    expect(await markOf('moving')).toBeUndefined();
    await evict(lab, launcherOf('moving'));
    await patch(lab, vmiPath('moving'), {
      status: { conditions: [{ type: 'LiveMigratable', status: 'False' }] },
    });
    expect(await evict(lab, launcherOf('moving'))).toEqual(stuck('moving'));
    expect(await markOf('moving')).toBe('n1');
  });

  it('refuses an attachment pod while its VM runs, and lets it go when the launcher has ended', async () => {
    await runVm(lab, 'hot', { strategy: 'None', migratable: 'True' });
    const launcher = (await get(lab, podPath(launcherOf('hot')))) ?? {};
    const owner = { apiVersion: 'v1', kind: 'Pod', name: launcherOf('hot'), uid: uidOf(launcher) };
    await runPod(lab, 'hp-volume-1', { labels: { 'kubevirt.io': 'hotplug-disk' }, owner });
    expect(await evict(lab, 'hp-volume-1', { dryRun: true })).toEqual({
      code: 429,
      message: `${HOTPLUG}cannot evict hotplug pod: hp-volume-1 associated with running vmi: hot in namespace default`,
    });
    await patch(lab, `${podPath(launcherOf('hot'))}/status`, { status: { phase: 'Succeeded' } });
    expect(await evict(lab, 'hp-volume-1')).toEqual(LET_GO);
  });

  it('notes an eviction of the descheduler, on a VMI with and without annotations', async () => {
    for (const name of ['plain', 'annotated']) {
      await runVm(lab, name, { strategy: 'LiveMigrate', migratable: 'True' });
      if (name === 'annotated') await patch(lab, vmiPath(name), { metadata: { annotations: { a: 'b' } } });
      const annotations = { 'requested-by': 'sigs.k8s.io/descheduler' };
      expect(await evict(lab, launcherOf(name), { annotations })).toEqual(triggered(name));
      const vmi = (await get(lab, vmiPath(name))) ?? {};
      expect(objectAt(objectAt(vmi, 'metadata'), 'annotations')).toMatchObject({
        'kubevirt.io/eviction-source': 'descheduler',
      });
    }
  });

  it('lets go what is not a running VM: other pods, ended launchers, launchers without a VMI', async () => {
    await runPod(lab, 'web');
    await runPod(lab, 'virt-launcher-alone', {
      labels: { 'kubevirt.io': 'virt-launcher' },
      annotations: { 'kubevirt.io/domain': 'nobody' },
    });
    await runVm(lab, 'ended', { strategy: 'LiveMigrate', migratable: 'True' });
    await patch(lab, `${podPath(launcherOf('ended'))}/status`, { status: { phase: 'Failed' } });
    for (const pod of ['web', 'virt-launcher-alone', launcherOf('ended')])
      expect([pod, await evict(lab, pod)]).toEqual([pod, LET_GO]);
  });

  it("refuses a launcher without a VMI where it is to behave as KubeVirt, in KubeVirt's words", async () => {
    const exact = await serve(lab, { behavior: 'exact' });
    await register(lab, exact);
    await untilAsked(lab, exact);
    await runPod(lab, 'virt-launcher-orphan', {
      labels: { 'kubevirt.io': 'virt-launcher' },
      annotations: { 'kubevirt.io/domain': 'nobody' },
    });
    expect(await evict(lab, 'virt-launcher-orphan')).toEqual(
      refused('kubevirt failed getting the vmi: virtualmachineinstances.kubevirt.io "nobody" not found'),
    );
    await register(lab, served);
    await untilAsked(lab, served);
    await exact.stop();
  });

  it('gives new VMIs the strategy of the cluster, once it has heard of it, and keeps their own', async () => {
    const strategyOf = async (name: string): Promise<unknown> =>
      objectAt((await get(lab, vmiPath(name))) ?? {}, 'spec').evictionStrategy;
    await runVm(lab, 'before', { migratable: 'True' });
    expect(await strategyOf('before')).toBe('None');
    await put(lab, '/apis/kubevirt.io/v1/namespaces/default/kubevirts', {
      apiVersion: 'kubevirt.io/v1',
      kind: 'KubeVirt',
      metadata: { name: 'kubevirt' },
      spec: { configuration: { evictionStrategy: 'LiveMigrate' } },
    });
    await waitFor(
      async () => {
        const name = `heard-${Math.random().toString(36).slice(2, 8)}`;
        await runVm(lab, name, { migratable: 'True' });
        return (await strategyOf(name)) === 'LiveMigrate';
      },
      { what: 'the new strategy' },
    );
    await runVm(lab, 'own', { strategy: 'None', migratable: 'True' });
    expect(await strategyOf('own')).toBe('None');
    expect(await strategyOf('before')).toBe('None');
  });

  it('kubectl drain: what can go goes, what is refused is tried again until the time is up', async () => {
    const vms = [
      ['d-gone', 'None', 'False'],
      ['d-possible', 'LiveMigrateIfPossible', 'False'],
      ['d-moves', 'LiveMigrate', 'True'],
      ['d-stuck', 'LiveMigrate', 'False'],
      ['d-external', 'External', 'False'],
    ] as const;
    for (const [name, strategy, migratable] of vms)
      await runVm(lab, name, { node: 'drained', strategy, migratable });
    const { code, stdout, stderr } = await lab.kubectl([
      'drain',
      'drained',
      '--ignore-daemonsets',
      '--delete-emptydir-data',
      '--force',
      '--timeout=7s',
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('pod/virt-launcher-d-gone evicted');
    expect(stdout).toContain('pod/virt-launcher-d-possible evicted');
    for (const name of ['d-moves', 'd-stuck', 'd-external']) {
      const text = name === 'd-stuck' ? stuck(name).message : triggered(name).message;
      expect(stderr).toContain(
        `error when evicting pods/"virt-launcher-${name}" -n "default" (will retry after 5s): ${text}`,
      );
      expect(stderr).toContain(
        `error when evicting pods/"virt-launcher-${name}" -n "default": global timeout reached: 7s`,
      );
    }
    expect(await Promise.all(vms.map(([name]) => markOf(name)))).toEqual([
      undefined,
      undefined,
      'drained',
      undefined,
      'drained',
    ]);
  });
});
