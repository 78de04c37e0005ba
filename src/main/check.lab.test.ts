import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CheckReport } from '../forecast/check/report.ts';
import { describeLab } from '../lab/describe-lab.ts';
import type { Lab } from '../lab/lab.ts';
import { deniedTo, grantShipped, unusedRights } from '../lab/test-shipped.ts';
import { runDrover } from './ask.ts';
import {
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
  untilAsked,
  vmiPath,
} from './webhook/test-webhook.ts';

const STRATEGIES = ['None', 'LiveMigrate', 'LiveMigrateIfPossible', 'External'] as const;

describeLab('drover check on a live cluster', () => {
  let lab: Lab;
  let served: Served;
  let guard: Served;
  /** Of the account that is shipped, with its rights. */
  let shipped: string;

  beforeAll(async () => {
    lab = await startWebhookLab();
    shipped = await lab.kubeconfigForAccount(await grantShipped(lab, 'check'));
    served = await serve(lab);
    guard = await serve(lab, { guard: true });
    await register(lab, served);
    await register(lab, guard, { guard: true });
    await untilAsked(lab, served);
    await untilAsked(lab, guard);
    for (const strategy of STRATEGIES)
      for (const migratable of ['True', 'False'])
        await runVm(lab, `${strategy}-${migratable}`.toLowerCase(), { strategy, migratable });
    await runVm(lab, 'marked', { strategy: 'LiveMigrate', migratable: 'True' });
    await patch(lab, vmiPath('marked'), { status: { evacuationNodeName: 'n1' } });
    await runPod(lab, 'virt-launcher-none-true-target', {
      node: 'n2',
      labels: { 'kubevirt.io': 'virt-launcher' },
      annotations: { 'kubevirt.io/domain': 'external-true' },
    });
    await runVm(lab, 'pet', {
      strategy: 'None',
      vmAnnotations: { 'drover.dev/eviction': 'never' },
    });
    for (const name of ['one', 'several']) await budget(name, { app: 'budgeted' });
    await budget('second', { twice: 'yes' });
    await runVm(lab, 'budgeted', { strategy: 'None' });
    await patch(lab, podPath(launcherOf('budgeted')), { metadata: { labels: { app: 'budgeted' } } });
  }, 90_000);
  afterAll(async () => {
    await guard?.stop();
    await served?.stop();
    await lab?.stop();
  });

  const budget = (name: string, matchLabels: object): Promise<unknown> =>
    put(lab, '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { minAvailable: 1, selector: { matchLabels } },
    });

  const drover = (kubeconfig: string, ...argv: readonly string[]) =>
    runDrover(['check', '--kubeconfig', kubeconfig, ...argv]);

  const check = async (...argv: readonly string[]) => {
    const ran = await drover(shipped, '--behavior', 'intended', '-o', 'json', ...argv);
    return { ...ran, report: JSON.parse(ran.out) as CheckReport };
  };
  const told = ({ status }: CheckReport): unknown[] =>
    status.pods
      .filter(({ result }) => result !== 'Agrees')
      .map(({ pod, result, reason, answered }) => [pod, result, reason, answered?.code]);

  it('agrees with everything as it is: strategies, mark, target pod, guard and budgets; and changes nothing', async () => {
    const audited = lab.audit().length;
    const names = [
      ...STRATEGIES.flatMap((s) => [`${s}-true`, `${s}-false`]),
      'marked',
      'pet',
      'budgeted',
    ].map((name) => name.toLowerCase());
    const state = () =>
      Promise.all(names.flatMap((name) => [get(lab, vmiPath(name)), get(lab, podPath(launcherOf(name)))]));
    const before = await state();
    const { code, report } = await check();
    expect([code, told(report)]).toEqual([0, []]);
    expect(report.status.pods).toHaveLength(12);
    expect(report.status.summary).toBe(
      'The cluster answers an eviction of 12 launcher pods as foretold, and nothing changed.',
    );
    const reasons = Object.fromEntries(
      report.status.pods.map(({ pod, expected }) => [pod, expected?.reason]),
    );
    expect(reasons).toMatchObject({
      'virt-launcher-none-true': 'NoBudget',
      'virt-launcher-livemigrate-true': 'EvacuationTriggered',
      'virt-launcher-livemigrate-false': 'NotLiveMigratable',
      'virt-launcher-livemigrateifpossible-false': 'NoBudget',
      'virt-launcher-external-false': 'External',
      'virt-launcher-marked': 'EvacuationInProgress',
      'virt-launcher-none-true-target': 'TargetPod',
      'virt-launcher-pet': 'Never',
      'virt-launcher-budgeted': 'SeveralBudgets',
    });
    expect(await state()).toEqual(before);
    const writes = lab
      .audit()
      .slice(audited)
      .filter(({ verb }) => ['create', 'update', 'patch', 'delete'].includes(String(verb)))
      .map(({ requestURI }) => String(requestURI));
    expect(writes.length).toBeGreaterThan(11);
    expect(writes.filter((uri) => !uri.includes('dryRun=All'))).toEqual([]);
  });

  it('asks about a selection only', async () => {
    await put(lab, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    await runVm(lab, 'web', {
      namespace: 'shop',
      strategy: 'LiveMigrate',
      migratable: 'True',
      labels: { a: 'b' },
    });
    await runVm(lab, 'db', { namespace: 'shop', strategy: 'LiveMigrate', migratable: 'False' });
    const pods = async (...argv: string[]) => (await check(...argv)).report.status.pods.map(({ vm }) => vm);
    expect(await pods('-n', 'shop')).toEqual(['db', 'web']);
    expect(await pods('-l', 'a=b')).toEqual(['web']);
  });

  it('shows both sides where the cluster does otherwise, on the terminal and for CI', async () => {
    const junit = join(lab.folder, 'junit.xml');
    // Behaves as an old KubeVirt, which leaves a second eviction to a budget of its own.
    const old = await serve(lab, { kubevirtVersion: { major: 1, minor: 4 } });
    await register(lab, old);
    await untilAsked(lab, old);
    const ran = await drover(shipped, '--behavior', 'intended', '-n', 'default', '--junit', junit);
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('✗ The cluster does not do as foretold with 2 of 12 launcher pods.');
    const flat = ran.out.replace(/\s+/g, ' ');
    expect(flat).toContain(
      'default/virt-launcher-marked Differs AnswerDiffers the cluster answers otherwise than foretold. Expected 429: admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: Evacuation in progress: Eviction triggered evacuation of VMI "default/marked" (EvacuationInProgress). Answered 201: Success.',
    );
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('<testsuites name="drover check" tests="12" failures="2" errors="0">');
    expect(xml).toContain('<testcase classname="default" name="virt-launcher-marked">');
    await register(lab, served);
    await untilAsked(lab, served);
    await old.stop();
  });

  it('tells that the guard is away, and that a webhook is', async () => {
    await lab.kubectl(['delete', 'mutatingwebhookconfiguration', 'drover-guard']);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const unguarded = await check('-n', 'default');
    expect([unguarded.code, told(unguarded.report)]).toEqual([
      1,
      [['virt-launcher-pet', 'Differs', 'GuardAway', 201]],
    ]);
    await register(lab, { port: 9 });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const away = await check('-n', 'shop');
    expect([away.code, told(away.report)]).toEqual([
      1,
      [
        ['virt-launcher-db', 'Differs', 'WebhookAway', 500],
        ['virt-launcher-web', 'Differs', 'WebhookAway', 500],
      ],
    ]);
    await register(lab, served);
    await untilAsked(lab, served);
  });

  it('had all the rights that it needs, and none that it does not', async () => {
    expect(deniedTo(lab, 'drover-system/drover-check')).toEqual([]);
    expect(await unusedRights(lab, 'check')).toEqual([]);
  });

  it('could not evaluate: no right to ask, or nobody there', async () => {
    const reader = await lab.kubeconfigForAccount('default/reader');
    const rules = [{ apiGroups: ['', 'kubevirt.io', 'policy'], resources: ['*'], verbs: ['get', 'list'] }];
    await put(lab, '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reader' },
      rules,
    });
    await lab.kubectl([
      'create',
      'clusterrolebinding',
      'reader',
      '--clusterrole=reader',
      '--serviceaccount=default:reader',
    ]);
    const denied = await drover(reader, '-n', 'shop', '-o', 'json');
    expect(denied.code).toBe(2);
    expect(told(JSON.parse(denied.out))).toEqual([
      ['virt-launcher-db', 'Unknown', 'NotAllowedToEvict', 403],
      ['virt-launcher-web', 'Unknown', 'NotAllowedToEvict', 403],
    ]);
    const stranger = await drover(await lab.kubeconfigForAccount('default/stranger'));
    expect([stranger.code, stranger.err]).toEqual([2, expect.stringContaining('(NoPods)')]);
    const elsewhere = await lab.kubeconfigFor({ user: 'x' }, 'https://127.0.0.1:9');
    expect((await drover(elsewhere)).code).toBe(2);
  });
});
