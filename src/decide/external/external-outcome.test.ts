import { describe, expect, it } from 'vitest';
import { aHealthCheck, aMachine, aWorker } from '../../kubevirt/cluster-api/builders.ts';
import { cluster, clusterExternal, foresee, group, leftFor, type Scene } from './test-external-outcome.ts';

const BLOCKS = 'refuses eviction: ';
const SWITCH = 'Set evictionStrategy LiveMigrateIfPossible on the VM and restart it once.';
const STOP = ['Shut shop/w1 down: virtctl stop w1 -n shop.', SWITCH];
const MOVE = ['Migrate shop/w1 by hand: virtctl migrate w1 -n shop.', SWITCH];
const NAME = ['Say which controller acts: --external capk-v0.1.10, capk-backport or none.'];
const NOBODY = `${BLOCKS}KubeVirt only marks a VMI with strategy External, and no controller acts on the mark`;

const FAILED =
  "is handed over to CAPK, which marks its Machine as failed for good, drains the guest's node for up to 10 minutes and deletes the VMI: ";

const noAddress = [{ name: 'default' }];
const OVERLOOKS = `${BLOCKS}it is only marked, and CAPK overlooks the mark, since External is the cluster's strategy and not in the VMI's own spec`;
const OWN = 'Set evictionStrategy External on the VM and restart it once.';

