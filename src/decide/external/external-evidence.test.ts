import { describe, expect, it } from 'vitest';
import { aHealthCheck, aMachine, aWorker } from '../../kubevirt/cluster-api/builders.ts';
import { cluster, clusterExternal, foresee, group, leftFor, type Scene } from './test-external-outcome.ts';

describe('C08: an External worker', () => {
  const three = cluster(group(3), aHealthCheck('50%'));
  const one = cluster(group(1), aHealthCheck('50%'));
  it.each<[string, Scene, string, string]>([
    ['A, g: replaced', { objects: three }, 'HandedOver', 'MachineReplaced'],
    [
      'A, h: deleted, not migrated',
      { objects: three, vmi: aWorker('True').build() },
      'HandedOver',
      'CapkDeletesMigratable',
    ],
    ['B, g: remediation held back', { objects: one }, 'HandedOver', 'RemediationHeldBack'],
    ['C, g: nobody acts', { controller: 'none' }, 'Blocks', 'NobodyActsOnMark'],
    ['C, h: nobody acts', { controller: 'none', vmi: aWorker('True').build() }, 'Blocks', 'NobodyActsOnMark'],
    [
      'with the backport, h: migrated',
      { controller: 'capk-backport', objects: three, vmi: aWorker('True').build() },
      'HandedOver',
      'CapkMigrates',
    ],
    [
      'with the backport, g: replaced',
      { controller: 'capk-backport', objects: three },
      'HandedOver',
      'MachineReplaced',
    ],
    [
      'with the backport, g alone: held back',
      { controller: 'capk-backport', objects: one },
      'HandedOver',
      'RemediationHeldBack',
    ],
  ])('%s', (_name, scene, outcome, reason) => {
    expect(foresee(scene)).toMatchObject({ reason, result: { outcome } });
  });
});

describe('the evidence', () => {
  const build = (value: string) => [
    { object: 'VirtualMachineInstance shop/w1', path: 'spec.evictionStrategy', value: 'External' },
    { object: 'external controller', path: 'build', value },
  ];
  const migratable = (value: string) => ({
    object: 'VirtualMachineInstance shop/w1',
    path: 'status.conditions[type=LiveMigratable]',
    value,
  });
  const phase = { object: 'Machine shop/w1', path: 'status.phase', value: 'Running' };
  const limit = { object: 'MachineHealthCheck shop/mhc', path: 'spec.maxUnhealthy', value: '50%' };
  const sick = (value: string) => ({
    object: 'MachineHealthCheck shop/mhc',
    path: 'machines that would not be healthy',
    value,
  });
  it.each<[string, Scene, unknown[]]>([
    ['NobodyActsOnMark', { controller: 'none' }, build('none')],
    ['NoKubevirtMachine', { objects: { kubevirtMachines: [] } }, build('capk-v0.1.10')],
    ['CapkBuildUnknown', { controller: 'unknown', objects: cluster([]) }, build('unknown')],
    ['ExternalControllerUnknown', { controller: 'unknown' }, build('unknown')],
    [
      'CapkWaitsForVmi',
      { vmi: aWorker().condition('Ready', 'False').build() },
      [
        { object: 'VirtualMachineInstance shop/w1', path: 'status.conditions[type=Ready]', value: 'False' },
        { object: 'VirtualMachineInstance shop/w1', path: 'status.interfaces', value: undefined },
      ],
    ],
    [
      'CapkOverlooksMark',
      { vmi: clusterExternal('True') },
      [
        { object: 'VirtualMachineInstance shop/w1', path: 'spec.evictionStrategy', value: undefined },
        { object: 'external controller', path: 'build', value: 'capk-v0.1.10' },
        migratable('True'),
      ],
    ],
    [
      'CapkTakesMarkForDone',
      { controller: 'capk-backport', vmi: leftFor('n7') },
      [
        { object: 'VirtualMachineInstance shop/w1', path: 'status.evacuationNodeName', value: 'n7' },
        { object: 'VirtualMachineInstance shop/w1', path: 'status.nodeName', value: 'n1' },
      ],
    ],
    [
      'CapkGivesMigrationUp',
      { controller: 'capk-backport', vmi: aWorker('True').migrationState({ failed: true }).build() },
      [
        migratable('True'),
        { object: 'VirtualMachineInstance shop/w1', path: 'status.migrationState.failed', value: true },
      ],
    ],
    ['CapkMigrates', { controller: 'capk-backport', vmi: aWorker('True').build() }, [migratable('True')]],
    ['CapkDeletesMigratable', { vmi: aWorker('True').build() }, [migratable('True')]],
    ['MachineNotInInput', {}, [migratable('False')]],
    ['NoHealthCheck', { objects: cluster(group(1)) }, [migratable('False'), phase]],
    [
      'RemediationHeldBack',
      { objects: cluster(group(1), aHealthCheck('50%')) },
      [migratable('False'), phase, limit, sick('1 of 1')],
    ],
    [
      'MachineKept',
      {
        objects: cluster(
          [{ ...aMachine(), metadata: { ...aMachine().metadata, ownerReferences: [] } }],
          aHealthCheck(),
        ),
      },
      [
        migratable('False'),
        phase,
        { object: 'Machine shop/w1', path: 'metadata.ownerReferences[controller=true]', value: undefined },
      ],
    ],
    [
      'MachineReplaced',
      { objects: cluster(group(2), aHealthCheck('50%')) },
      [
        migratable('False'),
        phase,
        limit,
        sick('1 of 2'),
        {
          object: 'Machine shop/w1',
          path: 'metadata.ownerReferences[controller=true]',
          value: 'MachineSet ms',
        },
      ],
    ],
  ])('of %s', (reason, scene, evidence) => {
    expect(foresee(scene)).toMatchObject({ reason, evidence });
  });
});
