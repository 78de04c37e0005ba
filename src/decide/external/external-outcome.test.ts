import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import {
  aHealthCheck,
  aKubevirtMachine,
  aMachine,
  annotated,
  aWorker,
  deleting,
  failed,
  NOW,
} from '../../kubevirt/cluster-api/builders.ts';
import type { Machine, MachineHealthCheck, Vmi } from '../../kubevirt/objects.ts';
import { type Behavior, decide } from '../rules.ts';
import type { ExternalController, ExternalInput } from './external-input.ts';
import { externalOutcomeTable } from './external-outcome.ts';
import { type ClusterApiObjects, machineFailureMessage, workerOf } from './worker.ts';

interface Scene {
  readonly controller?: ExternalController;
  readonly vmi?: Vmi;
  readonly objects?: ClusterApiObjects;
  readonly alsoFailing?: number;
  readonly behavior?: Behavior;
}

const group = (size: number): Machine[] => Array.from({ length: size }, (_, i) => aMachine(`w${i + 1}`));
const cluster = (machines: Machine[], ...healthChecks: MachineHealthCheck[]): ClusterApiObjects => ({
  kubevirtMachines: [aKubevirtMachine()],
  machines,
  healthChecks,
});
const foresee = ({
  controller = 'capk-v0.1.10',
  vmi = aWorker('False').build(),
  objects = {},
  alsoFailing,
  behavior = 'exact',
}: Scene) => {
  const input: ExternalInput = {
    controller,
    vmi,
    objects,
    worker: workerOf(vmi, objects),
    now: NOW,
    behavior,
    alsoFailing,
  };
  return decide(externalOutcomeTable, input);
};

const BLOCKS = 'refuses eviction: ';
const SWITCH = 'Set evictionStrategy LiveMigrateIfPossible on the VM and restart it once.';
const STOP = ['Shut shop/w1 down: virtctl stop w1 -n shop.', SWITCH];
const MOVE = ['Migrate shop/w1 by hand: virtctl migrate w1 -n shop.', SWITCH];
const NAME = ['Say which controller acts: --external capk-v0.1.10, capk-backport or none.'];
const NOBODY = `${BLOCKS}KubeVirt only marks a VMI with strategy External, and no controller acts on the mark`;
const FAILED =
  "is handed over to CAPK, which marks its Machine as failed for good, drains the guest's node for up to 10 minutes and deletes the VMI: ";
const noAddress = [{ name: 'default' }];
/** External by the settings of the cluster. */
const clusterExternal = (migratable: 'True' | 'False') => {
  const { spec, ...vmi } = aWorker(migratable).build();
  return { ...vmi, spec: { ...spec, evictionStrategy: undefined } };
};
const OVERLOOKS = `${BLOCKS}it is only marked, and CAPK overlooks the mark, since External is the cluster's strategy and not in the VMI's own spec`;
const OWN = 'Set evictionStrategy External on the VM and restart it once.';
const leftFor = (node: string) => aWorker('True').status({ evacuationNodeName: node }).build();

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
      "is handed over to CAPK, which live-migrates it; should that fail, CAPK drains the guest's node and restarts the VM",
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

