import { describe, expect, it } from 'vitest';
import { aKubeVirt, aPod, aVmi } from '../../kubevirt/builders.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import type { Fault, Write } from '../../simulation/memory-cluster.ts';
import {
  anOldVmi,
  aRoomyNode,
  aWorld,
  evacuationPasses,
  startEvacuator,
} from '../../simulation/test-world.ts';
import { DeedsInHand } from '../in-hand.ts';

const marked = (name: string) => anOldVmi(name).migratable().marked();

/** The first so many writes fail, and nothing tells whether they were carried out. */
function losing(count: number) {
  let lost = 0;
  const faultOf = (): Fault | undefined =>
    lost++ < count ? { answer: { ok: false, message: 'no answer within 30s' } } : undefined;
  return { faultOf };
}

describe('a VMI that waits to leave its node', () => {
  it('is tried again a minute after a creation of which nobody knows', async () => {
    const world = aWorld([], marked('db').build());
    startEvacuator(world, {}, losing(1));
    await world.clock.advance(299);
    expect(world.wrote('create')).toEqual(['shop@0', 'shop@60']);
  });

  it('is tried at once when what another controller sent for it was not done', async () => {
    const vmi = marked('db').build();
    const world = aWorld([], vmi);
    const inHand = new DeedsInHand(world.clock);
    inHand.take(vmi, { kind: 'migrate', name: 'other' });
    startEvacuator(world, { inHand });
    await world.clock.advance(10);
    expect(world.migrations()).toEqual([]);
    inHand.release(vmi);
    await world.clock.settle();
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('is not forgotten where a node comes for it while a pass over its own is under way', async () => {
    const picky = marked('gpu').spec({ nodeSelector: { gpu: 'yes' } });
    const world = aWorld([], marked('db').build(), picky.build());
    const latencySeconds = ({ verb }: Write) => (verb === 'create' ? 30 : 0);
    startEvacuator(world, {}, { ...losing(1), latencySeconds });
    await world.clock.advance(3);
    world.put(aRoomyNode('n3').labelled('gpu', 'yes').build());
    await world.clock.advance(63);
    expect(world.migrations()).toMatchObject([{ vmi: 'gpu' }]);
  });

  it('is looked at when its last migration has ended by the clock of its node, which is ahead', async () => {
    const world = aWorld([]);
    const at = (seconds: number) => formatInstant(world.clock.now() + seconds * 1000);
    const migrationState = { startTimestamp: at(-60), endTimestamp: at(20) };
    world.put(marked('db').status({ migrationState }).build());
    startEvacuator(world);
    await world.clock.advance(19);
    expect(world.migrations()).toEqual([]);
    await world.clock.advance(2);
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('is looked at when the strategy of the cluster becomes one that migrates', async () => {
    const vmi = aVmi('db').on('n1').migratable().marked().build();
    const world = aWorld([], vmi);
    startEvacuator(world);
    await world.clock.advance(10);
    expect(world.migrations()).toEqual([]);
    world.put(
      aKubeVirt()
        .spec({ configuration: { evictionStrategy: 'LiveMigrate' } })
        .build(),
    );
    await world.clock.settle();
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('is looked at when its node has the drain taint by another key', async () => {
    const world = aWorld([], anOldVmi('db').migratable().build());
    world.put(aRoomyNode('n1').tainted('drain').build());
    startEvacuator(world);
    await world.clock.advance(10);
    expect(world.migrations()).toEqual([]);
    world.put(
      aKubeVirt()
        .spec({ configuration: { migrations: { nodeDrainTaintKey: 'drain' } } })
        .build(),
    );
    await world.clock.settle();
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('is looked at when a pod that was left over ends, also where the drain taint moves it', async () => {
    const vmi = anOldVmi('db').migratable().build();
    const world = aWorld([], vmi);
    world.put(
      aRoomyNode('n1').tainted('kubevirt.io/drain').build(),
      aPod('virt-launcher-db-0').on('n2').launcherOf(vmi).build(),
    );
    startEvacuator(world);
    await world.clock.advance(10);
    expect(world.migrations()).toEqual([]);
    world.api.delete('Pod', 'shop/virt-launcher-db-0', { graceSeconds: 0 });
    await world.clock.settle();
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it('is not looked at for a status of the CR', async () => {
    const world = aWorld([], marked('db').build());
    startEvacuator(world);
    await world.clock.advance(10);
    const before = evacuationPasses(world);
    world.patch('KubeVirt', 'kubevirt/kubevirt', '/status/outdatedVirtualMachineInstanceWorkloads', 3);
    await world.clock.advance(10);
    expect(evacuationPasses(world)).toBe(before);
  });
});
