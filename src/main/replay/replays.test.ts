import { describe, expect, it } from 'vitest';
import { placeOf, recordingsIn, replayHistory } from './replays.ts';

const FOLDER = 'testdata/histories';

type Differences = Readonly<Record<string, readonly string[]>>;

/** What the simulator plays differently. A list to shorten: nothing may be added to it. */
const DIFFERENT: Differences = {
  // virt-controller was so busy that it saw the end of the guest before that of the pod.
  'random-cluster-3': ['VirtualMachineInstance/v02: condition Ready'],
};

const COUNT = 'KubeVirt/kubevirt: outdated';

/** The same where nothing but orders and nodes comes from the recording: races within virt-controller go the usual way. */
const STRICTLY_DIFFERENT: Differences = {
  // The updater has not seen its own count, or its own migrations, at its next pass, or it has.
  rollout: [COUNT],
  'random-cluster-8': [COUNT],
  'random-cluster-5': [
    COUNT,
    'VirtualMachineInstance/v12: events',
    'VirtualMachineInstanceMigration/VirtualMachineInstanceMigration of v12 #1: priority',
  ],
  'random-cluster-3': [COUNT, 'VirtualMachineInstance/v02: condition Ready'],
  // The VM controller lets go of the VMI of a guest that has ended before the VMI controller does, or behind.
  'random-cluster-2': [
    'VirtualMachineInstance/v02: condition Ready',
    'VirtualMachineInstance/v15: condition Ready',
  ],
};

describe.each([
  ['with races as recorded', false, DIFFERENT],
  ['strictly', true, STRICTLY_DIFFERENT],
])('the simulator does what the real control plane was recorded to do, %s', (_, strict, different) => {
  it.each(recordingsIn(FOLDER))('%s', { timeout: 180_000 }, async (name) => {
    const { agree, differing } = await replayHistory(FOLDER, name, { strict });
    expect(differing.map(({ object, field }) => `${object}: ${field}`)).toEqual(different[name] ?? []);
    expect(agree).toBeGreaterThan(0);
  });
});

describe('a folder of recordings', () => {
  it('may be a recording itself, as simulate --record writes one', () => {
    const { folder, only } = placeOf(`${FOLDER}/abort`, undefined);
    expect([folder.endsWith(`/${FOLDER}`), only]).toEqual([true, 'abort']);
  });

  it('is searched for all, or for one', () => {
    expect(placeOf(FOLDER, undefined)).toEqual({ folder: FOLDER, only: undefined });
    expect(placeOf(FOLDER, 'abort')).toEqual({ folder: FOLDER, only: 'abort' });
  });
});
