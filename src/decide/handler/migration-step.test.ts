import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import type { MigrationState } from '../../kubevirt/objects.ts';
import { decide, traceOf } from '../rules.ts';
import { migrationStepTable } from './migration-step.ts';

const AT = '2026-03-01T12:00:00Z';
const handedOff: MigrationState = { migrationUid: 'm', sourceNode: 'n1', targetNode: 'n2' };
const prepared = { ...handedOff, targetNodeAddress: '10.0.0.2' };
const started = { ...prepared, startTimestamp: AT };
const detected = { ...started, targetNodeDomainDetected: true };
const ready = { ...detected, targetNodeDomainReadyTimestamp: AT };
const ended = { ...ready, endTimestamp: AT };
const completed = { ...ended, completed: true };

const TARGET_LABEL = 'kubevirt.io/migrationTargetNodeName';

function sightOf(node: string, state: MigrationState, on = 'n1', label = true) {
  const vmi = aVmi().on(on).migrationState(state);
  return { node, vmi: (label ? vmi.labelled(TARGET_LABEL, 'n2') : vmi).build(), isTargetUp: () => true };
}

describe('the steps of a migration', () => {
  it.each([
    ['target, handed off', 'n2', handedOff, 'n1', 'TargetToPrepare', 'PrepareTarget'],
    ['source, handed off', 'n1', handedOff, 'n1', 'OthersTurn', 'None'],
    ['source, prepared', 'n1', prepared, 'n1', 'TargetListens', 'Start'],
    ['target, prepared', 'n2', prepared, 'n1', 'OthersTurn', 'None'],
    ['source, started', 'n1', started, 'n1', 'Copying', 'Copy'],
    ['target, started', 'n2', started, 'n1', 'DomainNotDetected', 'NoteDomain'],
    ['source, detected', 'n1', detected, 'n1', 'Copying', 'Copy'],
    ['target, detected', 'n2', detected, 'n1', 'DomainDetected', 'Receive'],
    ['source, to abort', 'n1', { ...detected, abortRequested: true }, 'n1', 'AbortAsked', 'Abort'],
    [
      'source, to abort before the start',
      'n1',
      { ...prepared, abortRequested: true },
      'n1',
      'TargetListens',
      'Start',
    ],
    ['source, to abort too late', 'n1', { ...ready, abortRequested: true }, 'n1', 'Copying', 'Copy'],
    [
      'source, to abort in post-copy',
      'n1',
      { ...detected, abortRequested: true, mode: 'PostCopy' },
      'n1',
      'Copying',
      'Copy',
    ],
    ['target, to abort', 'n2', { ...detected, abortRequested: true }, 'n1', 'DomainDetected', 'Receive'],
    ['target, ready', 'n2', ready, 'n1', 'DomainActiveOnTarget', 'HandOver'],
    ['target, ended', 'n2', ended, 'n2', 'ToFinalise', 'Finalise'],
    ['source, ended', 'n1', ended, 'n2', 'OthersTurn', 'None'],
    ['target, completed', 'n2', completed, 'n2', 'TargetToRelease', 'Release'],
    ['source, completed', 'n1', completed, 'n2', 'Over', 'None'],
    ['a third node', 'n3', started, 'n1', 'OthersTurn', 'None'],
    [
      'target, failed',
      'n2',
      { ...started, completed: true, failed: true },
      'n1',
      'TargetToRelease',
      'Release',
    ],
    ['nobody, no migration', 'n1', {}, 'n1', 'NoMigration', 'None'],
  ] as const)('%s', (_, node, state, on, reason, result) => {
    expect(decide(migrationStepTable, sightOf(node, state, on))).toMatchObject({ reason, result });
  });

  it('wait for the launcher of the target', () => {
    const sight = { ...sightOf('n2', handedOff), isTargetUp: () => false };
    expect(decide(migrationStepTable, sight).reason).toBe('OthersTurn');
  });

  it('release the target once', () => {
    expect(decide(migrationStepTable, sightOf('n2', completed, 'n2', false)).reason).toBe('Over');
    const other = sightOf('n2', completed, 'n2');
    other.vmi.metadata.labels = { [TARGET_LABEL]: 'n3' };
    expect(decide(migrationStepTable, other).reason).toBe('Over');
  });

  it('end with the VMI', () => {
    const sight = sightOf('n2', started);
    sight.vmi.status = { ...sight.vmi.status, phase: 'Failed' };
    expect(decide(migrationStepTable, sight).reason).toBe('NoMigration');
  });

  it('read what they go by', () => {
    const steps = traceOf(migrationStepTable, sightOf('n3', started));
    const object = 'VirtualMachineInstance shop/db';
    expect(steps.map(({ evidence: [seen] }) => seen?.path.replace('status.migrationState.', ''))).toEqual([
      'migrationUid',
      'completed',
      'completed',
      'endTimestamp',
      'targetNodeDomainReadyTimestamp',
      'targetNodeDomainDetected',
      'targetNodeDomainDetected',
      'targetNodeAddress',
      'abortRequested',
      'startTimestamp',
      'targetNodeAddress',
      'targetNode',
    ]);
    expect(steps[0]?.evidence).toEqual([{ object, path: 'status.migrationState.migrationUid', value: 'm' }]);
  });
});
