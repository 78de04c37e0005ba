import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { type LauncherQuestion, templateSelectors } from './launcher-selectors.ts';
import { ask, asMap, base, feature, fresh, model, moved, vendor } from './test-launcher-selectors.ts';

describe('the template of a launcher', () => {
  it.each<[string, Pod, LauncherQuestion, Record<string, string>]>([
    ["is what today's pod selects", fresh(), ask(), base],
    [
      "takes the VMI's own selector, which wins",
      fresh({ ...base, disk: 'hdd' }),
      ask({ nodeSelector: { disk: 'ssd' } }),
      { ...base, disk: 'ssd' },
    ],
    [
      'has a selector that the VMI got later',
      fresh(),
      ask({ nodeSelector: { zone: 'a' } }),
      { ...base, zone: 'a' },
    ],
    [
      'keeps a foreign selector of a pod that no migration made',
      fresh({ ...base, rack: '1' }),
      ask(),
      { ...base, rack: '1' },
    ],
    [
      'keeps the vendor and features of such a pod',
      fresh({ [vendor]: 'true', [feature]: 'true' }),
      ask(),
      { [vendor]: 'true', [feature]: 'true' },
    ],
    [
      'drops what an earlier migration added',
      moved({ ...base, rack: '1', [model]: 'true', [vendor]: 'true', [feature]: 'true' }),
      ask(),
      base,
    ],
    [
      'keeps an enforced selector of a moved pod',
      moved({ ...base, rack: '1' }),
      ask({}, { enforcedNodeSelector: { rack: '1' } }),
      { ...base, rack: '1' },
    ],
    [
      "keeps KubeVirt's own on a moved pod",
      moved({
        cpumanager: 'true',
        'machine-type.node.kubevirt.io/q35': 'true',
        'cpu-model.node.kubevirt.io/Skylake': 'true',
      }),
      ask(),
      {
        cpumanager: 'true',
        'machine-type.node.kubevirt.io/q35': 'true',
        'cpu-model.node.kubevirt.io/Skylake': 'true',
      },
    ],
    [
      'keeps a feature that the VMI requires',
      moved({ [feature]: 'true' }),
      ask({ domain: { cpu: { features: [{ name: 'avx', policy: 'require' }] } } }),
      { [feature]: 'true' },
    ],
    [
      'takes no policy as required',
      moved({ [feature]: 'true' }),
      ask({ domain: { cpu: { features: [{ name: 'avx' }] } } }),
      { [feature]: 'true' },
    ],
    [
      'takes an empty policy as required',
      moved({ [feature]: 'true' }),
      ask({ domain: { cpu: { features: [{ name: 'avx', policy: '' }] } } }),
      { [feature]: 'true' },
    ],
    [
      'drops a feature that is only optional',
      moved({ [feature]: 'true' }),
      ask({ domain: { cpu: { features: [{ name: 'avx', policy: 'optional' }] } } }),
      {},
    ],
    [
      'drops a feature when another is required',
      moved({ [feature]: 'true' }),
      ask({ domain: { cpu: { features: [{ name: 'aes' }] } } }),
      {},
    ],
    ['is empty without any selector', aPod().build(), ask(), {}],
  ])('%s', (_name, pod, question, selectors) => {
    expect(asMap(templateSelectors(question, pod))).toEqual(selectors);
  });

  it('says where each selector comes from', () => {
    const selectors = templateSelectors(ask({ nodeSelector: { zone: 'a' } }), fresh({ disk: 'ssd' }));
    expect(selectors.map(({ from }) => from)).toEqual([
      { object: 'Pod shop/virt-launcher-db-1', path: 'spec.nodeSelector[disk]', value: 'ssd' },
      { object: 'VirtualMachineInstance shop/db', path: 'spec.nodeSelector[zone]', value: 'a' },
    ]);
  });
});
