import { expect, it } from 'vitest';
import { clusterObjects } from '../../scenario/cluster.ts';
import type { ScenarioVm } from '../../scenario/schema.ts';
import { fleetOf } from '../test-clusters.ts';
import { planEdit } from './edit.ts';

const RUNNING: ScenarioVm = { name: 'db', node: 'n1', migratable: true, strategy: 'LiveMigrate', sockets: 2 };

it.each<[string, ScenarioVm, string]>([
  [
    'that asks for a restart',
    RUNNING,
    'The VM keeps running as it is; the edit counts from its next restart.',
  ],
  [
    'of a VM that does not run',
    { name: 'db', phase: 'Stopped' },
    'The VM does not run; the edit counts from its next start.',
  ],
])('the answer to an edit %s says when it counts', (_, vm, summary) => {
  const fleet = fleetOf(clusterObjects({ nodes: ['n1', 'n2'], vms: [vm] }));
  const { status } = planEdit(
    fleet,
    { vm: 'default/db', set: [{ path: 'cpu.cores', value: '4' }] },
    { now: 0 },
  );
  expect(status.summary).toBe(summary);
});
