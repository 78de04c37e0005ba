import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import { decide, traceOf } from '../rules.ts';
import { guestStepTable } from './guest-step.ts';

const vmi = (phase: string) => aVmi().on('n1').phase(phase);
const pod = () => aPod().on('n1').condition('Ready', 'True');

describe('what virt-handler does about a guest', () => {
  it.each([
    ['ElsewhereOrNowhere', 'None', vmi('Running').on('n2'), pod()],
    ['ElsewhereOrNowhere', 'None', aVmi().phase('Scheduled'), pod()],
    ['Ended', 'None', vmi('Succeeded').deleting(), pod().deleting()],
    ['Ended', 'None', vmi('Failed'), pod()],
    ['Leaving', 'Stop', vmi('Running').deleting(), pod()],
    ['Leaving', 'Stop', vmi('Running'), pod().deleting()],
    ['Leaving', 'Stop', vmi('Running').deleting(), undefined],
    ['Runs', 'Run', vmi('Running'), pod()],
    ['Runs', 'Run', vmi('Running'), undefined],
    ['LeavingBeforeItRan', 'None', vmi('Scheduled').deleting(), pod()],
    ['LeavingBeforeItRan', 'None', vmi('Scheduled'), pod().deleting()],
    ['HandedToHandler', 'Boot', vmi('Scheduled'), pod()],
    ['NotYet', 'None', vmi('Scheduled'), undefined],
    ['NotYet', 'None', vmi('Scheduled'), aPod().on('n1').condition('Ready', 'False')],
    ['NotYet', 'None', vmi('Scheduling'), pod()],
  ] as const)('%s: %s', (reason, result, someVmi, somePod) => {
    const sight = { node: 'n1', vmi: someVmi.build(), pod: somePod?.build() };
    expect(decide(guestStepTable, sight)).toMatchObject({ reason, result });
  });

  it('reads what it goes by', () => {
    const object = 'VirtualMachineInstance shop/db';
    const sight = { node: 'n1', vmi: vmi('Running').build(), pod: pod().deleting().build() };
    expect(traceOf(guestStepTable, sight).map(({ evidence }) => evidence)).toEqual([
      [{ object, path: 'status.nodeName', value: 'n1' }],
      [{ object, path: 'status.phase', value: 'Running' }],
      [
        { object, path: 'metadata.deletionTimestamp', value: undefined },
        {
          object: 'Pod shop/virt-launcher-db-1',
          path: 'metadata.deletionTimestamp',
          value: '2026-03-01T11:59:00Z',
        },
      ],
    ]);
    const alone = { ...sight, pod: undefined, vmi: vmi('Running').deleting().build() };
    expect(decide(guestStepTable, alone).evidence).toHaveLength(1);
  });
});
