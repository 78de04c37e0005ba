import { describe, expect, it } from 'vitest';
import { aVmi } from '../../../kubevirt/builders.ts';
import type { Vmi } from '../../../kubevirt/objects.ts';
import { withRuntimeUser } from './runtime-user.ts';

const NON_ROOT = 'kubevirt.io/nonroot';
const settings = (...featureGates: string[]) => ({ featureGates, disabledFeatureGates: [] });
const prepared = (vmi: Vmi, ...gates: string[]) => {
  const { metadata, status } = withRuntimeUser(vmi, settings(...gates));
  return { annotations: metadata.annotations, user: status?.runtimeUser };
};
const plain = () => aVmi().annotated('mine', 'x');
const nonRoot = () => plain().annotated(NON_ROOT, 'true').status({ runtimeUser: 107 });

describe('the user of a guest that moves', () => {
  it.each<[string, Vmi, string[], Record<string, string>, number]>([
    [
      'is marked where it is right already',
      plain().status({ runtimeUser: 107 }).build(),
      [],
      { mine: 'x', [NON_ROOT]: 'true' },
      107,
    ],
    ['becomes qemu where it was root', plain().build(), [], { mine: 'x', [NON_ROOT]: 'true' }, 107],
    [
      'becomes qemu where only the mark is there',
      plain().annotated(NON_ROOT, 'yes').build(),
      [],
      { mine: 'x', [NON_ROOT]: 'yes' },
      107,
    ],
    ['becomes root with the gate', nonRoot().build(), ['Root'], { mine: 'x' }, 0],
    ['loses the mark of the other', plain().annotated(NON_ROOT, 'true').build(), ['Root'], { mine: 'x' }, 0],
    [
      'becomes root by the gate alone',
      plain().status({ runtimeUser: 107 }).build(),
      ['Root'],
      { mine: 'x' },
      0,
    ],
  ])('%s', (_, vmi, gates, annotations, user) => {
    expect(prepared(vmi, ...gates)).toEqual({ annotations, user });
  });

  it('leaves a VMI as it is that needs nothing', () => {
    const ready = nonRoot().build();
    expect(withRuntimeUser(ready, settings())).toBe(ready);
    const root = plain().build();
    expect(withRuntimeUser(root, settings('Root'))).toBe(root);
  });

  it('does not change the given VMI', () => {
    const vmi = aVmi().build();
    expect(prepared(vmi)).toEqual({ annotations: { [NON_ROOT]: 'true' }, user: 107 });
    expect(vmi).toEqual(aVmi().build());
  });
});
