import { describe, expect, it } from 'vitest';
import { resolveSettings } from '../decide/settings.ts';
import { aKubeVirt } from '../kubevirt/builders.ts';
import { parseSelector } from '../kubevirt/selector.ts';
import { clusterStrategyStamp, defaultStrategyStamp } from './strategy-stamp.ts';
import { aCluster, ask } from './test-admission.ts';

const stamp = (value: string) => [{ op: 'add', path: '/spec/evictionStrategy', value }];
const vmi = (spec: object | undefined, labels?: object): object => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { generateName: 'db-', labels },
  spec,
});

describe("the cluster's strategy", () => {
  const kubevirt = aKubeVirt()
    .spec({ configuration: { evictionStrategy: 'LiveMigrate' } })
    .build();
  const webhook = clusterStrategyStamp(() => resolveSettings(kubevirt));

  it.each<[string, unknown, object]>([
    ['a VMI without one', vmi({}), { reason: 'ClusterStrategyStamped', patch: stamp('LiveMigrate') }],
    [
      'a VMI with its own',
      vmi({ evictionStrategy: 'None' }),
      { reason: 'OwnStrategyKept', patch: undefined },
    ],
    ['a VMI without a spec', vmi(undefined), { reason: 'ClusterStrategyStamped', patch: undefined }],
    ['a VMI that is none', vmi({ evictionStrategy: 7 }), { reason: 'VmiNotReadable' }],
    ['no object', 'VMI', { reason: 'VmiNotReadable' }],
  ])('%s', async (_, object, expected) => {
    expect(await ask(webhook, { object })).toMatchObject({ allowed: true, ...expected });
  });

  it('is never late, since it asks nobody', () => {
    expect(webhook.late(1)).toMatchObject({ allowed: true, reason: 'Late' });
  });
});

describe('the default strategy', () => {
  const defaults = [{ strategy: 'External', selector: parseSelector('role=worker') }];
  const shop = {
    metadata: { name: 'shop', annotations: { 'drover.dev/default-eviction-strategy': 'None' } },
  };

  it.each<[string, unknown, object, readonly string[]]>([
    [
      'of the labels, without a look at the namespace',
      vmi({}, { role: 'worker' }),
      { reason: 'LabelDefault', patch: stamp('External') },
      [],
    ],
    [
      'of the namespace',
      vmi({}),
      { reason: 'NamespaceDefault', patch: stamp('None'), warnings: undefined },
      ['get Namespace shop'],
    ],
    [
      'its own',
      vmi({ evictionStrategy: 'LiveMigrate' }),
      { reason: 'OwnStrategyKept', patch: undefined },
      [],
    ],
    ['none that can be read', vmi({ evictionStrategy: {} }), { reason: 'VmiNotReadable' }, []],
  ])('%s', async (_, object, expected, calls) => {
    const cluster = aCluster({ 'Namespace shop': shop });
    expect(await ask(defaultStrategyStamp({ cluster, defaults }), { object })).toMatchObject({
      allowed: true,
      ...expected,
    });
    expect(cluster.calls).toEqual(calls);
  });

  it('warns where it cannot tell', async () => {
    const cluster = aCluster({ 'Namespace shop': new Error('forbidden') });
    expect(await ask(defaultStrategyStamp({ cluster, defaults }), { object: vmi({}) })).toMatchObject({
      allowed: true,
      patch: undefined,
      warnings: [
        "drover: the default eviction strategy of the namespace cannot be read, so the cluster's counts: forbidden",
      ],
    });
    expect(defaultStrategyStamp({ cluster, defaults }).late(1)).toMatchObject({
      allowed: true,
      warnings: [expect.stringContaining('in time')],
    });
  });
});
