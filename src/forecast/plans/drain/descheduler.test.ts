import { expect, it } from 'vitest';
import { clusterObjects, type RawObject } from '../../../scenario/cluster.ts';
import type { ScenarioVm } from '../../../scenario/schema.ts';
import { DRAIN_DEFAULTS } from '../../questions.ts';
import { fleetOf } from '../../test-clusters.ts';
import { planDrain } from '../drain.ts';

const vms: readonly ScenarioVm[] = [
  { name: 'movable', node: 'n1', migratable: true, strategy: 'LiveMigrate' },
  { name: 'refused', node: 'n1', migratable: 'DisksNotLiveMigratable', strategy: 'LiveMigrate' },
  { name: 'fixed', node: 'n1', migratable: 'DisksNotLiveMigratable', strategy: 'LiveMigrateIfPossible' },
];

/** Asked for n1, where the launchers of these VMs are annotated to be evicted. */
function descheduled(annotated: readonly string[]) {
  const objects = clusterObjects({ nodes: ['n1', 'n2'], vms: [...vms] }).map((object) =>
    annotated.some((name) => isLauncherOf(object, name)) ? toBeEvicted(object) : object,
  );
  const question = { ...DRAIN_DEFAULTS, nodes: ['n1'], client: 'descheduler' } as const;
  const { spec, status } = planDrain(fleetOf(objects), question, { now: 0 });
  return { spec, ...status, outcomes: status.vms.map(({ outcome }) => outcome) };
}

const metadataOf = (object: RawObject) => object.metadata as { name: string; annotations?: object };

function isLauncherOf(object: RawObject, name: string): boolean {
  return object.kind === 'Pod' && metadataOf(object).name.includes(`-${name}-`);
}

function toBeEvicted(pod: RawObject): RawObject {
  const metadata = metadataOf(pod);
  const annotations = { ...metadata.annotations, 'descheduler.alpha.kubernetes.io/evict': 'true' };
  return { ...pod, metadata: { ...metadata, annotations } };
}

it('the descheduler as it comes passes over every VM, says so, and does not finish a drain', () => {
  const { vms: verdicts, outcomes, summary, notes } = descheduled([]);
  expect(outcomes).toEqual(['Untouched', 'Untouched', 'Untouched']);
  expect(verdicts[0]).toMatchObject({
    reason: 'PodsWithLocalStorage',
    remedies: [
      expect.stringContaining('descheduler.alpha.kubernetes.io/evict'),
      expect.stringContaining('PodsWithLocalStorage'),
    ],
  });
  expect(summary).toBe('The descheduler passes over 3 VMs; no VM is shut down.');
  expect(notes).toContain('descheduler: what is refused, it tries again in its next cycle.');
});

it('it evicts those that are annotated for it, whatever protects them', () => {
  expect(descheduled(['movable', 'fixed'])).toMatchObject({
    outcomes: ['Restarts', 'LiveMigrates', 'Untouched'],
    summary: 'The descheduler passes over 1 VM; 1 VM is shut down.',
  });
  expect(descheduled(['movable', 'fixed', 'refused']).summary).toBe(
    'The descheduler is refused 1 VM in every cycle; 1 VM is shut down.',
  );
  expect(descheduled(['movable', 'fixed', 'refused']).outcomes).toEqual([
    'Restarts',
    'LiveMigrates',
    'Blocks',
  ]);
});
