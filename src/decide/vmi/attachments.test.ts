import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { PersistentVolumeClaim, Pod, Vmi, VmiSpec } from '../../kubevirt/objects.ts';
import {
  attachmentChange,
  attachmentOf,
  claimNameOf,
  isHotpluggable,
  pluggedVolumes,
} from './attachments.ts';
import { volumeStatusOf } from './volume-status.ts';

type Volumes = NonNullable<VmiSpec['volumes']>;

const root = { name: 'root', persistentVolumeClaim: { claimName: 'root-claim' } };
const disk = { name: 'disk', containerDisk: {} };
const extra = { name: 'extra', persistentVolumeClaim: { claimName: 'extra-claim', hotpluggable: true } };
const data = { name: 'data', dataVolume: { name: 'data-dv', hotpluggable: true } };
const launcher = aPod().on('n1').ready().build();

const withVolumes = (...volumes: Volumes): Vmi => aVmi('db').on('n1').spec({ volumes }).build();

function attachment(name: string, volumes: readonly string[], phase = 'Running'): Pod {
  const claims = volumes.map((volume) => ({
    name: volume,
    persistentVolumeClaim: { claimName: `${volume}-claim` },
  }));
  return aPod(name)
    .phase(phase)
    .spec({ volumes: [{ name: 'hotplug-disks', emptyDir: {} }, ...claims] })
    .build();
}

describe('a volume', () => {
  it.each([
    [root, 'root-claim', false],
    [disk, undefined, false],
    [extra, 'extra-claim', true],
    [data, 'data-dv', true],
    [{ name: 'dv', dataVolume: { name: 'dv' } }, 'dv', false],
  ])('%j', (volume, claim, isPlugged) => {
    expect(claimNameOf(volume)).toBe(claim);
    expect(isHotpluggable(volume)).toBe(isPlugged);
  });

  it('is plugged or there from the start', () => {
    expect(pluggedVolumes(withVolumes(root, disk, extra, data))).toEqual([
      { name: 'extra', claimName: 'extra-claim' },
      { name: 'data', claimName: 'data-dv' },
    ]);
    expect(pluggedVolumes(aVmi().build())).toEqual([]);
  });

  it('is brought by the pod that mounts its claim', () => {
    const pods = [attachment('a', ['other']), attachment('b', ['extra'])];
    expect(attachmentOf('extra', pods)?.metadata.name).toBe('b');
    expect(attachmentOf('hotplug-disks', pods)).toBeUndefined();
  });
});

describe('attachment pods', () => {
  const change = (vmi: Vmi, pods: readonly Pod[], pod = launcher) => {
    const { create, remove } = attachmentChange(vmi, pod, pods);
    return [create.map(({ name }) => name), remove.map(({ metadata }) => metadata.name)];
  };
  const leaving = { ...attachment('a', ['extra']), metadata: { name: 'a', deletionTimestamp: 'now' } };

  it.each<[string, Vmi, Pod[], string[], string[]]>([
    ['none is needed', withVolumes(root), [], [], []],
    ['one is missing', withVolumes(root, extra, data), [], ['extra', 'data'], []],
    ['it is there', withVolumes(extra), [attachment('a', ['extra'], 'Pending')], [], []],
    ['the only one leaves', withVolumes(extra), [leaving], ['extra'], []],
    ['a volume came', withVolumes(extra, data), [attachment('a', ['extra'])], ['extra', 'data'], []],
    [
      'a volume came, and the new one starts',
      withVolumes(extra, data),
      [attachment('a', ['extra']), attachment('b', ['extra', 'data'], 'Pending')],
      [],
      [],
    ],
    [
      'a volume came, and the new one runs',
      withVolumes(extra, data),
      [attachment('a', ['extra']), attachment('b', ['extra', 'data'])],
      [],
      ['a'],
    ],
    ['a volume went', withVolumes(extra), [attachment('a', ['extra', 'data'])], ['extra'], []],
    ['all went', withVolumes(root), [attachment('a', ['extra']), leaving], [], ['a']],
  ])('%s', (_, vmi, pods, create, remove) => {
    expect(change(vmi, pods)).toEqual([create, remove]);
  });

  it.each([
    ['the guest does not run', { ...withVolumes(extra), status: { phase: 'Scheduled' } }, launcher],
    ['the launcher is not ready', withVolumes(extra), aPod().build()],
  ])('nothing is done while %s', (_, vmi, pod) => {
    expect(change(vmi, [], pod)).toEqual([[], []]);
    expect(change({ ...vmi, spec: {} }, [attachment('a', ['extra'])], pod)).toEqual([[], []]);
  });
});

