import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../kubevirt/builders.ts';
import { printableStatusTable, type VmSight } from './printable-status.ts';
import { decide } from './rules.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const vm = aVm().build();
const failing = aVm().status({ startFailure: { consecutiveFailCount: 1 } });
const creating = { creations: 1, deletions: 0 };
const removing = { creations: 0, deletions: 1 };
const migrating = { startTimestamp: '2026-03-01T11:59:00Z' };
const pending = aVmi().phase('Pending');

const status = (sight: Partial<VmSight>) =>
  decide(printableStatusTable, { vm, vmi: undefined, now, ...sight });

describe('printableStatus', () => {
  it.each<[string, string, Partial<VmSight>]>([
    [
      'Terminating',
      'a VM that is deleted, whatever its VMI',
      { vm: aVm().deleting().build(), vmi: aVmi().deleting().build() },
    ],
    ['Stopping', 'a VMI that is being deleted', { vmi: aVmi().deleting().build() }],
    ['Stopping', 'a VMI whose deletion was asked for', { vmi: aVmi().build(), expectations: removing }],
    [
      'Stopping',
      'a VMI that migrates while it is being deleted',
      { vmi: aVmi().deleting().migrationState(migrating).build() },
    ],
    ['Stopped', 'a final VMI that is being deleted', { vmi: aVmi().phase('Failed').deleting().build() }],
    [
      'Migrating',
      'a VMI that migrates, even paused',
      { vmi: aVmi().condition('Paused', 'True').migrationState(migrating).build() },
    ],
    ['Paused', 'a paused VMI', { vmi: aVmi().condition('Paused', 'True').build() }],
    ['Running', 'a VMI that is not paused', { vmi: aVmi().condition('Paused', 'False').build() }],
    ['Running', 'a VMI, whatever the volumes', { vmi: aVmi().build(), dataVolumes: 'Error' }],
    ['Running', 'a VMI, even while a creation is expected', { vmi: aVmi().build(), expectations: creating }],
    [
      'Starting',
      'a VMI that is on its way, even paused',
      { vmi: pending.condition('Paused', 'True').build() },
    ],
    [
      'ErrorPvcNotFound',
      'a missing PVC',
      {
        vmi: aVmi().phase('Pending').condition('Synchronized', 'False', 'FailedPvcNotFound').build(),
        dataVolumes: 'Error',
      },
    ],
    [
      'Starting',
      'a PVC that was missing',
      { vmi: aVmi().phase('Pending').condition('Synchronized', 'True', 'FailedPvcNotFound').build() },
    ],
    ['DataVolumeError', 'a failed DataVolume', { dataVolumes: 'Error' }],
    [
      'ErrorUnschedulable',
      'a pod without a node',
      {
        vmi: aVmi().phase('Scheduling').condition('PodScheduled', 'False', 'Unschedulable').build(),
        dataVolumes: 'Provisioning',
      },
    ],
    [
      'Starting',
      'a pod that has no node for another reason',
      { vmi: aVmi().phase('Scheduling').condition('PodScheduled', 'False', 'Gated').build() },
    ],
    [
      'Provisioning',
      'a DataVolume that is being filled',
      { dataVolumes: 'Provisioning', hasUnboundClaim: true },
    ],
    ['WaitingForVolumeBinding', 'an unbound PVC', { hasUnboundClaim: true }],
    [
      'Stopped',
      'an unbound PVC of a VM that is off',
      { vm: aVm().runStrategy('Halted').build(), hasUnboundClaim: true },
    ],
    ['Stopped', 'a bound PVC', { hasUnboundClaim: false }],
    [
      'ErrImagePull',
      'an image that is not there',
      { vmi: aVmi().phase('Scheduling').condition('Synchronized', 'False', 'ErrImagePull').build() },
    ],
    [
      'ImagePullBackOff',
      'an image that is still not there',
      { vmi: aVmi().phase('Scheduling').condition('Synchronized', 'False', 'ImagePullBackOff').build() },
    ],
    ['Starting', 'a VMI without phase', { vmi: { metadata: { name: 'db' } } }],
    ['Starting', 'a pending VMI', { vmi: aVmi().phase('Pending').build() }],
    ['Starting', 'a VMI with a pod', { vmi: aVmi().phase('Scheduling').build() }],
    ['Starting', 'a VMI on a node', { vmi: aVmi().phase('Scheduled').build() }],
    ['Starting', 'a VMI that was asked for', { vm: failing.build(), expectations: creating }],
    ['CrashLoopBackOff', 'failed starts', { vm: failing.build() }],
    ['CrashLoopBackOff', 'failed starts, nothing expected', { vm: failing.build(), expectations: removing }],
    [
      'CrashLoopBackOff',
      'failed starts of Once, its VMI still there',
      {
        vm: aVm()
          .runStrategy('Once')
          .status({ startFailure: { consecutiveFailCount: 1 } })
          .build(),
        vmi: aVmi().phase('Failed').build(),
      },
    ],
    [
      'CrashLoopBackOff',
      'failed starts of RerunOnFailure',
      {
        vm: aVm()
          .runStrategy('RerunOnFailure')
          .status({ startFailure: { consecutiveFailCount: 1 } })
          .build(),
      },
    ],
    [
      'Stopped',
      'failed starts of Manual',
      {
        vm: aVm()
          .runStrategy('Manual')
          .status({ startFailure: { consecutiveFailCount: 1 } })
          .build(),
      },
    ],
    [
      'Stopped',
      'no failed start',
      {
        vm: aVm()
          .status({ startFailure: { consecutiveFailCount: 0 } })
          .build(),
      },
    ],
    ['Stopped', 'no VMI', {}],
    ['Stopped', 'an ended VMI', { vmi: aVmi().phase('Succeeded').build(), expectations: creating }],
    [
      'WaitingForReceiver',
      'a receiver',
      { vm: aVm().runStrategy('WaitAsReceiver').build(), vmi: aVmi().phase('WaitingForSync').build() },
    ],
    ['Unknown', 'a source that waits', { vmi: aVmi().phase('WaitingForSync').build() }],
    [
      'Unknown',
      'a receiver in an odd phase',
      { vm: aVm().runStrategy('WaitAsReceiver').build(), vmi: aVmi().phase('Odd').build() },
    ],
    [
      'Unknown',
      'failed starts, a VMI in an odd phase',
      { vm: failing.build(), vmi: aVmi().phase('Odd').build() },
    ],
  ])('%s: %s', (name, _, sight) => {
    const { reason, result } = status(sight);
    expect([reason, result]).toEqual([name, name]);
  });

  it('names what it read', () => {
    const ofVm = (path: string, value: unknown) => ({ object: 'VirtualMachine shop/db', path, value });
    const ofVmi = (path: string, value: unknown) => ({
      object: 'VirtualMachineInstance shop/db',
      path,
      value,
    });
    const evidence = (sight: Partial<VmSight>) => status(sight).evidence;
    expect(evidence({ vm: aVm().deleting('2026-03-01T11:58:00Z').build() })).toEqual([
      ofVm('metadata.deletionTimestamp', '2026-03-01T11:58:00Z'),
    ]);
    expect(evidence({ vmi: aVmi().build() })).toEqual([ofVmi('status.phase', 'Running')]);
    expect(evidence({})).toEqual([]);
    expect(evidence({ hasUnboundClaim: true })).toEqual([ofVm('spec.runStrategy', 'Always')]);
    expect(evidence({ vm: failing.build() })).toEqual([
      ofVm('status.startFailure', { consecutiveFailCount: 1 }),
    ]);
    const unschedulable = aVmi()
      .phase('Scheduling')
      .condition('PodScheduled', 'False', 'Unschedulable')
      .build();
    expect(evidence({ vmi: unschedulable })).toEqual([
      ofVmi('status.conditions[type=PodScheduled]', 'False: Unschedulable'),
    ]);
    const receiver = aVm().runStrategy('WaitAsReceiver').build();
    expect(evidence({ vm: receiver, vmi: aVmi().phase('WaitingForSync').build() })).toEqual([
      ofVm('spec.runStrategy', 'WaitAsReceiver'),
    ]);
  });
});
