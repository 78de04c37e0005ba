import { describe, expect, it } from 'vitest';
import { aVmi } from '../kubevirt/builders.ts';
import type { MigrationState, VmiSpec } from '../kubevirt/objects.ts';
import { type DomainSight, domainPhaseTable } from './domain-phase.ts';
import { decide } from './rules.ts';

const aGuest = (spec: VmiSpec = {}) => aVmi().spec(spec);
const plain = aGuest().build();
const noTime = aGuest({ terminationGracePeriodSeconds: 0 });
const noAcpi = aGuest({ domain: { features: { acpi: { enabled: false } } } });
const failedPostCopy: MigrationState = { failed: true, mode: 'PostCopy' };
const off = (reason?: string) => ({ state: 'Shutoff', reason });

describe('the phase of a VMI by its domain', () => {
  it.each<[string, DomainSight, string, string]>([
    ['off, crashed', { vmi: plain, domain: off('Crashed') }, 'DomainCrashed', 'Failed'],
    ['off, panicked', { vmi: plain, domain: off('Panicked') }, 'DomainCrashed', 'Failed'],
    [
      'crashed, panicked',
      { vmi: plain, domain: { state: 'Crashed', reason: 'Panicked' } },
      'DomainCrashed',
      'Failed',
    ],
    ['off, destroyed', { vmi: plain, domain: off('Destroyed') }, 'DestroyedAfterRequest', 'Failed'],
    [
      'crashed, destroyed',
      { vmi: plain, domain: { state: 'Crashed', reason: 'Destroyed' } },
      'DestroyedAfterRequest',
      'Failed',
    ],
    ['off, destroyed, no time', { vmi: noTime.build(), domain: off('Destroyed') }, 'Destroyed', 'Succeeded'],
    ['off, destroyed, no ACPI', { vmi: noAcpi.build(), domain: off('Destroyed') }, 'Destroyed', 'Succeeded'],
    [
      'off, destroyed, no ACPI, post-copy failed',
      { vmi: noAcpi.migrationState(failedPostCopy).build(), domain: off('Destroyed') },
      'DestroyedAfterFailedPostCopy',
      'Failed',
    ],
    [
      'off, destroyed, no time, pre-copy failed',
      { vmi: noTime.migrationState({ failed: true, mode: 'PreCopy' }).build(), domain: off('Destroyed') },
      'Destroyed',
      'Succeeded',
    ],
    [
      'off, destroyed, no time, post-copy done',
      { vmi: noTime.migrationState({ failed: false, mode: 'PostCopy' }).build(), domain: off('Destroyed') },
      'Destroyed',
      'Succeeded',
    ],
    ['off, shut down', { vmi: plain, domain: off('Shutdown') }, 'ShutDown', 'Succeeded'],
    ['off, saved', { vmi: plain, domain: off('Saved') }, 'ShutDown', 'Succeeded'],
    ['off, from a snapshot', { vmi: plain, domain: off('FromSnapshot') }, 'ShutDown', 'Succeeded'],
    [
      'crashed, shut down',
      { vmi: plain, domain: { state: 'Crashed', reason: 'Shutdown' } },
      'ShutDown',
      'Succeeded',
    ],
    ['off, moved away', { vmi: plain, domain: off('Migrated') }, 'NothingToTell', 'Running'],
    ['off, for no reason', { vmi: plain, domain: off() }, 'NothingToTell', 'Running'],
    ['shutting down', { vmi: plain, domain: { state: 'Shutdown' } }, 'NothingToTell', 'Running'],
    [
      'paused, post-copy failed',
      { vmi: plain, domain: { state: 'Paused', reason: 'PostcopyFailed' } },
      'PostCopyFailed',
      'Failed',
    ],
    [
      'paused by a user',
      { vmi: plain, domain: { state: 'Paused', reason: 'User' } },
      'DomainLives',
      'Running',
    ],
    [
      'running',
      { vmi: aVmi().phase('Scheduled').build(), domain: { state: 'Running' } },
      'DomainLives',
      'Running',
    ],
    [
      'running again after a failed post-copy',
      { vmi: plain, domain: { state: 'Running', reason: 'PostcopyFailed' } },
      'DomainLives',
      'Running',
    ],
    ['blocked', { vmi: plain, domain: { state: 'Blocked' } }, 'DomainLives', 'Running'],
    ['suspended', { vmi: plain, domain: { state: 'PMSuspended' } }, 'DomainLives', 'Running'],
    [
      'running, for a reason that ends',
      { vmi: plain, domain: { state: 'Running', reason: 'Crashed' } },
      'DomainLives',
      'Running',
    ],
    ['absent, VMI running', { vmi: plain, domain: undefined }, 'DomainVanished', 'Failed'],
    [
      'absent, VMI scheduled',
      { vmi: aVmi().phase('Scheduled').build(), domain: undefined },
      'DomainNotStarted',
      'Scheduled',
    ],
    [
      'absent, VMI pending',
      { vmi: aVmi().phase('Pending').build(), domain: undefined },
      'DomainNotStarted',
      'Scheduled',
    ],
    [
      'absent, VMI scheduled, launcher gone',
      { vmi: aVmi().phase('Scheduled').build(), domain: undefined, isLauncherUnresponsive: true },
      'LauncherGoneBeforeStart',
      'Failed',
    ],
    [
      'absent, VMI pending, launcher gone',
      { vmi: aVmi().phase('Pending').build(), domain: undefined, isLauncherUnresponsive: true },
      'DomainNotStarted',
      'Scheduled',
    ],
    [
      'starting, VMI scheduled, launcher gone',
      { vmi: aVmi().phase('Scheduled').build(), domain: { state: 'Starting' }, isLauncherUnresponsive: true },
      'NothingToTell',
      'Scheduled',
    ],
    [
      'absent, VMI succeeded',
      { vmi: aVmi().phase('Succeeded').build(), domain: undefined },
      'NothingToTell',
      'Succeeded',
    ],
    [
      'absent, VMI failed',
      { vmi: aVmi().phase('Failed').build(), domain: undefined },
      'NothingToTell',
      'Failed',
    ],
    [
      'of unknown state, VMI without phase',
      { vmi: { metadata: { name: 'db' } }, domain: { state: 'Odd' } },
      'NothingToTell',
      '',
    ],
  ])('domain %s', (_, sight, reason, phase) => {
    const decision = decide(domainPhaseTable, sight);
    expect([decision.reason, decision.result]).toEqual([reason, phase]);
  });

  it('names the phase before as evidence', () => {
    expect(decide(domainPhaseTable, { vmi: plain, domain: undefined }).evidence).toEqual([
      { object: 'VirtualMachineInstance shop/db', path: 'status.phase', value: 'Running' },
    ]);
  });
});
