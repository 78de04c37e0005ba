import { expect, it } from 'vitest';
import { drawFleet } from './fleet.ts';

const recipe = { nodes: 3, vms: 200, seed: 5, migratable: 0.5, strategies: { LiveMigrate: 3, None: 1 } };

it('spreads VMs evenly over the nodes', () => {
  const { nodes, vms } = drawFleet(recipe);
  expect(nodes).toEqual(
    ['node-0001', 'node-0002', 'node-0003'].map((name) => ({ name, cpu: 128, memory: '1Ti' })),
  );
  expect(vms.slice(0, 4).map(({ name, node }) => [name, node])).toEqual([
    ['vm-00001', 'node-0001'],
    ['vm-00002', 'node-0002'],
    ['vm-00003', 'node-0003'],
    ['vm-00004', 'node-0001'],
  ]);
});

it('draws by the weights', () => {
  const { vms } = drawFleet({ ...recipe, vms: 4000 });
  const share = (holds: (vm: (typeof vms)[number]) => boolean) => vms.filter(holds).length / vms.length;
  expect(share(({ strategy }) => strategy === 'LiveMigrate')).toBeCloseTo(0.75, 1);
  expect(share(({ strategy }) => strategy === 'None')).toBeCloseTo(0.25, 1);
  expect(share(({ migratable }) => migratable === true)).toBeCloseTo(0.5, 1);
});

it('draws the same fleet again, and begins a larger one with it', () => {
  expect(drawFleet(recipe)).toEqual(drawFleet(recipe));
  expect(drawFleet({ ...recipe, vms: 300 }).vms.slice(0, 200)).toEqual(drawFleet(recipe).vms);
  expect(drawFleet({ ...recipe, seed: 6 })).not.toEqual(drawFleet(recipe));
});

it('without weights takes what most clusters have', () => {
  expect(drawFleet({ nodes: 1, vms: 1 }).vms).toEqual([
    {
      ...{ name: 'vm-00001', node: 'node-0001', strategy: 'LiveMigrateIfPossible', runStrategy: 'Always' },
      ...{ memory: '4Gi', migratable: true },
    },
  ]);
});
