import { describe, expect, it } from 'vitest';
import { resolveSettings } from '../decide/settings.ts';
import { aPod, aVmi } from '../kubevirt/builders.ts';
import { evictionWebhook } from './eviction.ts';
import { aCluster, ask, type FakeCluster } from './test-admission.ts';

const vmi = aVmi().on('n1').strategy('LiveMigrate').migratable().build();
const pod = aPod().launcherOf(vmi).on('n1').build();
const objects = { 'Pod shop/virt-launcher-db-1': pod, 'VirtualMachineInstance shop/db': vmi };
const MARK =
  'patch VirtualMachineInstance shop/db [{"op":"add","path":"/status/evacuationNodeName","value":"n1"}]';

const webhook = (cluster: FakeCluster) =>
  evictionWebhook({ cluster, settings: () => resolveSettings(undefined), behavior: 'exact' });

describe('the eviction webhook', () => {
  it('fetches what the decision needs, and marks', async () => {
    const cluster = aCluster(objects);
    expect(await ask(webhook(cluster))).toMatchObject({
      allowed: false,
      code: 429,
      message: 'Eviction triggered evacuation of VMI "shop/db"',
      reason: 'EvacuationTriggered',
    });
    expect(cluster.calls).toEqual([
      'get Pod shop/virt-launcher-db-1',
      'get VirtualMachineInstance shop/db',
      MARK,
    ]);
  });

  it('marks as a dry run where the eviction is one', async () => {
    const cluster = aCluster(objects);
    await ask(webhook(cluster), { dryRun: true });
    expect(cluster.calls[2]).toBe(`${MARK} dry run`);
  });

  it('marks nothing when something else was answered meanwhile', async () => {
    const cluster = aCluster(objects);
    const review = {
      apiVersion: 'admission.k8s.io/v1',
      uid: 'u',
      request: { name: pod.metadata.name, namespace: 'shop', object: {} },
    } as const;
    await webhook(cluster).decide(review, () => cluster.calls.length >= 2);
    expect(cluster.calls).toEqual(['get Pod shop/virt-launcher-db-1', 'get VirtualMachineInstance shop/db']);
  });

  it('says why it could not mark', async () => {
    const cluster = aCluster(objects, { ok: false, message: 'etcd is away' });
    expect(await ask(webhook(cluster))).toMatchObject({
      code: 429,
      message: 'kubevirt failed marking the vmi for eviction: etcd is away',
    });
  });

  it('reads the owner of an attachment pod', async () => {
    const hotplug = aPod('hp-volume-1')
      .labelled('kubevirt.io', 'hotplug-disk')
      .ownedBy('Pod', pod.metadata.name);
    const cluster = aCluster({ ...objects, 'Pod shop/hp-volume-1': hotplug.build() });
    expect(await ask(webhook(cluster), { name: 'hp-volume-1' })).toMatchObject({ reason: 'HotplugPodOfVmi' });
    expect(cluster.calls).toEqual([
      'get Pod shop/hp-volume-1',
      'get Pod shop/virt-launcher-db-1',
      'get VirtualMachineInstance shop/db',
    ]);
  });

  it('is refused so that clients try again where nothing is known in time', () => {
    expect(webhook(aCluster({})).late(8)).toEqual({
      allowed: false,
      code: 429,
      message: 'drover had no answer from the API server within 8s; try again',
      reason: 'Late',
      evidence: [],
    });
  });
});
