import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import { aWorld, movable, names, startUpdater, stuck } from '../../simulation/test-world.ts';

const LIVE = ['LiveMigrate'];
const BOTH = ['LiveMigrate', 'Evict'];

describe('closed gates', () => {
  it.each([
    [
      'an upgrade is under way',
      { phase: 'Deployed', observedDeploymentID: 'a', targetDeploymentID: 'b' },
      'GateDeploymentInProgress',
    ],
    ['KubeVirt is not deployed', { phase: 'Deploying' }, 'GateNotDeployed'],
  ])('nothing is written while %s', async (_, status, reason) => {
    const world = aWorld(BOTH, movable('db'), stuck('web'));
    world.put({
      ...aKubeVirt()
        .methods(...BOTH)
        .build(),
      status,
    });
    startUpdater(world);
    await world.clock.advance(300);
    expect(world.writes).toEqual([]);
    expect(world.journal).toMatchObject([{ decision: 'gate', object: 'KubeVirt kubevirt/kubevirt', reason }]);
    expect(world.records.metric('drover_gate_open', 'controller=workload-update')).toBe(0);
    world.put(
      aKubeVirt()
        .methods(...BOTH)
        .build(),
    );
    await world.clock.advance(6);
    expect(world.migrations()).toHaveLength(1);
    expect(world.records.metric('drover_gate_open', 'controller=workload-update')).toBe(1);
  });

  it('nothing is written while the launcher image is not known', async () => {
    const world = aWorld(BOTH, movable('db'));
    let image: string | undefined;
    const { controller } = startUpdater(world, { launcherImage: () => image });
    await world.clock.advance(60);
    expect(world.writes).toEqual([]);
    image = 'launcher:v2';
    controller.wake();
    await world.clock.advance(6);
    expect(world.migrations()).toHaveLength(1);
  });

  it('a gate that closes while the count is written is closed for the rest of the pass', async () => {
    const world = aWorld(BOTH, movable('db'), stuck('web'));
    startUpdater(
      world,
      {},
      {
        faultOf: ({ verb }: { verb: string }) => {
          if (verb === 'patch')
            world.patch('KubeVirt', 'kubevirt/kubevirt', '/status/targetDeploymentID', 'next');
          return undefined;
        },
      },
    );
    await world.clock.advance(60);
    expect(world.wrote('patch')).toHaveLength(1);
    expect([...world.wrote('create'), ...world.wrote('evict')]).toEqual([]);
  });

  it('a failed count ends the pass, which is tried again', async () => {
    const world = aWorld(LIVE, movable('db'));
    const answer = { ok: false, code: 500, message: 'no' } as const;
    let fails = true;
    startUpdater(
      world,
      {},
      {
        faultOf: ({ verb }: { verb: string }) => (verb === 'patch' && fails ? { answer } : undefined),
      },
    );
    await world.clock.advance(6);
    expect(world.migrations()).toEqual([]);
    expect(world.log.entries[0]?.fields).toMatchObject({
      problem:
        'unable to patch kubevirt obj status to update the outdatedVirtualMachineInstanceWorkloads valued: no',
    });
    fails = false;
    await world.clock.advance(5);
    expect(world.migrations()).toHaveLength(1);
  });

  it('migrations that are not seen keep the gate closed, for five minutes at most', async () => {
    const world = aWorld(LIVE, ...names(7).map(movable));
    const { cluster } = startUpdater(world);
    await world.clock.advance(4);
    cluster.hold();
    await world.clock.advance(2);
    expect(world.migrations()).toHaveLength(5);
    await world.clock.advance(290);
    expect(world.migrations()).toHaveLength(5);
    await world.clock.advance(60);
    // Nothing is seen still: the names are the same, so that nothing is made twice.
    expect(world.migrations().length).toBeLessThanOrEqual(7);
    expect(new Set(world.migrations().map(({ vmi }) => vmi)).size).toBe(world.migrations().length);
  });
});
