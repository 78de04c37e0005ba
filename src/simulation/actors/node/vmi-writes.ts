/** What virt-handler writes of a VMI's status outside of migrations. Each keeps what is not its own; undefined: nothing to write. */
import { type EventDraft, eventOnVmi } from '../../../decide/events.ts';
import type { MigratabilityInput } from '../../../decide/migratability/input.ts';
import { updateMigratability } from '../../../decide/migratability/status-update.ts';
import { CONDITION, HANDLER_EVENT } from '../../../kubevirt/names.ts';
import type { Condition, Vmi } from '../../../kubevirt/objects.ts';
import { findCondition, isFinal } from '../../../kubevirt/predicates.ts';
import { extended } from '../../../kubevirt/shapes.ts';
import { formatInstant, type Instant } from '../../../kubevirt/time.ts';
import type { TaughtMigratability } from '../../guests/behavior.ts';

type VmiStatus = NonNullable<Vmi['status']>;

/** The VMI with other fields in its status. */
export function withStatus(vmi: Vmi, change: Partial<VmiStatus>): Vmi {
  return extended(vmi, { status: extended(vmi.status ?? {}, change) });
}

/** In another phase from now on, with its entry among the phases' times. */
export function inPhase(vmi: Vmi, phase: string, now: Instant): Vmi {
  const entry = { phase, phaseTransitionTimestamp: formatInstant(now) };
  const phaseTransitionTimestamps = [...(vmi.status?.phaseTransitionTimestamps ?? []), entry];
  return withStatus(vmi, { phase, phaseTransitionTimestamps });
}

/** What virt-handler knows when it has started a guest. */
export interface Booted extends Omit<MigratabilityInput, 'vmi'> {
  readonly node: string;
  readonly now: Instant;
  readonly podIp: string;
  readonly taught: TaughtMigratability | undefined;
  readonly guestAgent?: boolean | undefined;
}

/** The guest has come up. Only a Scheduled VMI on the node can. */
export function running(vmi: Vmi, booted: Booted): Vmi | undefined {
  if (vmi.status?.phase !== 'Scheduled' || vmi.status.nodeName !== booted.node) return undefined;
  const known = withDomain(inPhase(vmi, 'Running', booted.now), booted.podIp);
  const judged = withMigratabilityOf(known, booted, booted.taught);
  return booted.guestAgent ? withAgent(judged) : judged;
}

/** What is learnt of the domain. SELinux is off, which the migration controller has to be told. */
function withDomain(vmi: Vmi, podIp: string): Vmi {
  const interfaces = interfacesOf(vmi, podIp);
  const found = { guestOSInfo: {}, interfaces, selinuxContext: vmi.status?.selinuxContext || 'none' };
  return withStatus(vmi, found);
}

/** As the domain has them; the first is reached by the address of the pod. */
export function interfacesOf({ spec }: Vmi, podIp: string) {
  return (spec?.domain?.devices?.interfaces ?? []).map(({ name }, index) => ({
    name,
    infoSource: 'domain',
    mac: `02:00:00:00:00:${(index + 1).toString(16).padStart(2, '0')}`,
    podInterfaceName: index === 0 ? 'eth0' : `net${index}`,
    queueCount: 1,
    ...(index === 0 && { ipAddress: podIp }),
  }));
}

function withAgent(vmi: Vmi): Vmi {
  const rest = vmi.status?.conditions?.filter(({ type }) => type !== CONDITION.agentConnected) ?? [];
  return withStatus(vmi, { conditions: [...rest, { type: CONDITION.agentConnected, status: 'True' }] });
}

/** With its migratability as it is now: as worked out, or as the guest's behaviour has it. */
export function withMigratabilityOf(
  vmi: Vmi,
  input: Omit<MigratabilityInput, 'vmi'>,
  taught: TaughtMigratability | undefined,
): Vmi {
  const { conditions, migrationMethod } = updateMigratability({ ...input, vmi });
  if (!taught) return withStatus(vmi, { conditions: [...conditions], migrationMethod });
  const told = [taughtCondition(taught), { type: CONDITION.storageLiveMigratable, status: 'True' }];
  const rest = (vmi.status?.conditions ?? []).filter(({ type }) => !findCondition(told, type));
  return withStatus(vmi, { conditions: [...rest, ...told], migrationMethod });
}

function taughtCondition({ reason, message }: TaughtMigratability): Condition {
  if (reason === undefined) return { type: CONDITION.liveMigratable, status: 'True' };
  return { type: CONDITION.liveMigratable, status: 'False', reason, message };
}

/** The guest has ended, and the VMI with it. What is final stays as it is. */
export function ended(vmi: Vmi, node: string, phase: string, now: Instant): Vmi | undefined {
  if (isFinal(vmi) || vmi.status?.nodeName !== node || vmi.status.phase === phase) return undefined;
  return inPhase(vmi, phase, now);
}

/** What virt-handler says of a guest that has ended; nothing of one that runs on. */
export function endEvents(vmi: Vmi): EventDraft[] {
  if (!isFinal(vmi)) return [];
  return vmi.status?.phase === 'Failed'
    ? [eventOnVmi(vmi, 'Warning', HANDLER_EVENT.stopped, 'The VirtualMachineInstance crashed.')]
    : [eventOnVmi(vmi, 'Normal', HANDLER_EVENT.stopped, 'The VirtualMachineInstance was shut down.')];
}
