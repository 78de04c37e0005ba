import { ANNOTATION, CONDITION } from '../../kubevirt/names.ts';
import type { Machine, MachineHealthCheck, Node } from '../../kubevirt/objects.ts';
import { findCondition } from '../../kubevirt/predicates.ts';
import { matchesSelector } from '../../kubevirt/selector.ts';
import { type Instant, parseDurationSeconds, parseInstant } from '../../kubevirt/time.ts';
import { conditionField, field } from '../evidence.ts';
import type { Evidence, Table } from '../rules.ts';

const TARGETS = 'cluster-api v1.10.1 internal/controllers/machinehealthcheck/machinehealthcheck_targets.go';

/** `neither`: being deleted, or still within a time that it has. */
export type MachineHealth = 'healthy' | 'unhealthy' | 'neither';

export interface MachineHealthInput {
  readonly machine: Machine;
  readonly healthCheck: MachineHealthCheck;
  readonly now: Instant;
  /**
   * The machine's node in the guest cluster: `missing` where that cluster is known not to have it. Absent: the guest cluster
   * is not in the input, and a node that the machine records counts as there and well.
   */
  readonly node?: Node | 'missing' | undefined;
}

const DEFAULT_STARTUP_SECONDS = 600;

/** How a health check judges one of its machines: capk-external §4.2 of the spec. */
export const machineHealthTable: Table<MachineHealthInput, MachineHealth> = [
  {
    name: 'RemediationAsked',
    asks: 'the machine is annotated to be remediated',
    source: TARGETS,
    when: ({ machine }) => machine.metadata.annotations?.[ANNOTATION.remediateMachine] !== undefined,
    reads: ({ machine }) => {
      const name = ANNOTATION.remediateMachine;
      return [
        field(machine, `metadata.annotations[${name}]`, machine.metadata.annotations?.[name], 'Machine'),
      ];
    },
    then: () => 'unhealthy',
  },
  {
    name: 'FailureReason',
    asks: 'the machine has a failure reason',
    source: TARGETS,
    when: ({ machine }) => Boolean(machine.status?.failureReason),
    reads: ({ machine }) => [
      field(machine, 'status.failureReason', machine.status?.failureReason, 'Machine'),
    ],
    then: () => 'unhealthy',
  },
  {
    name: 'FailureMessage',
    asks: 'the machine has a failure message',
    source: TARGETS,
    when: ({ machine }) => Boolean(machine.status?.failureMessage),
    reads: ({ machine }) => [
      field(machine, 'status.failureMessage', machine.status?.failureMessage, 'Machine'),
    ],
    then: () => 'unhealthy',
  },
  {
    name: 'NodeMissing',
    asks: 'the node that the machine records is gone',
    source: TARGETS,
    when: ({ machine, node }) => hasNodeRef(machine) && node === 'missing',
    reads: readNodeRef,
    then: () => 'unhealthy',
  },
  {
    name: 'InfrastructureNotReady',
    asks: 'the machine has no node, and its infrastructure is not ready',
    source: TARGETS,
    when: ({ machine }) => !hasNodeRef(machine) && isInfrastructureNotReady(machine),
    reads: ({ machine }) => [conditionField(machine, CONDITION.infrastructureReady, 'Machine')],
    then: () => 'neither',
  },
  {
    name: 'NodeStartupTimeout',
    asks: 'the machine has been without a node for longer than it may',
    source: TARGETS,
    when: (input) => !hasNodeRef(input.machine) && isStartupOver(input),
    reads: readNodeRef,
    then: () => 'unhealthy',
  },
  {
    name: 'NodeStarting',
    asks: 'the machine has no node yet',
    source: TARGETS,
    when: ({ machine }) => !hasNodeRef(machine),
    reads: readNodeRef,
    then: () => 'neither',
  },
  {
    name: 'UnhealthyNodeCondition',
    asks: 'the node has had a bad condition for longer than it may',
    source: TARGETS,
    when: (input) => badConditions(input).some(({ isOver }) => isOver),
    reads: (input) => readConditions(input),
    then: () => 'unhealthy',
  },
  {
    name: 'NodeConditionWithinTimeout',
    asks: 'the node has a bad condition, but not for that long',
    source: TARGETS,
    when: (input) => badConditions(input).length > 0,
    reads: (input) => readConditions(input),
    then: () => 'neither',
  },
  {
    name: 'Deleting',
    asks: 'the machine is being deleted',
    source: TARGETS,
    when: ({ machine }) => machine.metadata.deletionTimestamp !== undefined,
    reads: ({ machine }) => [
      field(machine, 'metadata.deletionTimestamp', machine.metadata.deletionTimestamp, 'Machine'),
    ],
    then: () => 'neither',
  },
  {
    name: 'Healthy',
    asks: 'nothing of that',
    source: TARGETS,
    when: () => true,
    reads: readNodeRef,
    then: () => 'healthy',
  },
];

function hasNodeRef({ status }: Machine): boolean {
  return Boolean(status?.nodeRef?.name);
}

function readNodeRef({ machine }: MachineHealthInput): Evidence[] {
  return [field(machine, 'status.nodeRef.name', machine.status?.nodeRef?.name, 'Machine')];
}

function isInfrastructureNotReady({ status }: Machine): boolean {
  return findCondition(status?.conditions, CONDITION.infrastructureReady)?.status === 'False';
}

/** Measured from the creation, or from when the infrastructure became ready, whichever is later. `0` is no limit. */
function isStartupOver({ machine, healthCheck, now }: MachineHealthInput): boolean {
  const timeoutSeconds =
    parseDurationSeconds(healthCheck.spec?.nodeStartupTimeout ?? '') ?? DEFAULT_STARTUP_SECONDS;
  const createdAt = parseInstant(machine.metadata.creationTimestamp);
  if (timeoutSeconds === 0 || createdAt === undefined) return false;
  const ready = findCondition(machine.status?.conditions, CONDITION.infrastructureReady);
  const readyAt = ready?.status === 'True' ? parseInstant(ready.lastTransitionTime) : undefined;
  return now > Math.max(createdAt, readyAt ?? createdAt) + timeoutSeconds * 1000;
}

interface BadCondition {
  readonly type: string;
  readonly isOver: boolean;
}

function badConditions({ healthCheck, node, now }: MachineHealthInput): BadCondition[] {
  if (!node || node === 'missing') return [];
  return (healthCheck.spec?.unhealthyConditions ?? []).flatMap(({ type = '', status, timeout }) => {
    const condition = findCondition(node.status?.conditions, type);
    const since = parseInstant(condition?.lastTransitionTime);
    if (condition?.status !== status || since === undefined) return [];
    return [{ type, isOver: now > since + (parseDurationSeconds(timeout ?? '') ?? 0) * 1000 }];
  });
}

function readConditions(input: MachineHealthInput): Evidence[] {
  const { node } = input;
  if (!node || node === 'missing') return [];
  return badConditions(input).map(({ type }) => conditionField(node, type, 'Node'));
}

/** Whether a health check looks after a machine: same cluster and namespace, selected, and not left alone by annotation. */
export function isTarget({ metadata, spec }: MachineHealthCheck, machine: Machine): boolean {
  const { annotations } = machine.metadata;
  return (
    machine.metadata.namespace === metadata.namespace &&
    machine.spec?.clusterName === spec?.clusterName &&
    matchesSelector(spec?.selector, machine.metadata.labels) &&
    annotations?.[ANNOTATION.capiPaused] === undefined &&
    annotations?.[ANNOTATION.skipRemediation] === undefined
  );
}