describe('what is said of it', () => {
  const migratable = aWorker('True').build();
  it.each<[string, Scene, string, readonly string[]]>([
    ['NobodyActsOnMark', { controller: 'none' }, NOBODY, STOP],
    ['NobodyActsOnMark', { controller: 'none', vmi: migratable }, NOBODY, MOVE],
    [
      'NoKubevirtMachine',
      { objects: { kubevirtMachines: [] } },
      `${BLOCKS}it is only marked, and CAPK has no KubevirtMachine for it`,
      STOP,
    ],
    [
      'CapkBuildUnknown',
      { controller: 'unknown', objects: cluster([]) },
      'is handed over to CAPK: it moves the VM or restarts it, and which of the two is for the build of CAPK to say',
      NAME,
    ],
    [
      'ExternalControllerUnknown',
      { controller: 'unknown' },
      'is only marked for evacuation: its external controller decides, and it is not known which one that is',
      NAME,
    ],
    [
      'ExternalControllerUnknown',
      { controller: 'unknown', objects: { kubevirtMachines: [] } },
      'is only marked for evacuation: its external controller decides, and it is not known which one that is',
      NAME,
    ],
    [
      'CapkWaitsForVmi',
      { vmi: aWorker('True').condition('Ready', 'False').build() },
      `${BLOCKS}it is only marked, and CAPK waits until the VMI is Ready`,
      [],
    ],
    [
      'CapkWaitsForVmi',
      { vmi: aWorker('True').status({ interfaces: noAddress }).build() },
      `${BLOCKS}it is only marked, and CAPK waits until the VMI has an address`,
      [],
    ],
    [
      'CapkOverlooksMark',
      { vmi: clusterExternal('True'), objects: cluster(group(3), aHealthCheck()) },
      OVERLOOKS,
      [MOVE[0] ?? '', OWN],
    ],
    [
      'CapkOverlooksMark',
      { vmi: clusterExternal('False') },
      `${OVERLOOKS}; its Machine is marked as failed for good all the same`,
      [STOP[0] ?? '', OWN],
    ],
    [
      'CapkOverlooksMark',
      { vmi: clusterExternal('False'), objects: cluster(group(1), aHealthCheck('50%')) },
      `${OVERLOOKS}; its Machine is marked as failed for good all the same`,
      [STOP[0] ?? '', OWN],
    ],
    [
      'MachineReplaced',
      { vmi: clusterExternal('False'), objects: cluster(group(2), aHealthCheck('50%')) },
      'is handed over to CAPK, which leaves the VMI alone, since its own spec does not say External, and marks its Machine as failed for good: MachineHealthCheck mhc has Machine w1 replaced by a new one',
      [],
    ],
    [
      'CapkTakesMarkForDone',
      { controller: 'capk-backport', vmi: leftFor('n7') },
      `${BLOCKS}it still carries the mark of node n7, which it has left, so CAPK takes it for migrated`,
      [
        'Clear the mark: PUT …/namespaces/shop/virtualmachineinstances/w1/evacuate/cancel with evacuationNodeName: n7',
      ],
    ],
    [
      'CapkGivesMigrationUp',
      { controller: 'capk-backport', vmi: aWorker('True').migrationState({ failed: true }).build() },
      "is handed over to CAPK, which does not migrate it, for an earlier migration failed: it drains the guest's node for up to 10 minutes and deletes the VMI, and the VM restarts",
      [],
    ],
    [
      'CapkMigrates',
      { controller: 'capk-backport', vmi: migratable },
      "is handed over to CAPK, which live-migrates it; should that fail, CAPK drains the guest's node and deletes the VMI, and the VM restarts",
      [],
    ],
    [
      'CapkDeletesMigratable',
      { vmi: migratable },
      "is handed over to CAPK v0.1.10, which deletes the VMI though it could migrate, after draining the guest's node for up to 10 minutes if it finds that node at all; the VM restarts",
      [
        'Set evictionStrategy LiveMigrateIfPossible on the VM and restart it once: then KubeVirt migrates it.',
      ],
    ],
    [
      'MachineNotInInput',
      {},
      `${FAILED}the VM restarts, and whether its Machine is replaced besides depends on Machines and MachineHealthChecks that are not in the input`,
      [],
    ],
    [
      'MachineNotInInput',
      { objects: { machines: group(1) } },
      `${FAILED}the VM restarts, and whether its Machine is replaced besides depends on Machines and MachineHealthChecks that are not in the input`,
      [],
    ],
    [
      'NoHealthCheck',
      { objects: cluster(group(2)) },
      `${FAILED}the VM restarts in place, and Machine w1 stays failed: no MachineHealthCheck looks after it`,
      [],
    ],
    [
      'RemediationHeldBack',
      { objects: cluster(group(1), aHealthCheck('50%')) },
      `${FAILED}the VM restarts in place, and Machine w1 stays failed: 1 of 1 machines would not be healthy, and MachineHealthCheck mhc replaces none beyond 0`,
      [],
    ],
    [
      'RemediationHeldBack',
      { objects: cluster(group(3), aHealthCheck('half')) },
      `${FAILED}the VM restarts in place, and Machine w1 stays failed: 1 of 3 machines would not be healthy, and MachineHealthCheck mhc replaces none beyond a limit that it does not state properly`,
      [],
    ],
    [
      'MachineKept',
      {
        objects: cluster(
          [{ ...aMachine(), metadata: { ...aMachine().metadata, ownerReferences: [] } }],
          aHealthCheck(),
        ),
      },
      `${FAILED}the VM restarts in place, and Machine w1 stays failed: no MachineSet replaces it`,
      [],
    ],
    [
      'MachineReplaced',
      { objects: cluster(group(2), aHealthCheck('50%')) },
      `${FAILED}MachineHealthCheck mhc has Machine w1 replaced by a new one`,
      [],
    ],
  ])('%s (%#)', (reason, scene, says, remedies) => {
    const decided = foresee(scene);
    expect(decided.reason).toBe(reason);
    expect(decided.result).toMatchObject({ says, remedies });
  });

  it.each<[string, Scene, string]>([
    [
      'no condition says that it is not Ready',
      { controller: 'capk-backport', vmi: aWorker('True').build() },
      'CapkMigrates',
    ],
    [
      'it is Ready',
      { controller: 'capk-backport', vmi: aWorker('True').condition('Ready', 'True').build() },
      'CapkMigrates',
    ],
    [
      'no interfaces are listed',
      { controller: 'capk-backport', vmi: aWorker('True').status({ interfaces: [] }).build() },
      'CapkMigrates',
    ],
    [
      'one interface has an address',
      {
        controller: 'capk-backport',
        vmi: aWorker('True')
          .status({ interfaces: [...noAddress, { ipAddress: '10.0.0.1' }] })
          .build(),
      },
      'CapkMigrates',
    ],
    [
      'an earlier migration that did not fail',
      { controller: 'capk-backport', vmi: aWorker('True').migrationState({ completed: true }).build() },
      'CapkMigrates',
    ],
    [
      'v0.1.10 does not look at earlier migrations',
      { vmi: aWorker('True').migrationState({ failed: true }).build() },
      'CapkDeletesMigratable',
    ],
    [
      'a VMI that cannot migrate has its Machine failed',
      { controller: 'capk-backport', vmi: aWorker('False').migrationState({ failed: true }).build() },
      'MachineNotInInput',
    ],
    ['v0.1.10 has no defects: it migrates', { behavior: 'intended', vmi: leftFor('n1') }, 'CapkMigrates'],
    [
      'v0.1.10 has no defects: an earlier migration failed',
      { behavior: 'intended', vmi: aWorker('True').migrationState({ failed: true }).build() },
      'CapkGivesMigrationUp',
    ],
    [
      'v0.1.10 has no defects: it has moved',
      { behavior: 'intended', vmi: leftFor('n7') },
      'CapkTakesMarkForDone',
    ],
    ['v0.1.10 deletes a VMI whatever node its mark names', { vmi: leftFor('n7') }, 'CapkDeletesMigratable'],
    [
      'the eviction that is asked for leaves the mark',
      { controller: 'capk-backport', vmi: leftFor('') },
      'CapkMigrates',
    ],
    [
      'it cannot migrate, and carries the mark of another node',
      {
        controller: 'capk-backport',
        vmi: aWorker('False').status({ evacuationNodeName: 'n7' }).build(),
      },
      'MachineNotInInput',
    ],
    ['a VMI that says nothing about migrating', { vmi: aWorker().build() }, 'MachineNotInInput'],
  ])('where %s', (_name, scene, reason) => {
    expect(foresee(scene).reason).toBe(reason);
  });
});
