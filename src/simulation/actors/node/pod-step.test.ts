import { describe, expect, it } from 'vitest';
import { decide, traceOf } from '../../../decide/rules.ts';
import { aPod, aVmi } from '../../../kubevirt/builders.ts';
import { podStepTable } from './pod-step.ts';

const vmi = (phase: string, node = 'n1') => aVmi().on(node).phase(phase);
const running = aVmi().on('n1').build();
const launcher = (phase = 'Running', node = 'n1') => aPod().launcherOf(running).on(node).phase(phase);
const other = (phase = 'Running') => aPod('web').on('n1').phase(phase);
const moved = { completed: true, sourcePod: 'virt-launcher-db-1', targetPod: 'virt-launcher-db-2' };
const failed = {
  completed: true,
  failed: true,
  sourcePod: 'virt-launcher-db-0',
  targetPod: 'virt-launcher-db-1',
};

describe('what becomes of a pod', () => {
  it.each([
    ['FinishedAndDeleted', 'Remove', launcher('Succeeded').deleting(), vmi('Running')],
    ['Finished', 'None', launcher('Succeeded'), vmi('Running', 'n2')],
    ['Finished', 'None', other('Failed'), undefined],
    ['DeletedBeforeStart', 'Remove', launcher('Pending').deleting(), vmi('Scheduling')],
    ['DeletedBeforeStart', 'Remove', other('Pending').deleting(), undefined],
    ['Bound', 'Start', launcher('Pending'), vmi('Scheduling')],
    ['GuestStopping', 'AwaitGuest', launcher().deleting(), vmi('Running')],
    ['GuestStopped', 'Remove', launcher().deleting(), vmi('Succeeded')],
    ['GuestStopped', 'Remove', launcher().deleting(), vmi('Failed', 'n2')],
    ['Deleted', 'Stop', launcher().deleting(), vmi('Running', 'n2')],
    ['Deleted', 'Stop', launcher().deleting(), vmi('Scheduled')],
    ['Deleted', 'Stop', launcher().deleting(), undefined],
    ['Deleted', 'Stop', other().deleting(), undefined],
    ['NoLauncher', 'None', other(), undefined],
    ['GuestLeft', 'Succeed', launcher(), vmi('Running', 'n2').migrationState(moved)],
    ['Runs', 'None', launcher(), vmi('Running', 'n1').migrationState(moved)],
    ['Runs', 'None', launcher(), vmi('Running', 'n2').migrationState({ ...moved, completed: false })],
    ['GuestNeverCame', 'Discard', launcher(), vmi('Running', 'n2').migrationState(failed)],
    ['Runs', 'None', launcher(), vmi('Running', 'n2').migrationState({ ...failed, targetPod: 'x' })],
    ['Runs', 'None', launcher(), vmi('Running', 'n1').migrationState(failed)],
    ['GuestEnded', 'Succeed', launcher(), vmi('Succeeded')],
    ['GuestFailed', 'Fail', launcher(), vmi('Failed')],
    ['GuestFailed', 'Fail', launcher(), vmi('Succeeded', 'n2')],
    ['Runs', 'None', launcher(), vmi('Running')],
    ['Runs', 'None', launcher(), undefined],
  ] as const)('%s: %s', (reason, result, pod, someVmi) => {
    const sight = { pod: pod.build(), vmi: someVmi?.build() };
    expect(decide(podStepTable, sight)).toMatchObject({ reason, result });
  });

  it('is explained', () => {
    const steps = traceOf(podStepTable, { pod: launcher().build(), vmi: vmi('Running').build() });
    expect(steps).toHaveLength(podStepTable.length);
    expect(steps[0]?.evidence).toEqual([
      { object: 'Pod shop/virt-launcher-db-1', path: 'status.phase', value: 'Running' },
      { object: 'Pod shop/virt-launcher-db-1', path: 'metadata.deletionTimestamp', value: undefined },
      { object: 'VirtualMachineInstance shop/db', path: 'status.phase', value: 'Running' },
    ]);
    for (const { asks, source } of steps) {
      expect(asks).not.toBe('');
      expect(source).toContain('kubernetes v1.36 pkg/kubelet');
    }
  });
});