describe('the status of volumes', () => {
  const claimOf = (phase?: string): PersistentVolumeClaim => ({
    metadata: { name: 'extra-claim' },
    spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Block' },
    status: { phase },
  });
  const statusOf = (vmi: Vmi, attachments: readonly Pod[] = [], claim?: PersistentVolumeClaim) =>
    volumeStatusOf({ vmi, attachments, claim: () => claim });
  const withStatus = (
    vmi: Vmi,
    ...volumeStatus: NonNullable<NonNullable<Vmi['status']>['volumeStatus']>
  ): Vmi => ({
    ...vmi,
    status: { ...vmi.status, volumeStatus },
  });

  it('names volumes by name, with what is known of their claims', () => {
    expect(statusOf(withVolumes(root, disk), [], claimOf()).volumeStatus).toEqual([
      { name: 'disk', target: '' },
      {
        name: 'root',
        target: '',
        persistentVolumeClaimInfo: {
          claimName: 'root-claim',
          accessModes: ['ReadWriteOnce'],
          volumeMode: 'Block',
        },
      },
    ]);
    expect(statusOf(withVolumes(root)).volumeStatus).toEqual([
      { name: 'root', target: '', persistentVolumeClaimInfo: { claimName: 'root-claim' } },
    ]);
  });

  it.each([
    ['Bound', 'Bound', 'PVCBound'],
    [undefined, 'Bound', 'PVCBound'],
    ['Pending', 'Pending', 'PVCNotReady'],
  ])('a plugged volume whose claim is %s is %s', (claimPhase, phase, reason) => {
    const { volumeStatus, events } = statusOf(withVolumes(extra), [], claimOf(claimPhase));
    const message = `PVC is in phase ${claimPhase ?? 'Bound'}`;
    expect(volumeStatus).toMatchObject([{ name: 'extra', hotplugVolume: {}, phase, reason, message }]);
    expect(events).toEqual([]);
  });

  it('a plugged volume is attached when its pod is there', () => {
    const message = 'Created hotplug attachment pod a, for volume extra';
    const { volumeStatus, events } = statusOf(withVolumes(extra), [attachment('a', ['extra'], 'Pending')]);
    expect(volumeStatus).toMatchObject([
      { hotplugVolume: { attachPodName: 'a' }, phase: 'AttachedToNode', reason: 'SuccessfulCreate', message },
    ]);
    expect(events).toEqual([
      {
        kind: 'VirtualMachineInstance',
        namespace: 'shop',
        name: 'db',
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message,
      },
    ]);
  });

  it.each(['', 'Pending', 'Bound'])('also one that was %j', (phase) => {
    const vmi = withStatus(withVolumes(extra), { name: 'extra', hotplugVolume: {}, phase });
    expect(statusOf(vmi, [attachment('a', ['extra'])]).volumeStatus[0]?.phase).toBe('AttachedToNode');
  });

  it('a volume that virt-handler has taken on stays in its phase, and knows the pod when that runs', () => {
    const mounted = { name: 'extra', hotplugVolume: { attachPodName: 'a' }, phase: 'MountedToPod' };
    const vmi = withStatus(withVolumes(extra), mounted);
    const { volumeStatus, events } = statusOf(vmi, [attachment('a', ['extra'])]);
    expect(volumeStatus).toEqual([
      { ...mounted, hotplugVolume: { attachPodName: 'a', attachPodUID: 'uid-a' } },
    ]);
    expect(events).toEqual([]);
  });

  it('a volume that moved with its VMI has another pod', () => {
    const ready = {
      name: 'extra',
      hotplugVolume: { attachPodName: 'a', attachPodUID: 'uid-a' },
      phase: 'Ready',
    };
    const vmi = withStatus(withVolumes(extra), ready);
    const { volumeStatus } = statusOf(vmi, [attachment('b', ['extra'])]);
    expect(volumeStatus).toEqual([
      { ...ready, hotplugVolume: { attachPodName: 'b', attachPodUID: 'uid-b' } },
    ]);
  });

  it('is the same list where nothing has changed', () => {
    const held = withStatus(
      withVolumes(extra, root),
      { name: 'extra', hotplugVolume: { attachPodName: 'a', attachPodUID: 'uid-a' }, phase: 'Ready' },
      { name: 'root' },
    );
    expect(statusOf(held, [attachment('a', ['extra'])]).volumeStatus).toBe(held.status?.volumeStatus);
    expect(statusOf(held).volumeStatus).toBe(held.status?.volumeStatus);
    expect(statusOf(aVmi().build()).volumeStatus).toEqual([]);
  });

  describe('of a volume that is unplugged', () => {
    const ready = { name: 'extra', hotplugVolume: { attachPodName: 'a' }, phase: 'Ready' };

    it('says so until its pod is gone', () => {
      const vmi = withStatus(withVolumes(), ready);
      const message = 'Deleted hotplug attachment pod a, for volume extra';
      const { volumeStatus, events } = statusOf(vmi, [attachment('a', ['extra'])]);
      expect(volumeStatus).toEqual([{ ...ready, phase: 'Detaching', reason: 'SuccessfulDelete', message }]);
      expect(events).toMatchObject([{ reason: 'SuccessfulDelete', message }]);
      expect(statusOf(vmi).volumeStatus).toEqual([]);
    });

    it.each(['Detaching', 'UnMountedFromPod'])('once: %s stays', (phase) => {
      const vmi = withStatus(withVolumes(), { ...ready, phase });
      const result = statusOf(vmi, [attachment('a', ['extra'])]);
      expect(result.volumeStatus).toBe(vmi.status?.volumeStatus);
      expect(result.events).toEqual([]);
    });

    it('goes at once where it was there from the start', () => {
      const vmi = withStatus(withVolumes(), { name: 'extra' });
      expect(statusOf(vmi, [attachment('a', ['extra'])]).volumeStatus).toEqual([]);
    });
  });
});
