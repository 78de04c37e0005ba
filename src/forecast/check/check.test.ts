import { describe, expect, it } from 'vitest';
import type { ApiResult } from '../../decide/api-result.ts';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { parseSelector } from '../../kubevirt/selector.ts';
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

const silence: ApiResult = { ok: false, message: 'no answer within 30s' };

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
