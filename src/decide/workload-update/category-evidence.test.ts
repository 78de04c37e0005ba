import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import { decide, traceOf } from '../rules.ts';
import { type CategoryInput, categoryTable } from './categorise.ts';
import { ABORT, BOTH, current, foreign, input, own, stale } from './test-category.ts';

const migrating = { startTimestamp: '2026-03-01T11:59:00Z' };
const movingVolumes = () =>
  stale().status({
    migratedVolumes: [{ volumeName: 'root' }],
    volumeStatus: [{ name: 'root', persistentVolumeClaimInfo: { accessModes: ['ReadWriteOnce'] } }],
  });

describe('the evidence of a category', () => {
  const about = (path: string, value: unknown) => ({ object: 'VirtualMachineInstance shop/db', path, value });
  const image = (value: string | undefined) => about('status.launcherContainerImageVersion', value);
  const wanted = { object: 'Deployment virt-controller', path: 'args[--launcher-image]', value: 'v2' };
  const methods = (value: string[]) => ({
    object: 'KubeVirt',
    path: 'spec.workloadUpdateStrategy.workloadUpdateMethods',
    value,
  });
  const migratable = (value: string | undefined) => about('status.conditions[type=LiveMigratable]', value);
  const phaseOf = (name: string, value: string) => ({
    object: `VirtualMachineInstanceMigration shop/${name}`,
    path: 'status.phase',
    value,
  });
  const evidenceFor = (vmi: ReturnType<typeof aVmi>, change?: Partial<CategoryInput>) =>
    decide(categoryTable, input(vmi, change)).evidence;

  it('tells phase and deletion', () => {
    expect(evidenceFor(stale().phase('Failed'))).toEqual([about('status.phase', 'Failed')]);
    expect(evidenceFor(stale().deleting('2026-03-01T11:00:00Z'))).toEqual([
      about('metadata.deletionTimestamp', '2026-03-01T11:00:00Z'),
    ]);
  });

  it('tells the two images', () => {
    expect(evidenceFor(current())).toEqual([image('v2'), wanted]);
    expect(evidenceFor(aVmi('db'))).toEqual([image(undefined), wanted]);
  });

  it('tells which migration is aborted, and why', () => {
    const vmi = current()
      .annotated(ABORT, 'yes')
      .condition('MigrationRequired', 'True', 'AutoMigration', 'a NAD');
    expect(evidenceFor(vmi, { unfinishedMigrations: [foreign, own] })).toEqual([
      image('v2'),
      wanted,
      phaseOf('own', 'Scheduling'),
      about(`metadata.annotations[${ABORT}]`, 'yes'),
      about('status.conditions[type=MigrationRequired]', 'True: AutoMigration: a NAD'),
      about('status.migrationState.targetNodeDomainReadyTimestamp', undefined),
    ]);
  });

  it('tells the state of the migration under way, or the migrations in the way', () => {
    expect(evidenceFor(stale().migrationState(migrating))).toEqual([
      about('status.migrationState.startTimestamp', '2026-03-01T11:59:00Z'),
      about('status.migrationState.endTimestamp', undefined),
    ]);
    expect(evidenceFor(stale(), { unfinishedMigrations: [foreign, own] })).toEqual([
      phaseOf('foreign', 'Pending'),
      phaseOf('own', 'Scheduling'),
    ]);
  });

  it('tells what makes it count, the methods, and whether it can migrate', () => {
    expect(evidenceFor(stale().migratable())).toEqual([
      image('v1'),
      wanted,
      methods(BOTH),
      migratable('True'),
    ]);
    expect(
      evidenceFor(stale().migratable('False', 'DisksNotLiveMigratable', 'RWO'), { methods: ['Evict'] }),
    ).toEqual([image('v1'), wanted, methods(['Evict']), migratable('False: DisksNotLiveMigratable: RWO')]);
    expect(evidenceFor(stale(), { methods: [] })).toEqual([
      image('v1'),
      wanted,
      methods([]),
      migratable(undefined),
    ]);
  });

  it('tells every pending change of a VMI that is current', () => {
    const vmi = current()
      .condition('VolumesChange', 'True')
      .condition('HotVCPUChange', 'False')
      .condition('HotMemoryChange', 'True')
      .condition('MigrationRequired', 'False');
    expect(evidenceFor(vmi, { methods: ['Evict'] })).toEqual([
      about('status.conditions[type=HotVCPUChange]', 'False'),
      about('status.conditions[type=HotMemoryChange]', 'True'),
      about('status.conditions[type=MigrationRequired]', 'False'),
      about('status.conditions[type=VolumesChange]', 'True'),
      methods(['Evict']),
      migratable(undefined),
    ]);
  });

  it('tells the condition that decided where there are two', () => {
    expect(evidenceFor(stale().migratable('False').migratable('True', 'Yes'))).toContainEqual(
      migratable('True: Yes'),
    );
    expect(evidenceFor(stale().migratable('False').migratable('Unknown'))).toContainEqual(
      migratable('False'),
    );
    expect(evidenceFor(stale().condition('Ready', 'True').migratable())).toContainEqual(migratable('True'));
  });

  it('tells the volumes that move', () => {
    expect(evidenceFor(movingVolumes())).toEqual([
      image('v1'),
      wanted,
      methods(BOTH),
      about('status.migratedVolumes', ['root']),
    ]);
  });

  it('can be told of every rule that was tried', () => {
    const steps = traceOf(categoryTable, input(stale(), { methods: [] }));
    expect(steps.map(({ rule, held }) => [rule, held])).toEqual(
      categoryTable.map(({ name }) => [name, name === 'NoMethodApplies']),
    );
    expect(steps.find(({ rule }) => rule === 'VolumesMigratable')?.evidence).toContainEqual(
      about('status.migratedVolumes', undefined),
    );
  });
});
