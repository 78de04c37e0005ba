import { KUBEVIRT_DEPLOYED } from '../../kubevirt/names.ts';
import type { KubeVirt } from '../../kubevirt/objects.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { field } from '../evidence.ts';
import { areExpectationsMet, type CreationExpectation } from '../expectations.ts';
import type { Evidence, Table } from '../rules.ts';

export interface GateInput {
  /** `namespace/name` of the KubeVirt CR that the pass is for; names it in evidence when it is gone. */
  readonly key?: string | undefined;
  readonly kubevirt: KubeVirt | undefined;
  /** Creations of earlier passes not yet seen; a forecast has none. */
  readonly expectation?: CreationExpectation | undefined;
  readonly now: Instant;
}

export interface Gate {
  /** Whether a pass may count, patch, migrate, evict and abort. A closed gate stops all of it, the count too. */
  readonly open: boolean;
  /** The CR is gone: what is expected for its key is to be forgotten. */
  readonly forgetsExpectation: boolean;
}

const SOURCE = 'kubevirt v1.9.0 pkg/virt-controller/watch/workload-updater/workload-updater.go:431-458';
const CLOSED: Gate = { open: false, forgetsExpectation: false };

/** What must hold before a pass does anything: workload-update §3 of the spec. */
export const gateTable: Table<GateInput, Gate> = [
  {
    name: 'KubeVirtMissing',
    asks: 'the KubeVirt CR does not exist',
    source: SOURCE,
    when: ({ kubevirt }) => kubevirt === undefined,
    reads: ({ key, kubevirt }) => [
      { object: `KubeVirt ${key ?? ''}`.trim(), path: 'metadata.name', value: kubevirt?.metadata.name },
    ],
    then: () => ({ open: false, forgetsExpectation: true }),
  },
  {
    name: 'GateCreationsNotSeen',
    asks: 'migrations created by an earlier pass have not been seen yet',
    source: SOURCE,
    when: ({ expectation, now }) => !areExpectationsMet(expectation, now),
    reads: readExpectation,
    then: () => CLOSED,
  },
  {
    name: 'GateNotDeployed',
    asks: 'KubeVirt is not deployed',
    source: SOURCE,
    when: ({ kubevirt }) => kubevirt?.status?.phase !== KUBEVIRT_DEPLOYED,
    reads: readPhase,
    then: () => CLOSED,
  },
  {
    name: 'GateDeploymentInProgress',
    asks: 'the deployment that is ready is not the one that is wanted',
    source: SOURCE,
    when: ({ kubevirt }) => observedId(kubevirt) !== targetId(kubevirt),
    reads: readDeploymentIds,
    then: () => CLOSED,
  },
  {
    name: 'GateOpen',
    asks: 'otherwise the updater may act',
    source: SOURCE,
    when: () => true,
    reads: (input) => [...readPhase(input), ...readDeploymentIds(input)],
    then: () => ({ open: true, forgetsExpectation: false }),
  },
];

/** Absent and empty are the same, and two empty ones are equal. */
function observedId(kubevirt: KubeVirt | undefined): string {
  return kubevirt?.status?.observedDeploymentID ?? '';
}

function targetId(kubevirt: KubeVirt | undefined): string {
  return kubevirt?.status?.targetDeploymentID ?? '';
}

function readPhase({ kubevirt }: GateInput): Evidence[] {
  return kubevirt ? [field(kubevirt, 'status.phase', kubevirt.status?.phase, 'KubeVirt')] : [];
}

function readDeploymentIds({ kubevirt }: GateInput): Evidence[] {
  if (!kubevirt) return [];
  const { observedDeploymentID, targetDeploymentID } = kubevirt.status ?? {};
  return [
    field(kubevirt, 'status.observedDeploymentID', observedDeploymentID, 'KubeVirt'),
    field(kubevirt, 'status.targetDeploymentID', targetDeploymentID, 'KubeVirt'),
  ];
}

/** What is expected lives in the controller's memory, so its evidence names the controller. */
function readExpectation({ expectation }: GateInput): Evidence[] {
  const object = 'Controller workload-update-controller';
  return [
    { object, path: 'expectations.pending', value: expectation?.pending },
    { object, path: 'expectations.setAt', value: expectation?.setAt },
  ];
}
