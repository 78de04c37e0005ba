import { expect, it } from 'vitest';
import { aVmi } from '../../../kubevirt/builders.ts';
import { isVolumeDue, volumesStepped } from './volume-writes.ts';

const hotplugVolume = { attachPodName: 'hp' };
const always = () => true;

it.each([
  ['AttachedToNode', 'MountedToPod', 'VolumeMountedToPod', 'Volume v has been mounted in virt-launcher pod'],
  ['MountedToPod', 'Ready', 'VolumeReady', 'Successfully attach hotplugged volume v to VM'],
  [
    'Detaching',
    'UnMountedFromPod',
    'VolumeUnMountedFromPod',
    'Volume v has been unmounted from virt-launcher pod',
  ],
])('a plugged volume that is %s becomes %s', (from, phase, reason, message) => {
  const fixed = { name: 'disk' };
  const vmi = aVmi()
    .status({ volumeStatus: [fixed, { name: 'v', phase: from, hotplugVolume }] })
    .build();
  const target = phase === 'Ready' ? { target: 'sda' } : {};
  expect(volumesStepped(vmi, always)?.status?.volumeStatus).toEqual([
    fixed,
    { name: 'v', phase, reason, message, hotplugVolume, ...target },
  ]);
});

it('takes no step that is not due', () => {
  const due = { name: 'v', phase: 'Detaching', hotplugVolume };
  expect(isVolumeDue(due)).toBe(true);
  expect(isVolumeDue({ ...due, phase: 'Ready' })).toBe(false);
  expect(isVolumeDue({ ...due, phase: 'toString' })).toBe(false);
  expect(isVolumeDue({ ...due, hotplugVolume: undefined })).toBe(false);
  expect(isVolumeDue({ name: 'v', hotplugVolume })).toBe(false);
  const vmi = aVmi()
    .status({ volumeStatus: [due] })
    .build();
  expect(volumesStepped(vmi, (name, phase) => name === 'v' && phase === 'Bound')).toBeUndefined();
  expect(volumesStepped(aVmi().build(), always)).toBeUndefined();
});
