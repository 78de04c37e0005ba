import { describe, expect, it } from 'vitest';
import { traceOf } from '../rules.ts';
import { aSubject, MIGRATION, moving, NOON, ready, VMI } from './builders.ts';
import { migrationStatusTable } from './phases.ts';
import type { MigrationSubject } from './subject.ts';

describe('evidence', () => {
  const shown = (given: MigrationSubject) =>
    Object.fromEntries(traceOf(migrationStatusTable, given).map((step) => [step.rule, step.evidence]));
  const state = (name: string, value: unknown) => ({
    object: VMI,
    path: `status.migrationState.${name}`,
    value,
  });
  const phase = (value: string) => ({ object: MIGRATION, path: 'status.phase', value });
  const deletion = { object: MIGRATION, path: 'metadata.deletionTimestamp', value: undefined };
  const pod = { object: 'Pod shop/target', path: 'status.phase', value: 'Running' };
  const noAttachment = { object: MIGRATION, path: 'attachmentPod', value: undefined };

  it('of a migration that runs', () => {
    const vmi = moving({ completed: true, targetNode: 'n2', targetNodeAddress: 'a', startTimestamp: NOON })
      .condition('HotVCPUChange', 'False')
      .condition('HotMemoryChange', 'True');
    expect(shown(aSubject('Running', { targetPod: ready().build(), vmi }))).toMatchObject({
      AlreadyFinal: [phase('Running'), state('migrationUid', 'uid-m')],
      VmiGone: [phase('Running')],
      VmiFinal: [{ object: VMI, path: 'status.phase', value: 'Running' }],
      CanceledBeforeHandOff: [deletion, state('migrationUid', 'uid-m')],
      TargetPodDown: [pod],
      TargetPodGone: [phase('Running'), pod],
      StateCleared: [phase('Running'), state('migrationUid', 'uid-m')],
      StateTakenOver: [phase('Running'), state('migrationUid', 'uid-m')],
      FailedOnNode: [state('failed', undefined), state('failureReason', undefined)],
      AbortNoted: [deletion],
      AttachmentPodDown: [noAttachment],
      Decentralized: [
        { object: MIGRATION, path: 'spec.sendTo', value: undefined },
        { object: MIGRATION, path: 'spec.receive', value: undefined },
      ],
      TargetPodExists: [pod, noAttachment],
      TargetPodReady: [pod, noAttachment],
      WaitsForTargetPod: [pod, noAttachment],
      HandedOff: [state('migrationUid', 'uid-m'), state('targetNode', 'n2')],
      TargetPrepared: [state('targetNode', 'n2'), state('targetNodeAddress', 'a')],
      Started: [state('startTimestamp', NOON)],
      Completed: [state('completed', true)],
      WaitsForChanges: [
        state('completed', true),
        { object: VMI, path: 'status.conditions[type=HotVCPUChange]', value: 'False' },
        { object: VMI, path: 'status.conditions[type=HotMemoryChange]', value: 'True' },
      ],
    });
  });

  it('of one that nothing happens to, and of one without VMI', () => {
    const given = aSubject('Odd', { targetPod: ready().build(), vmi: moving() });
    expect(shown(given)).toMatchObject({
      Copying: [state('completed', undefined)],
      NothingNew: [phase('Odd')],
    });
    const gone = aSubject('Running', { vmi: undefined });
    expect(migrationStatusTable.map(({ reads }) => reads(gone).length)).toEqual([
      1, 1, 0, 1, 1, 2, 1, 1, 0, 1, 1, 2, 0, 0, 1, 1, 1, 2, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 1,
    ]);
  });
});
