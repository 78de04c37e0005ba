import { describe, expect, it } from 'vitest';
import { type SoloMove, soloMoves } from '../src/decide/schedule/moves.ts';
import { playStarts } from '../src/decide/schedule/play.ts';
import { scheduleMoves } from '../src/decide/schedule/schedule.ts';
import { seededRandom } from '../src/simulation/seeded-random.ts';
import { playKubeVirtQueue } from './kubevirt-queue.ts';
import { mvmSeconds } from './mvm-estimate.ts';
import { type MvmInstance, mvmInstances } from './mvm-instances.ts';

const random = mvmInstances('random');
const decommission = mvmInstances('decommission');

interface Pair {
  readonly solo: SoloMove;
  readonly publishedSeconds: number;
}

/** Every published move that had its whole bandwidth, beside what the model makes of it alone. */
function pairs(instances: readonly MvmInstance[]): Pair[] {
  return instances.flatMap(({ input, published }) => {
    const solos = new Map(soloMoves(input).map((solo) => [solo.move.vm, solo]));
    return published.moves.flatMap(({ vm, start, end, bandwidthMbps }) => {
      const solo = solos.get(`vm${vm}`);
      return solo && solo.mbps === bandwidthMbps ? [{ solo, publishedSeconds: end - start }] : [];
    });
  });
}

describe('the published moves', () => {
  it('are all there, and all had their whole bandwidth', () => {
    expect(pairs(random)).toHaveLength(500);
    expect(pairs(decommission)).toHaveLength(96);
  });

  it('take as long alone in our model, within 2 s or 5 %', () => {
    const misses = [...pairs(random), ...pairs(decommission)].filter(
      ({ solo, publishedSeconds }) =>
        Math.abs(solo.seconds - publishedSeconds) > Math.max(2, 0.05 * publishedSeconds),
    );
    expect(misses).toEqual([]);
  });

  it('of the random instances follow from the formula of their authors, to the second', () => {
    for (const { solo, publishedSeconds } of pairs(random))
      expect(mvmSeconds(solo.move.memory, solo.mbps)).toBe(publishedSeconds);
  });

  it('of the decommissioning follow from it with every guest idle, whatever the data says of its hot set', () => {
    for (const { solo, publishedSeconds } of pairs(decommission)) {
      const idle = { ...solo.move.memory, hotSetMB: 5, hotSetSeconds: 2, coldDirtyMBps: 0 };
      expect(mvmSeconds(idle, solo.mbps)).toBe(publishedSeconds);
    }
  });
});

function scheduled({ input }: MvmInstance) {
  const schedule = scheduleMoves(input, seededRandom(1).next);
  const played = playStarts(input.wiring, schedule.moves);
  schedule.moves.forEach(({ endSeconds }, index) => {
    expect(played[index]?.endSeconds).toBeCloseTo(endSeconds, 3);
  });
  expect(schedule.unschedulable).toEqual([]);
  return schedule;
}

describe('our schedules', () => {
  it('beat the published plans of the random instances, each of them, with no move slower than alone', () => {
    const makespans = random.map((instance) => scheduled(instance).makespanSeconds);
    random.forEach(({ published }, index) => {
      expect(makespans[index]).toBeLessThan(published.makespanSeconds);
    });
    expect(makespans.reduce((sum, seconds) => sum + seconds, 0) / 50).toBeLessThan(213);
  });

  it('beat the published decommissioning', () => {
    for (const instance of decommission) {
      const { makespanSeconds, bound } = scheduled(instance);
      expect(makespanSeconds).toBeLessThanOrEqual(262);
      expect(bound.resource).toMatchObject({ kind: 'RackDown', of: 'r2' });
    }
  });
});

describe("KubeVirt's own queue", () => {
  const [first] = decommission;

  it('is the same for the same draws, and no faster than two from a node and five at once can be', () => {
    if (!first) throw new Error('there is a decommissioning');
    const play = playKubeVirtQueue(first.input, seededRandom(1).next);
    expect(playKubeVirtQueue(first.input, seededRandom(1).next)).toEqual(play);
    const total = soloMoves(first.input).reduce((sum, { seconds }) => sum + seconds, 0);
    expect(play.makespanSeconds).toBeGreaterThan(total / 5);
    expect(play.meanMoveSeconds).toBeGreaterThan(total / 96);
    expect(play.canceled).toBe(0);
  });
});
