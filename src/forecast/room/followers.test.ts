import { expect, it } from 'vitest';
import type { ScenarioVm } from '../../scenario/schema.ts';
import { upgraded } from '../others/test-after-others.ts';

const term = { labelSelector: { matchLabels: { pool: 'web' } }, topologyKey: 'kubernetes.io/hostname' };
const follower: ScenarioVm = {
  ...{ name: 'follower', node: 'n1', migratable: true, strategy: 'LiveMigrate' },
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
};
const leader: ScenarioVm = { ...follower, name: 'leader', affinity: undefined, labels: { pool: 'web' } };

const told = (change: Partial<ScenarioVm>) =>
  upgraded({ nodes: ['n1', 'n2'], vms: [follower, { ...leader, ...change }] }).get('follower');

it('a VM that must be beside one that moves may follow it', () => {
  expect(told({})).toMatchObject({
    outcome: 'NeverCompletes',
    reason: 'NoNodeFits',
    message: expect.stringMatching(/; should default\/leader come to a node that takes it, it follows$/),
  });
});

it.each<[string, Partial<ScenarioVm>]>([
  ['stays', { launcher: 'L2' }],
  ['is another', { labels: { pool: 'db' } }],
])('nobody is followed who %s', (_, change) => {
  expect(told(change)?.message).not.toContain('it follows');
});
