import type { Vmi } from '../kubevirt/objects.ts';
import { isFinal, isRunning } from '../kubevirt/predicates.ts';
import { vmiField } from './evidence.ts';
import { hasAcpi } from './guest-end.ts';
import type { Evidence, Rule, Table } from './rules.ts';

/** A libvirt domain as virt-handler sees it. */
export interface Domain {
  /** `Running`, `Blocked`, `PMSuspended`, `Paused`, `Shutdown`, `Shutoff`, `Crashed`, … */
  readonly state: string;
  /** `Destroyed`, `Shutdown`, `Crashed`, `Panicked`, `Saved`, `FromSnapshot`, `Migrated`, `PostcopyFailed`, … */
  readonly reason?: string | undefined;
}

export interface DomainSight {
  readonly vmi: Vmi;
  /** `undefined`: there is no domain. */
  readonly domain: Domain | undefined;
  /** The launcher does not answer any more. */
  readonly isLauncherUnresponsive?: boolean | undefined;
}

const ENDED_STATES: ReadonlySet<string | undefined> = new Set(['Shutoff', 'Crashed']);
const LIVE_STATES: ReadonlySet<string | undefined> = new Set(['Running', 'Blocked', 'PMSuspended', 'Paused']);
const CRASH_REASONS: ReadonlySet<string | undefined> = new Set(['Crashed', 'Panicked']);
const CLEAN_REASONS: ReadonlySet<string | undefined> = new Set(['Shutdown', 'Saved', 'FromSnapshot']);

function endedBecause({ domain }: DomainSight, reasons: ReadonlySet<string | undefined>): boolean {
  return ENDED_STATES.has(domain?.state) && reasons.has(domain?.reason);
}

const DESTROYED: ReadonlySet<string | undefined> = new Set(['Destroyed']);

/** The guest was asked to shut down before it was destroyed, so the destruction is a failure. */
function wasAskedFirst({ vmi }: DomainSight): boolean {
  return hasAcpi(vmi) && vmi.spec?.terminationGracePeriodSeconds !== 0;
}

function hasFailedPostCopy({ vmi }: DomainSight): boolean {
  const state = vmi.status?.migrationState;
  return state?.failed === true && state.mode === 'PostCopy';
}

function phaseField({ vmi }: DomainSight): Evidence {
  return vmiField(vmi, 'status.phase', vmi.status?.phase);
}

function phaseRule(
  name: string,
  phase: (sight: DomainSight) => string,
  asks: string,
  when: (sight: DomainSight) => boolean,
): Rule<DomainSight, string> {
  return {
    name,
    asks,
    source: 'kubevirt v1.9.0 pkg/virt-handler/vm.go:2319-2390',
    when,
    reads: (sight) => [phaseField(sight)],
    then: phase,
  };
}

const failed = () => 'Failed';
const succeeded = () => 'Succeeded';
const unchanged = ({ vmi }: DomainSight) => vmi.status?.phase ?? '';

/** The phase of a VMI from the state of its domain, as virt-handler sets it (vm-lifecycle §4 of the spec). */
export const domainPhaseTable: Table<DomainSight, string> = [
  phaseRule(
    'LauncherGoneBeforeStart',
    failed,
    'there is no domain, the VMI is Scheduled, and the launcher does not answer',
    ({ vmi, domain, isLauncherUnresponsive }) =>
      domain === undefined && vmi.status?.phase === 'Scheduled' && isLauncherUnresponsive === true,
  ),
  phaseRule(
    'DomainNotStarted',
    () => 'Scheduled',
    'there is no domain, and the VMI has not run yet',
    ({ vmi, domain }) => domain === undefined && !isRunning(vmi) && !isFinal(vmi),
  ),
  phaseRule(
    'DomainVanished',
    failed,
    'there is no domain, and the VMI was Running',
    ({ vmi, domain }) => domain === undefined && !isFinal(vmi),
  ),
  phaseRule('DomainCrashed', failed, 'the guest crashed or panicked', (sight) =>
    endedBecause(sight, CRASH_REASONS),
  ),
  phaseRule(
    'DestroyedAfterRequest',
    failed,
    'the domain was destroyed after the guest had been asked to shut down',
    (sight) => endedBecause(sight, DESTROYED) && wasAskedFirst(sight),
  ),
  phaseRule(
    'DestroyedAfterFailedPostCopy',
    failed,
    'the domain was destroyed, and its last migration failed in post-copy',
    (sight) => endedBecause(sight, DESTROYED) && hasFailedPostCopy(sight),
  ),
  phaseRule('Destroyed', succeeded, 'the domain was destroyed, as it can only be', (sight) =>
    endedBecause(sight, DESTROYED),
  ),
  phaseRule('ShutDown', succeeded, 'the guest shut down, or was saved', (sight) =>
    endedBecause(sight, CLEAN_REASONS),
  ),
  phaseRule(
    'PostCopyFailed',
    failed,
    'the domain is paused because post-copy failed',
    ({ domain }) => domain?.state === 'Paused' && domain.reason === 'PostcopyFailed',
  ),
  phaseRule(
    'DomainLives',
    () => 'Running',
    'the domain runs, or is paused',
    ({ domain }) => LIVE_STATES.has(domain?.state),
  ),
  phaseRule('NothingToTell', unchanged, 'the domain moved away, or is on its way', () => true),
];
