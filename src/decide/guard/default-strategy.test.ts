import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import { DROVER_ANNOTATION } from '../../kubevirt/names.ts';
import { parseSelector } from '../../kubevirt/selector.ts';
import { decide } from '../rules.ts';
import { type DefaultStrategyInput, defaultStrategyTable, needsNamespace } from './default-strategy.ts';

const shop = (strategy?: string): DefaultStrategyInput['namespace'] => ({
  found: {
    metadata: {
      name: 'shop',
      ...(strategy === undefined
        ? {}
        : { annotations: { [DROVER_ANNOTATION.defaultEvictionStrategy]: strategy } }),
    },
  },
});

const defaults = [
  { strategy: 'External', selector: parseSelector('role=worker') },
  { strategy: 'LiveMigrate', selector: parseSelector('role') },
];
const own = ['VirtualMachineInstance shop/db', 'spec.evictionStrategy'];
const namespaced = ['Namespace shop', 'metadata.annotations[drover.dev/default-eviction-strategy]'];

describe('the strategy of a new VMI', () => {
  it.each<[string, DefaultStrategyInput, object, unknown[][]]>([
    [
      'OwnStrategyKept',
      {
        vmi: aVmi().strategy('None').labelled('role', 'worker').build(),
        namespace: shop('External'),
        defaults,
      },
      {},
      [[...own, 'None']],
    ],
    [
      'OwnStrategyKept',
      { vmi: aVmi().strategy('').build(), namespace: shop('External'), defaults },
      {},
      [[...own, '']],
    ],
    [
      'LabelDefault',
      { vmi: aVmi().labelled('role', 'worker').build(), namespace: shop('None'), defaults },
      { stamp: 'External' },
      [
        [...own, undefined],
        ['VirtualMachineInstance shop/db', 'metadata.labels', { role: 'worker' }],
      ],
    ],
    [
      'LabelDefault',
      { vmi: aVmi().labelled('role', 'db').build(), namespace: { error: 'no' }, defaults },
      { stamp: 'LiveMigrate' },
      [
        [...own, undefined],
        ['VirtualMachineInstance shop/db', 'metadata.labels', { role: 'db' }],
      ],
    ],
    [
      'LabelDefault',
      { vmi: aVmi().build(), namespace: shop('None'), defaults: [{ strategy: 'External' }] },
      { stamp: 'External' },
      [
        [...own, undefined],
        ['VirtualMachineInstance shop/db', 'metadata.labels', undefined],
      ],
    ],
    [
      'NamespaceNotReadable',
      { vmi: aVmi().build(), namespace: { error: 'forbidden' }, defaults },
      {
        warning:
          "the default eviction strategy of the namespace cannot be read, so the cluster's counts: forbidden",
      },
      [['Namespace', namespaced[1], 'forbidden']],
    ],
    [
      'NoDefault',
      { vmi: aVmi().build(), namespace: { missing: true, message: 'gone' }, defaults },
      {},
      [[...own, undefined]],
    ],
    [
      'NoDefault',
      { vmi: aVmi().build(), namespace: shop(), defaults },
      {},
      [
        [...own, undefined],
        [...namespaced, undefined],
      ],
    ],
    [
      'NamespaceDefaultUnknown',
      { vmi: aVmi().build(), namespace: shop('livemigrate'), defaults },
      {
        warning:
          'drover.dev/default-eviction-strategy of the namespace is "livemigrate", which KubeVirt does not know, so the cluster\'s strategy counts',
      },
      [
        [...own, undefined],
        [...namespaced, 'livemigrate'],
      ],
    ],
    [
      'NamespaceDefault',
      { vmi: aVmi().build(), namespace: shop('LiveMigrateIfPossible'), defaults },
      { stamp: 'LiveMigrateIfPossible' },
      [
        [...own, undefined],
        [...namespaced, 'LiveMigrateIfPossible'],
      ],
    ],
  ])('%s', (reason, input, result, evidence) => {
    const decision = decide(defaultStrategyTable, input);
    expect(decision).toMatchObject({ reason, result });
    expect(decision.result).toEqual(result);
    expect(decision.evidence.map(({ object, path, value }) => [object, path, value])).toEqual(evidence);
    const dependsOnNamespace = !['OwnStrategyKept', 'LabelDefault'].includes(reason);
    expect(needsNamespace(input)).toBe(dependsOnNamespace);
  });
});
