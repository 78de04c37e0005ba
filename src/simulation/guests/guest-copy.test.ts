import { describe, expect, it } from 'vitest';
import { GOODPUT } from '../../decide/transfer/wiring.ts';
import { aVmi } from '../../kubevirt/builders.ts';
import type { MigrationConfiguration } from '../../kubevirt/objects.ts';
import { flowOf } from './guest-copy.ts';

const idle = { hotSetMB: 1, hotSetSeconds: 2, coldDirtyMBps: 3 };
const moving = (set: MigrationConfiguration = {}, from: string | undefined = 'n1') =>
  aVmi()
    .spec({ domain: { memory: { guest: '2G' }, resources: { requests: { memory: '3G' } } } })
    .migrationState({ migrationUid: 'm', sourceNode: from, targetNode: 'n2', migrationConfiguration: set });

describe('the copy of a guest', () => {
  it('goes from source to target with all its memory', () => {
    expect(flowOf(moving().build(), idle)).toMatchObject({
      key: 'm',
      from: 'n1',
      to: 'n2',
      capMbps: undefined,
      copy: { memory: { memoryMB: 2000, ...idle }, downtimeLimitSeconds: 0.9, phase: 'PreCopy' },
    });
  });

  it('is as large as the behaviour says, else as what is asked for, else nothing', () => {
    const sizeOf = (domain: object | undefined, memoryMB?: number) =>
      flowOf(moving().spec({ domain }).build(), { ...idle, memoryMB })?.copy.memory.memoryMB;
    expect(sizeOf(undefined, 7)).toBe(7);
    expect(sizeOf({ resources: { requests: { memory: '3G' } } })).toBe(3000);
    expect(sizeOf(undefined)).toBe(0);
  });

  it('goes by the settings of the migration', () => {
    const flow = flowOf(moving({ maxDowntimeMs: 300, bandwidthPerMigration: '125M' }).build(), idle);
    expect(flow?.copy.downtimeLimitSeconds).toBe(0.3);
    expect(flow?.capMbps).toBeCloseTo(1000 / GOODPUT, 9);
    expect(flowOf(moving({ bandwidthPerMigration: '0' }).build(), idle)?.capMbps).toBeUndefined();
  });

  it('is none where nothing says from where to where', () => {
    expect(flowOf(aVmi().build(), idle)).toBeUndefined();
    const nowhere = moving().migrationState({ migrationUid: 'm', targetNode: 'n2' }).build();
    expect(flowOf(nowhere, idle)).toBeUndefined();
    expect(
      flowOf(moving().migrationState({ migrationUid: 'm', sourceNode: 'n1' }).build(), idle),
    ).toBeUndefined();
    expect(
      flowOf(moving().migrationState({ sourceNode: 'n1', targetNode: 'n2' }).build(), idle),
    ).toBeUndefined();
  });
});
