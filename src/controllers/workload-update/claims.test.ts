import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import type { Write } from '../../simulation/memory-cluster.ts';
import { aWorld, launcherOf, startUpdater, stuck, type World } from '../../simulation/test-world.ts';
import { batchMemoryIn } from '../batch-memory.ts';

const EVICT = ['Evict'];
const LOST = { ok: false, message: 'no answer within 30s' } as const;

/** The memory in the cluster, where the answer to every write that `isLost` says so of does not come. */
function losing(world: World, isLost: (text: string) => boolean) {
  const write = async (text: string) => {
    world.batchText = text;
    return isLost(text) ? LOST : { ok: true as const, name: 'lease' };
  };
  return batchMemoryIn({ read: () => world.batchText, write }, () => world.clock.now());
}

const isClaim = (text: string | undefined) => JSON.parse(text ?? '{}').accepted > 100;

describe('the claim in the cluster', () => {
  it('is there with every eviction, also after an answer to its end was lost', async () => {
    const world = aWorld(EVICT, stuck('db'));
    const claimed: boolean[] = [];
    const latencySeconds = ({ verb }: Write) => {
      if (verb === 'evict') claimed.push(isClaim(world.batchText));
      return 0;
    };
    startUpdater(world, { memory: losing(world, (text) => !isClaim(text)) }, { latencySeconds });
    await world.clock.advance(6);
    world.put(stuck('web'), launcherOf(stuck('web')));
    await world.clock.advance(30);
    expect(claimed).toEqual([true, true]);
  });

  it('ends with the pass, also where the gate has closed meanwhile', async () => {
    const world = aWorld(EVICT, stuck('db'));
    const closing = losing(world, (text) => {
      if (isClaim(text)) world.patch('KubeVirt', 'kubevirt/kubevirt', '/status/targetDeploymentID', 'next');
      return false;
    });
    startUpdater(world, { memory: closing });
    await world.clock.advance(6);
    expect(world.wrote('evict')).toEqual([]);
    expect(isClaim(world.batchText)).toBe(false);
  });

  it('ends with the pass, also where nobody knows whether it was written', async () => {
    const world = aWorld(EVICT, stuck('db'));
    let claims = 0;
    startUpdater(world, { memory: losing(world, (text) => isClaim(text) && claims++ === 0) });
    await world.clock.advance(5.5);
    expect([claims, world.wrote('evict'), isClaim(world.batchText)]).toEqual([1, [], false]);
    await world.clock.advance(5);
    expect(world.wrote('evict')).toHaveLength(1);
  });

  it('that could not be written moves no batch, exactly as KubeVirt plans them', async () => {
    const world = aWorld(EVICT, stuck('db'));
    world.put(aKubeVirt().methods('Evict').batches(1, '60s').build());
    let claims = 0;
    const memory = losing(world, (text) => isClaim(text) && claims++ === 0);
    startUpdater(world, { memory, behavior: 'exact' });
    await world.clock.advance(11);
    expect([claims, world.wrote('evict')]).toMatchObject([2, { length: 1 }]);
  });
});
