import { describe, expect, it } from 'vitest';
import type { ApiResult } from '../../decide/api-result.ts';
import { aBudget, aNode, aPod, aVm, aVmi } from '../../kubevirt/builders.ts';
import type { CheckedPod } from './report.ts';
import {
  check,
  checkOne,
  LAUNCHER,
  launcherOf,
  movable,
  refusal,
  SUCCESS,
  triggered,
  world,
} from './test-check.ts';

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