describe('the group of a worker', () => {
  const check = aHealthCheck('50%');
  it.each<[string, Scene, string]>([
    ['two of four', { objects: cluster(group(4), check), alsoFailing: 1 }, 'MachineReplaced'],
    ['three of four', { objects: cluster(group(4), check), alsoFailing: 2 }, 'RemediationHeldBack'],
    [
      'one of three, another failed already',
      { objects: cluster([aMachine('w1'), failed(aMachine('w2')), aMachine('w3')], check) },
      'RemediationHeldBack',
    ],
    [
      'one of three, another being deleted',
      { objects: cluster([aMachine('w1'), deleting(aMachine('w2')), aMachine('w3')], check) },
      'RemediationHeldBack',
    ],
    [
      'one of two, failed already',
      { objects: cluster([failed(aMachine('w1')), aMachine('w2')], check) },
      'MachineReplaced',
    ],
    [
      'one of two, starting',
      { objects: cluster([aMachine('w1', { status: {} }), aMachine('w2')], check) },
      'MachineReplaced',
    ],
    [
      'more than there are',
      { objects: cluster(group(2), aHealthCheck(2)), alsoFailing: 9 },
      'MachineReplaced',
    ],
    [
      'a machine that no check may touch',
      { objects: cluster([annotated(aMachine('w1'), 'cluster.x-k8s.io/skip-remediation')], check) },
      'NoHealthCheck',
    ],
    ['no limit', { objects: cluster(group(1), aHealthCheck()) }, 'MachineReplaced'],
  ])('%s: %s', (_name, scene, reason) => {
    expect(foresee(scene).reason).toBe(reason);
  });

  it('is at least the machine itself', () => {
    const worker = { machine: aMachine(), healthCheck: aHealthCheck('50%') };
    const input = { controller: 'capk-v0.1.10', vmi: aWorker('False').build(), now: NOW, worker } as const;
    const asked = { ...input, behavior: 'exact', objects: { healthChecks: [] } } as const;
    const { result } = decide(externalOutcomeTable, asked);
    expect(result.says).toContain('1 of 1 machines');
  });

  it('is told in numbers', () => {
    const { result } = foresee({ objects: cluster(group(4), check), alsoFailing: 2 });
    expect(result.says).toContain(
      '3 of 4 machines would not be healthy, and MachineHealthCheck mhc replaces none beyond 2',
    );
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

  it('comes from rules that ask and cite', () => {
    for (const { asks, source } of externalOutcomeTable) {
      expect(asks.length).toBeGreaterThan(8);
      expect(source).toMatch(
        /^(kubevirt v1\.9\.0|cluster-api-provider-kubevirt v0\.1\.10|cozystack|cluster-api v1\.10\.1) /,
      );
    }
  });
});

describe('the objects of a worker', () => {
  const vmi = aVmi('w1').build();
  const machine = (
    name: string,
    ref: { kind?: string; name?: string } | undefined,
    namespace = 'shop',
  ): Machine => ({
    metadata: { name, namespace, labels: { group: 'md' } },
    spec: { clusterName: 'guest', infrastructureRef: ref },
  });
  const mine = machine('m', { kind: 'KubevirtMachine', name: 'w1' });
  it.each<[string, Machine[], string | undefined]>([
    ['the one that refers to it', [machine('x', { kind: 'KubevirtMachine', name: 'w2' }), mine], 'm'],
    ['not one of another kind', [machine('x', { kind: 'DockerMachine', name: 'w1' })], undefined],
    [
      'not one of another namespace',
      [machine('x', { kind: 'KubevirtMachine', name: 'w1' }, 'web')],
      undefined,
    ],
    ['not one without reference', [machine('w1', undefined)], undefined],
  ])('its Machine: %s', (_name, machines, found) => {
    expect(workerOf(vmi, { machines }).machine?.metadata.name).toBe(found);
  });

  it('its KubevirtMachine has its name and namespace', () => {
    const elsewhere = { metadata: { name: 'w1', namespace: 'web' } };
    expect(workerOf(vmi, { kubevirtMachines: [elsewhere] }).kubevirtMachine).toBeUndefined();
    expect(workerOf(vmi, { kubevirtMachines: [elsewhere, aKubevirtMachine()] }).kubevirtMachine).toEqual(
      aKubevirtMachine(),
    );
    expect(workerOf(vmi, {})).toEqual({
      kubevirtMachine: undefined,
      machine: undefined,
      healthCheck: undefined,
    });
  });

  it('its health check is the first by name that looks after its Machine', () => {
    const named = (name: string, check = aHealthCheck()): MachineHealthCheck => ({
      ...check,
      metadata: { name, namespace: 'shop' },
    });
    const healthChecks = [named('z'), named('b'), named('a', aHealthCheck(1, { clusterName: 'other' }))];
    expect(workerOf(vmi, { machines: [mine], healthChecks }).healthCheck?.metadata.name).toBe('b');
    expect(workerOf(vmi, { healthChecks }).healthCheck).toBeUndefined();
  });
});

describe('the failure of a Machine', () => {
  it('is told as Cluster API tells it', () => {
    const text =
      'Failure detected from referenced resource infrastructure.cluster.x-k8s.io/v1alpha1, Kind=KubevirtMachine with name "w1": gone';
    expect(machineFailureMessage(aKubevirtMachine(), 'gone')).toBe(text);
    expect(machineFailureMessage({ ...aKubevirtMachine(), apiVersion: 'infra/v1' }, 'gone')).toBe(
      'Failure detected from referenced resource infra/v1, Kind=KubevirtMachine with name "w1": gone',
    );
  });
});
