import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import { anOldVmi, aWorld, MIGRATION, movable, startUpdater, stuck } from '../../simulation/test-world.ts';
import type { StrategySource } from '../strategy.ts';

const LIVE = ['LiveMigrate'];
const BOTH = ['LiveMigrate', 'Evict'];

describe('an own strategy', () => {
  const own = (methods: string[]): { strategy: () => StrategySource } => ({
    strategy: () => ({ kind: 'own', methods, batchEvictionSize: 1, batchEvictionIntervalSeconds: 60 }),
  });

  it('acts, leaves the count alone and sends no priority', async () => {
    const world = aWorld([], movable('db'), stuck('web'), stuck('ci'));
    startUpdater(world, { ...own(BOTH), sendsPriority: true });
    await world.clock.advance(30);
    expect(world.wrote('patch')).toEqual([]);
    expect(world.wrote('evict')).toHaveLength(1);
    expect([...world.api.list(MIGRATION)]).toMatchObject([{ spec: { vmiName: 'db' } }]);
    expect([...world.api.list(MIGRATION)][0]).not.toHaveProperty('spec.priority');
    expect(world.records.metric('kubevirt_vmi_number_of_outdated')).toBeUndefined();
    expect(world.records.metric('drover_outdated_vmis')).toBe(3);
  });

  it('drives live updates of VMIs with a current launcher', async () => {
    const vmi = anOldVmi('db').launcher('launcher:v2').migratable().build();
    const world = aWorld([], vmi);
    startUpdater(world, own(LIVE));
    await world.clock.advance(30);
    expect(world.migrations()).toEqual([]);
    world.patch('VirtualMachineInstance', 'shop/db', '/status/conditions/-', {
      type: 'HotVCPUChange',
      status: 'True',
    });
    await world.clock.advance(6);
    expect(world.migrations()).toMatchObject([{ vmi: 'db' }]);
  });

  it("is told as a closed gate where the CR's methods drive as well", async () => {
    const world = aWorld(LIVE, movable('db'));
    startUpdater(world, own(BOTH));
    await world.clock.advance(6);
    expect(world.records.metric('drover_gate_open', 'controller=workload-update')).toBe(0);
    expect(world.journal).toMatchObject([{ decision: 'gate', reason: 'TwoUpdaters' }]);
    world.put(aKubeVirt().build());
    await world.clock.advance(6);
    expect(world.records.metric('drover_gate_open', 'controller=workload-update')).toBe(1);
  });

  it("ends in the middle of a pass, once the CR's methods drive as well", async () => {
    const world = aWorld([], movable('db'), stuck('web'));
    const memory = {
      load: async () => undefined,
      save: async () => {
        world.put(aKubeVirt().methods('Evict').build());
        await world.clock.settle();
        return { ok: true as const, name: 'lease' };
      },
    };
    startUpdater(world, { ...own(BOTH), memory });
    await world.clock.advance(30);
    expect(world.writes).toEqual([]);
    expect(world.log.entries[0]).toMatchObject({ level: 'error', fields: { code: 'TwoUpdaters' } });
  });

  it('does not run beside methods in the CR, and says why', async () => {
    const world = aWorld(LIVE, movable('db'));
    startUpdater(world, own(BOTH));
    await world.clock.advance(60);
    expect(world.writes).toEqual([]);
    expect(world.log.entries[0]).toMatchObject({ level: 'error', fields: { code: 'TwoUpdaters' } });
    world.put(aKubeVirt().build());
    await world.clock.advance(6);
    expect(world.migrations()).toHaveLength(1);
  });
});

describe('beside a virt-controller that runs', () => {
  it("the CR's strategy is followed by one alone, and the count is left to it", async () => {
    let runs = true;
    const world = aWorld(LIVE, movable('db'), stuck('web'));
    const { controller: updater } = startUpdater(world, { isBuiltInRunning: () => runs });
    await world.clock.advance(60);
    expect(world.writes).toEqual([]);
    expect(world.log.entries[0]).toMatchObject({ level: 'error', fields: { code: 'TwoUpdaters' } });
    world.put(aKubeVirt().build());
    await world.clock.advance(6);
    expect(world.writes).toEqual([]);
    expect(world.records.metric('drover_outdated_vmis')).toBe(2);
    expect(world.records.metric('kubevirt_vmi_number_of_outdated')).toBeUndefined();
    runs = false;
    updater.wake();
    await world.clock.advance(6);
    expect(world.wrote('patch')).toHaveLength(1);
  });
});
