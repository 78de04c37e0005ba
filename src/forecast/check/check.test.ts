import { describe, expect, it } from 'vitest';
import type { EvictionCall } from '../../controllers/ports.ts';
import type { ApiResult } from '../../decide/api-result.ts';
import type { Lookup } from '../../decide/eviction/lookup.ts';
import { Fleet, type Kind, type KindMap } from '../../fleet/fleet.ts';
import { aBudget, aKubeVirt, aNode, aPod, aVm, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { parseSelector } from '../../kubevirt/selector.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { type CheckCluster, type CheckOptions, checkEvictions } from './check.ts';
import type { CheckedPod } from './report.ts';

const SUCCESS: ApiResult = { ok: true, name: 'x' };
const refusal = (message: string, code = 429): ApiResult => ({ ok: false, code, message });
const silence: ApiResult = { ok: false, message: 'no answer within 30s' };
const LAUNCHER = 'admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: ';
const triggered = refusal(`${LAUNCHER}Eviction triggered evacuation of VMI "shop/db"`);

const movable = () => aVmi().on('n1').strategy('LiveMigrate').migratable();
const launcherOf = (vmi: Vmi, pod = 'virt-launcher-db-1') => aPod(pod).launcherOf(vmi).on('n1');

/** A cluster that has what a fleet has, and answers each eviction with the next of the answers. */
class FakeCluster implements CheckCluster {
  readonly objects = new Map<string, object | Error>();
  readonly calls: EvictionCall[] = [];
  readonly answers: ApiResult[];
  onEvict: () => void = () => {};

  constructor(...answers: ApiResult[]) {
    this.answers = answers;
  }

  async get<K extends Kind>(kind: K, key: string): Promise<Lookup<KindMap[K]>> {
    const held = this.objects.get(`${kind} ${key}`);
    if (held instanceof Error) return { error: held.message };
    return held ? { found: held as KindMap[K] } : { missing: true, message: `${key} not found` };
  }

  async evict(call: EvictionCall): Promise<ApiResult> {
    this.calls.push(call);
    this.onEvict();
    return this.answers.length > 1 ? (this.answers.shift() as ApiResult) : (this.answers[0] ?? SUCCESS);
  }
}

/** A fleet and a cluster with the same VMIs and pods. */
function world(vmis: readonly Vmi[], pods: readonly Pod[], ...answers: ApiResult[]) {
  const fleet = new Fleet();
  const cluster = new FakeCluster(...answers);
  const put = <K extends Kind>(kind: K, object: KindMap[K]): void => {
    fleet.apply(kind, object);
    cluster.objects.set(`${kind} ${keyOf(object)}`, object);
  };
  fleet.apply('KubeVirt', aKubeVirt().build());
  for (const vmi of vmis) put('VirtualMachineInstance', vmi);
  for (const pod of pods) put('Pod', pod);
  for (const kind of ['PodDisruptionBudget', 'VirtualMachine', 'Namespace', 'Node'] as const)
    fleet.noteKnown(kind);
  return { fleet, cluster, put };
}

async function check({ fleet, cluster }: ReturnType<typeof world>, change: Partial<CheckOptions> = {}) {
  const clock = new VirtualClock(1_000_000);
  const report = checkEvictions(fleet, cluster, { clock, parallel: 4, perSecond: 100, ...change });
  await clock.advance(60);
  return report;
}

async function checkOne(
  vmi: Vmi,
  answers: ApiResult[],
  change: (made: ReturnType<typeof world>) => void = () => {},
): Promise<CheckedPod | undefined> {
  const made = world([vmi], [launcherOf(vmi).build()], ...answers);
  change(made);
  return (await check(made)).status.pods[0];
}

describe('what the cluster answers', () => {
  const gone = aVmi().on('n1').strategy('LiveMigrateIfPossible').migratable('False').build();

  it('as foretold agrees, and the expectation says why', async () => {
    expect(await checkOne(movable().build(), [triggered])).toMatchObject({
      namespace: 'shop',
      pod: 'virt-launcher-db-1',
      vm: 'db',
      node: 'n1',
      result: 'Agrees',
      reason: 'Agrees',
      expected: { code: 429, reason: 'EvacuationTriggered' },
      answered: { code: 429, message: `${LAUNCHER}Eviction triggered evacuation of VMI "shop/db"` },
      evidence: expect.arrayContaining([
        { object: 'VirtualMachineInstance shop/db', path: 'spec.evictionStrategy', value: 'LiveMigrate' },
      ]),
    });
    expect(await checkOne(gone, [SUCCESS])).toMatchObject({
      result: 'Agrees',
      expected: { code: 201, message: 'Success', reason: 'NoBudget' },
      answered: { code: 201, message: 'Success' },
    });
  });

  it.each<[string, Vmi, ApiResult, Partial<CheckedPod>]>([
    [
      'another answer',
      gone,
      triggered,
      { reason: 'AnswerDiffers', message: 'the cluster answers otherwise than foretold' },
    ],
    [
      'the same code with another text',
      movable().build(),
      refusal(`${LAUNCHER}VMI db is configured with an eviction strategy but is not live-migratable`),
      { reason: 'AnswerDiffers' },
    ],
    [
      'the same text with another code',
      movable().build(),
      { ...triggered, code: 500 } as ApiResult,
      { reason: 'AnswerDiffers' },
    ],
    ['an acceptance', movable().build(), SUCCESS, { reason: 'AnswerDiffers' }],
    [
      'a webhook that is away',
      gone,
      refusal('Internal error occurred: failed calling webhook "x": refused', 500),
      {
        reason: 'WebhookAway',
        message: 'a webhook cannot be called, so every eviction of this kind of pod fails',
      },
    ],
    [
      'a webhook of somebody else',
      gone,
      refusal('admission webhook "polite.example.com" denied the request: please not', 403),
      { reason: 'OtherWebhook', message: 'webhook polite.example.com refuses the eviction' },
    ],
  ])('%s differs', async (_, vmi, answer, expected) => {
    expect(await checkOne(vmi, [answer])).toMatchObject({ result: 'Differs', ...expected });
  });

  it.each<[string, ApiResult, Partial<CheckedPod>]>([
    [
      'no answer',
      silence,
      {
        reason: 'NoAnswer',
        message: 'no answer came: no answer within 30s',
        answered: { message: 'no answer within 30s' },
      },
    ],
    [
      'no right to ask',
      refusal('pods "x" is forbidden: User "y" cannot create resource "pods/eviction"', 403),
      {
        reason: 'NotAllowedToEvict',
        message:
          'you may not evict it: pods "x" is forbidden: User "y" cannot create resource "pods/eviction"',
      },
    ],
  ])('%s tells nothing', async (_, answer, expected) => {
    expect(await checkOne(movable().build(), [answer])).toMatchObject({ result: 'Unknown', ...expected });
  });

  it('is sent as a dry run, said twice', async () => {
    const vmi = movable().build();
    const made = world([vmi], [launcherOf(vmi).build()], triggered);
    await check(made);
    expect(made.cluster.calls).toEqual([
      {
        namespace: 'shop',
        pod: 'virt-launcher-db-1',
        dryRun: true,
        body: {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { namespace: 'shop', name: 'virt-launcher-db-1' },
          deleteOptions: { dryRun: ['All'] },
        },
      },
    ]);
  });
});

describe('what may not change, and does', () => {
  it('the mark, which is told though it is there for good then', async () => {
    const found = await checkOne(movable().build(), [triggered], ({ cluster, put }) => {
      cluster.onEvict = () => put('VirtualMachineInstance', movable().marked('n1').build());
    });
    expect(found).toMatchObject({
      result: 'Differs',
      reason: 'MarkAppeared',
      message:
        'the VMI was marked for evacuation from n1 while a dry run was under way: by it, or by another eviction at the same moment',
    });
  });

  it.each<[string, (pod: ReturnType<typeof launcherOf>) => Pod | undefined]>([
    ['is replaced', (pod) => pod.meta({ uid: `${Math.random()}` }).build()],
    ['is being deleted', (pod) => pod.deleting().meta({ uid: 'uid-virt-launcher-db-1' }).build()],
    ['is gone', () => undefined],
  ])('the pod %s', async (_, change) => {
    const vmi = movable().build();
    const found = await checkOne(vmi, [triggered], ({ cluster }) => {
      const key = 'Pod shop/virt-launcher-db-1';
      cluster.onEvict = () => void cluster.objects.set(key, change(launcherOf(vmi)) as object);
    });
    expect(found).toMatchObject({
      result: 'Differs',
      reason: 'PodChanged',
      message:
        'the pod was deleted while a dry run was under way: by it, or by somebody else at the same moment',
    });
  });
});

describe('what moves in the meantime', () => {
  it('is tried again with everything read anew', async () => {
    const vmi = aVmi().on('n1').strategy('LiveMigrate').migratable('False').build();
    const made = world([vmi], [launcherOf(vmi).build()], triggered);
    made.cluster.onEvict = () =>
      made.cluster.objects.set(
        'VirtualMachineInstance shop/db',
        aVmi().on('n1').strategy('LiveMigrate').migratable().build(),
      );
    expect((await check(made)).status.pods).toMatchObject([{ result: 'Agrees', reason: 'Agrees' }]);
    expect(made.cluster.calls).toHaveLength(2);
  });

  it('budgets too', async () => {
    const vmi = aVmi().on('n1').strategy('None').labelled('app', 'db').build();
    const pod = launcherOf(vmi).labelled('app', 'db').ready().build();
    const budget = (minAvailable: number) =>
      aBudget()
        .selecting('app', 'db')
        .spec({ minAvailable })
        .status({
          disruptionsAllowed: 1 - minAvailable,
          currentHealthy: 1,
          desiredHealthy: minAvailable,
          expectedPods: 1,
        })
        .build();
    const full = refusal("Cannot evict pod as it would violate the pod's disruption budget.");
    const made = world([vmi], [pod], full);
    made.put('PodDisruptionBudget', budget(0));
    made.cluster.objects.set('PodDisruptionBudget shop/pool', budget(1));
    expect((await check(made)).status.pods).toMatchObject([
      { result: 'Agrees', expected: { code: 429, message: full.ok ? '' : full.message } },
    ]);
    expect(made.cluster.calls).toHaveLength(2);
  });

  it('is left out once it is gone, before or when it is asked about', async () => {
    const [one, two] = [aVmi('one').on('n1').build(), aVmi('two').on('n1').build()];
    const pods = [launcherOf(one, 'a').build(), launcherOf(two, 'b').build()];
    const made = world([one, two], pods, refusal('pods "b" not found', 404));
    made.cluster.objects.delete('Pod shop/a');
    made.cluster.onEvict = () => made.cluster.objects.delete('Pod shop/b');
    const { status } = await check(made);
    expect(status).toMatchObject({ gone: ['shop/a', 'shop/b'], pods: [] });
  });

  it.each(['Pod shop/virt-launcher-db-1', 'VirtualMachineInstance shop/db'])(
    '%s cannot be read',
    async (key) => {
      const found = await checkOne(movable().build(), [triggered], ({ cluster }) =>
        cluster.objects.set(key, new Error('forbidden')),
      );
      expect(found).toEqual({
        namespace: 'shop',
        pod: 'virt-launcher-db-1',
        vm: '',
        result: 'Unknown',
        reason: 'NotReadable',
        message: 'the pod or its VMI cannot be read: forbidden',
        evidence: [],
      });
    },
  );
});

describe('what is expected', () => {
  it('of the target pod of a migration', async () => {
    const vmi = movable().build();
    const target = aPod('virt-launcher-db-2').launcherOf(vmi).on('n2').build();
    const made = world([vmi], [target], refusal(`${LAUNCHER}Eviction request for target Pod`));
    expect((await check(made)).status.pods).toMatchObject([
      { result: 'Agrees', expected: { reason: 'TargetPod' } },
    ]);
  });

  it.each([
    [
      'exact',
      refusal(
        `${LAUNCHER}kubevirt failed getting the vmi: virtualmachineinstances.kubevirt.io "db" not found`,
      ),
      'VmiNotReadable',
    ],
    ['intended', SUCCESS, 'VmiGone'],
  ] as const)('of a launcher without a VMI, %s', async (behavior, answer, reason) => {
    const made = world([], [launcherOf(movable().build()).build()], answer);
    const { pods } = (await check(made, { behavior })).status;
    expect(pods).toMatchObject([{ result: 'Agrees', expected: { reason } }]);
  });

  const never = aVm().annotated('drover.dev/eviction', 'never').build();
  const guarded =
    'admission webhook "eviction-guard.drover.dev" denied the request: VM shop/db must not be evicted (drover.dev/eviction: never on the VirtualMachine; annotation drover.dev/break-glass on node n1 overrides this)';

  it.each<[string, ApiResult, Partial<CheckedPod>]>([
    ['and refuses', refusal(guarded), { result: 'Agrees' }],
    [
      'and is not there',
      triggered,
      {
        result: 'Differs',
        reason: 'GuardAway',
        message: "Drover's guard should refuse the eviction, and does not",
      },
    ],
  ])('where the guard has something to say, %s', async (_, answer, expected) => {
    const found = await checkOne(movable().build(), [answer], ({ put }) => put('VirtualMachine', never));
    expect(found).toMatchObject({ expected: { code: 429, message: guarded, reason: 'Never' }, ...expected });
  });

  it('where the glass is broken', async () => {
    const found = await checkOne(
      aVmi().on('n1').strategy('LiveMigrate').migratable().build(),
      [triggered],
      ({ put }) => {
        put('VirtualMachine', never);
        put('Node', aNode('n1').annotated('drover.dev/break-glass', 'true').build());
      },
    );
    expect(found).toMatchObject({ result: 'Agrees' });
  });
});

describe('a report', () => {
  const named = (name: string, namespace: string) => aVmi(name, namespace).on('n1').strategy('None');
  const vmis = [
    named('b', 'shop').labelled('app', 'x').build(),
    named('a', 'shop').build(),
    named('c', 'bank').build(),
  ];
  const pods = vmis.map((vmi) =>
    aPod(`virt-launcher-${vmi.metadata.name}`, vmi.metadata.namespace).launcherOf(vmi).on('n1').build(),
  );

  it('has the active launchers by namespace and name, and counts them', async () => {
    const ended = aPod('virt-launcher-0').launcherOf(movable().build()).phase('Succeeded').build();
    const made = world(vmis, [...pods, ended, aPod('web').build()], SUCCESS, silence, triggered);
    const progress: string[] = [];
    const report = await check(made, {
      parallel: 1,
      onProgress: (done, all) => progress.push(`${done}/${all}`),
    });
    expect(report.spec).toEqual({ kubevirtVersion: '1.9', behavior: 'exact' });
    expect(report.status.pods.map(({ namespace, vm, result }) => [namespace, vm, result])).toEqual([
      ['bank', 'c', 'Agrees'],
      ['shop', 'a', 'Unknown'],
      ['shop', 'b', 'Differs'],
    ]);
    expect(report.status.counts).toEqual({ Differs: 1, Unknown: 1, Agrees: 1 });
    expect(progress).toEqual(['1/3', '2/3', '3/3']);
  });

  it.each<[string, object, string[]]>([
    ['everything', {}, ['c', 'a', 'b']],
    ['a namespace', { namespace: 'shop' }, ['a', 'b']],
    ['labels', { selector: parseSelector('app=x') }, ['b']],
  ])('of %s', async (_, scope, names) => {
    const report = await check(world(vmis, pods, SUCCESS), { scope });
    expect(report.status.pods.map(({ vm }) => vm)).toEqual(names);
  });

  it.each<[ApiResult[], string]>([
    [[SUCCESS], 'The cluster answers an eviction of 3 launcher pods as foretold, and nothing changed.'],
    [
      [SUCCESS, silence],
      'The cluster answers an eviction of 1 launcher pod as foretold, and nothing changed. 2 pods could not be judged.',
    ],
    [[silence], 'None of 3 launcher pods could be judged.'],
    [[triggered], 'The cluster does not do as foretold with 3 of 3 launcher pods.'],
    [
      [silence, triggered],
      'The cluster does not do as foretold with 2 of 3 launcher pods. 1 pod could not be judged.',
    ],
  ])('says so in a sentence', async (answers, summary) => {
    const report = await check(world(vmis, pods, ...answers), { parallel: 1 });
    expect(report.status.summary).toBe(summary);
  });

  it('of nothing', async () => {
    const { status } = await check(world([], []));
    expect(status.summary).toBe('There is no launcher pod to ask about.');
  });
});
