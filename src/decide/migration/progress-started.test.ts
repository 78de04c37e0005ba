import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import { decide } from '../rules.ts';
import { aSubject, moving, NOON, ready, target } from './builders.ts';
import { migrationStatusTable } from './phases.ts';
import type { MigrationSubject } from './subject.ts';

const look = (given: MigrationSubject) => decide(migrationStatusTable, given);

describe('a migration with a target pod', () => {
  const withTarget = { targetPod: ready().build() };
  const ADMITTED = ['migrationRejectedByResourceQuota'];

  it.each([
    ['ready', ready(), 'TargetPodReady', 'Scheduled'],
    ['running but not ready', target(), 'WaitsForTargetPod', undefined],
    ['pending', target().phase('Pending'), 'WaitsForTargetPod', undefined],
    ['ready but being deleted', ready().deleting(), 'WaitsForTargetPod', undefined],
  ])('Scheduling, pod %s', (_, pod, reason, phase) => {
    const { result, ...decision } = look(aSubject('Scheduling', { targetPod: pod.build() }));
    expect(decision.reason).toBe(reason);
    expect(result).toEqual({ ...(phase && { phase }), removeConditions: ADMITTED, events: [] });
  });

  it('Scheduling, waits for the attachment pod too', () => {
    const vmi = aVmi().status({ volumeStatus: [{ name: 'v', hotplugVolume: {} }] });
    expect(look(aSubject('Scheduling', { ...withTarget, vmi })).reason).toBe('WaitsForTargetPod');
    const attachmentPod = aPod('hp-volume-1').ready().build();
    expect(look(aSubject('Scheduling', { ...withTarget, vmi, attachmentPod })).reason).toBe('TargetPodReady');
  });

  it.each([
    ['Scheduled', moving({ targetNode: 'n2' }), 'HandedOff', 'PreparingTarget'],
    ['Scheduled', moving(), 'NothingNew', undefined],
    [
      'Scheduled',
      aVmi().migrationState({ migrationUid: 'other', targetNode: 'n2' }),
      'NothingNew',
      undefined,
    ],
    [
      'PreparingTarget',
      moving({ targetNode: 'n2', targetNodeAddress: '10.0.0.1' }),
      'TargetPrepared',
      'TargetReady',
    ],
    ['PreparingTarget', moving({ targetNode: 'n2' }), 'NothingNew', undefined],
    ['PreparingTarget', moving({ targetNodeAddress: '10.0.0.1' }), 'NothingNew', undefined],
    ['TargetReady', moving({ startTimestamp: NOON }), 'Started', 'Running'],
    ['TargetReady', moving(), 'NothingNew', undefined],
    ['Running', moving({ endTimestamp: NOON }), 'Copying', undefined],
    [
      'Running',
      moving({ completed: true }).condition('HotVCPUChange', 'False'),
      'WaitsForChanges',
      undefined,
    ],
    [
      'Running',
      moving({ completed: true }).condition('HotMemoryChange', 'True'),
      'WaitsForChanges',
      undefined,
    ],
    [
      'Running',
      moving({ completed: true }).condition('MigrationRequired', 'True'),
      'WaitsForChanges',
      undefined,
    ],
    ['Odd', moving(), 'NothingNew', undefined],
  ])('%s, row %#: %s', (phase, vmi, reason, next) => {
    expect(look(aSubject(phase, { ...withTarget, vmi }))).toMatchObject({
      reason,
      result: { ...(next && { phase: next }), events: [] },
    });
  });

  it.each([
    ['nothing open', moving({ completed: true })],
    ['a memory change that is over', moving({ completed: true }).condition('HotMemoryChange', 'False')],
    ['no more need to migrate', moving({ completed: true }).condition('MigrationRequired', 'False')],
  ])('Running, completed with %s: has succeeded', (_, vmi) => {
    expect(look(aSubject('Running', { ...withTarget, vmi }))).toMatchObject({
      reason: 'Completed',
      result: {
        phase: 'Succeeded',
        events: [
          {
            kind: 'VirtualMachineInstanceMigration',
            namespace: 'shop',
            name: 'm',
            type: 'Normal',
            reason: 'SuccessfulMigration',
            message: 'Source node reported migration succeeded',
          },
        ],
      },
    });
  });

  it('Running, tells the target pod once when the guest was ready there', () => {
    const vmi = moving({ targetNodeDomainReadyTimestamp: '2026-11-29T13:06:12Z' });
    const annotation = { targetReadyAnnotation: '2026-11-29 13:06:12 +0000 UTC' };
    expect(look(aSubject('Running', { ...withTarget, vmi })).result).toEqual({ events: [], ...annotation });
    const completed = moving({ targetNodeDomainReadyTimestamp: '2026-11-29T13:06:12Z', completed: true });
    expect(look(aSubject('Running', { ...withTarget, vmi: completed })).result).toMatchObject({
      phase: 'Succeeded',
      ...annotation,
    });
    const told = ready().annotated('kubevirt.io/migration-target-ready-timestamp', 'x').build();
    expect(look(aSubject('Running', { targetPod: told, vmi })).result).toEqual({ events: [] });
    expect(look(aSubject('Running', { ...withTarget, vmi: moving() })).result).toEqual({ events: [] });
  });
});
