import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import type { CategoryInput } from './categorise.ts';

/** 2026-03-01T12:00:00Z */
const NOW = 1_772_366_400_000;
export const BOTH = ['LiveMigrate', 'Evict'];
export const ABORT = 'kubevirt.io/testWorkloadUpdateMigrationAbortion';
export const stale = () => aVmi('db').launcher('v1');
export const current = () => aVmi('db').launcher('v2');
export const own = aMigration('own').workloadUpdate().phase('Scheduling').build();
export const foreign = aMigration('foreign').phase('Pending').build();

export const input = (vmi: ReturnType<typeof aVmi>, change: Partial<CategoryInput> = {}): CategoryInput => ({
  vmi: vmi.build(),
  launcherImage: 'v2',
  methods: BOTH,
  unfinishedMigrations: [],
  now: NOW,
  ...change,
});
