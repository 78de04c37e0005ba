import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import type { ClusterConfiguration, VmiSpec } from '../../kubevirt/objects.ts';
import { networkFields, networkProblem } from './network.ts';

type Interfaces = NonNullable<NonNullable<NonNullable<VmiSpec['domain']>['devices']>['interfaces']>;

const ANNOTATION = 'kubevirt.io/allow-pod-bridge-network-live-migration';
const BOUND =
  'cannot migrate VMI which does not use masquerade or a migratable plugin to connect to the pod network';
const pod = { name: 'default', pod: {} };
const blue = { name: 'blue', multus: { networkName: 'blue' } };
const configuration: ClusterConfiguration = {
  network: { binding: { moving: { migration: {} }, fixed: {} } },
};

function aGuest(interfaces: Interfaces, networks: VmiSpec['networks'] = [pod]) {
  return aVmi().spec({ networks, domain: { devices: { interfaces } } });
}

describe('networkProblem', () => {
  it.each<[string, Interfaces, VmiSpec['networks'], string | undefined]>([
    ['no interfaces', [], [pod], undefined],
    ['no pod network', [{ name: 'blue', bridge: {} }], [blue], undefined],
    ['no networks', [{ name: 'default', bridge: {} }], [], undefined],
    [
      'no interface on it',
      [{ name: 'other', masquerade: {} }],
      [pod],
      'no primary interface found for network default',
    ],
    ['masquerade', [{ name: 'default', masquerade: {} }], [pod], undefined],
    ['passt, built in', [{ name: 'default', passtBinding: {} }], [pod], undefined],
    ['passt, the old way', [{ name: 'default', passt: {} }], [pod], BOUND],
    ['bridge', [{ name: 'default', bridge: {} }], [pod], BOUND],
    ['a plugin that can move', [{ name: 'default', binding: { name: 'moving' } }], [pod], undefined],
    ['a plugin that cannot', [{ name: 'default', binding: { name: 'fixed' } }], [pod], BOUND],
    ['a plugin that is not known', [{ name: 'default', binding: { name: 'odd' } }], [pod], BOUND],
    ['nothing at all', [{ name: 'default' }], [pod], BOUND],
    [
      'masquerade beside a bridge elsewhere',
      [
        { name: 'blue', bridge: {} },
        { name: 'default', masquerade: {} },
      ],
      [blue, pod],
      undefined,
    ],
    [
      'a bridge beside masquerade elsewhere',
      [
        { name: 'blue', masquerade: {} },
        { name: 'default', bridge: {} },
      ],
      [blue, pod],
      BOUND,
    ],
  ])('%s', (_, interfaces, networks, problem) => {
    expect(networkProblem({ vmi: aGuest(interfaces, networks).build(), configuration })).toBe(problem);
  });

  it.each(['', 'true', 'false'])('a bridge that is allowed to move by "%s"', (value) => {
    const vmi = aGuest([{ name: 'default', bridge: {} }])
      .annotated(ANNOTATION, value)
      .build();
    expect(networkProblem({ vmi })).toBeUndefined();
  });

  it('the annotation allows bridges only', () => {
    const vmi = aGuest([{ name: 'default', passt: {} }])
      .annotated(ANNOTATION, 'true')
      .build();
    expect(networkProblem({ vmi })).toBe(BOUND);
  });

  it('a plugin needs a configuration that knows it', () => {
    const vmi = aGuest([{ name: 'default', binding: { name: 'moving' } }]).build();
    expect(networkProblem({ vmi })).toBe(BOUND);
    expect(networkProblem({ vmi, configuration: { network: {} } })).toBe(BOUND);
  });

  it('a VMI without spec has no problem', () => {
    expect(networkProblem({ vmi: { metadata: { name: 'db' } } })).toBeUndefined();
  });
});

describe('networkFields', () => {
  const object = 'VirtualMachineInstance shop/db';

  it('names the interface on the pod network and the annotation', () => {
    const vmi = aGuest([{ name: 'default', bridge: {} }])
      .annotated(ANNOTATION, 'x')
      .build();
    expect(networkFields({ vmi })).toEqual([
      {
        object,
        path: 'spec.domain.devices.interfaces[name=default]',
        value: { name: 'default', bridge: {} },
      },
      { object, path: `metadata.annotations[${ANNOTATION}]`, value: 'x' },
    ]);
  });

  it('names nothing where there is nothing', () => {
    expect(networkFields({ vmi: aVmi().build() })).toEqual([
      { object, path: 'spec.domain.devices.interfaces[name=]', value: undefined },
      { object, path: `metadata.annotations[${ANNOTATION}]`, value: undefined },
    ]);
  });
});
