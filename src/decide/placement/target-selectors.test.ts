import { describe, expect, it } from 'vitest';
import { aNode } from '../../kubevirt/builders.ts';
import type { Pod, VmiSpec } from '../../kubevirt/objects.ts';
import type { Behavior } from '../rules.ts';
import { type LauncherQuestion, withMigration } from './launcher-selectors.ts';
import { ask, asMap, base, feature, fresh, model, moved, vendor } from './test-launcher-selectors.ts';

describe("the selectors of a migration's target", () => {
  const skylake = aNode('n1')
    .labelled('host-model-cpu.node.kubevirt.io/Skylake', 'true')
    .labelled('host-model-required-features.node.kubevirt.io/avx', 'true')
    .labelled(vendor, 'true')
    .build();
  const plain = aNode('n1').build();
  const hostModel: VmiSpec = { domain: { cpu: { model: 'host-model' } } };
  const target = (question: LauncherQuestion, pod: Pod, source = skylake) =>
    withMigration(question, pod, source, 'n1');

  it.each<[string, LauncherQuestion, Pod, typeof skylake, Record<string, string>]>([
    ['the vendor of the node that is left', ask(), fresh(), skylake, { ...base, [vendor]: 'true' }],
    [
      'the vendor with value true, whatever the label says',
      ask(),
      fresh({}),
      aNode().labelled(vendor, '').build(),
      { [vendor]: 'true' },
    ],
    ['no vendor where the node tells none', ask(), fresh(), plain, base],
    [
      'no second vendor',
      ask(),
      fresh({ 'cpu-vendor.node.kubevirt.io/AMD': 'true' }),
      skylake,
      { 'cpu-vendor.node.kubevirt.io/AMD': 'true' },
    ],
    [
      "the migration's own selector",
      ask({}, { addedNodeSelector: { rack: '2' } }),
      fresh(),
      plain,
      { ...base, rack: '2' },
    ],
    [
      "the VMI's value rather than the migration's",
      ask({ nodeSelector: { rack: '1' } }, { addedNodeSelector: { rack: '2' } }),
      fresh({}),
      plain,
      { rack: '1' },
    ],
    [
      "the template's value rather than the migration's",
      ask({}, { addedNodeSelector: { 'kubernetes.io/arch': 'arm64' } }),
      fresh(),
      plain,
      base,
    ],
    [
      'the host model with its features',
      ask(hostModel),
      fresh({}),
      skylake,
      { [model]: 'true', [feature]: 'true', [vendor]: 'true' },
    ],
    [
      'the host model that an earlier migration selected',
      ask(hostModel),
      moved({ 'cpu-model-migration.node.kubevirt.io/Haswell': 'true' }),
      skylake,
      { 'cpu-model-migration.node.kubevirt.io/Haswell': 'true', [vendor]: 'true' },
    ],
    [
      'features carried stand for the model too',
      ask(hostModel),
      fresh({ [feature]: 'true' }),
      skylake,
      { [feature]: 'true', [vendor]: 'true' },
    ],
    [
      'no host model for a named model',
      ask({ domain: { cpu: { model: 'Haswell' } } }),
      fresh({}),
      skylake,
      { [vendor]: 'true' },
    ],
    [
      'a host model that is carried, though the node tells none',
      ask(hostModel),
      moved({ [model]: 'true' }),
      plain,
      { [model]: 'true' },
    ],
  ])('take %s', (_name, question, pod, source, selectors) => {
    const taken = target(question, pod, source);
    expect(asMap(taken.selectors)).toEqual(selectors);
    expect(taken.missing).toBeUndefined();
  });

  it('say where they come from', () => {
    const question = ask(hostModel, { addedNodeSelector: { rack: '2' } });
    expect(target(question, fresh({})).selectors.map(({ key, from }) => [key, from])).toEqual([
      [
        'rack',
        { object: 'VirtualMachineInstanceMigration', path: 'spec.addedNodeSelector[rack]', value: '2' },
      ],
      [
        model,
        {
          object: 'Node n1',
          path: 'metadata.labels[host-model-cpu.node.kubevirt.io/Skylake]',
          value: 'true',
        },
      ],
      [
        feature,
        {
          object: 'Node n1',
          path: 'metadata.labels[host-model-required-features.node.kubevirt.io/avx]',
          value: 'true',
        },
      ],
      [vendor, { object: 'Node n1', path: `metadata.labels[${vendor}]`, value: 'true' }],
    ]);
    const carried = target(ask(hostModel), moved({ [model]: 'true' }), plain).selectors;
    expect(carried.map(({ from }) => from)).toEqual([
      { object: 'Pod shop/virt-launcher-db-1', path: `spec.nodeSelector[${model}]`, value: 'true' },
    ]);
  });

  it.each<[string, Behavior, typeof plain | undefined, string | undefined, string | undefined]>([
    ['the node is not there', 'intended', undefined, 'n1', 'Node n1'],
    ['the node is not known', 'exact', undefined, undefined, 'Node of the VM'],
    [
      'the node does not tell its model',
      'intended',
      plain,
      'n1',
      'label host-model-cpu.node.kubevirt.io/… of Node n1',
    ],
    ['KubeVirt loses that error and goes on', 'exact', plain, 'n1', undefined],
  ])('with the host model: %s', (_name, behavior, source, leaves, missing) => {
    const taken = withMigration(ask(hostModel, { behavior }), fresh(), source, leaves);
    expect(taken.missing).toBe(missing);
    expect(asMap(taken.selectors)).toEqual(base);
  });
});
