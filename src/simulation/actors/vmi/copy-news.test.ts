import { describe, expect, it } from 'vitest';
import { aVmi } from '../../../kubevirt/builders.ts';
import type { Vmi } from '../../../kubevirt/objects.ts';
import {
  isCopyNews,
  isMoveNews,
  isNoNewsForMigrations,
  isNoNewsForNodes,
  isSameCourse,
} from './copy-news.ts';

const STARTED = '2026-03-01T12:00:00Z';
const moving = aVmi().on('n1').migrationState({ startTimestamp: STARTED, targetNode: 'n2' }).build();
type State = NonNullable<NonNullable<Vmi['status']>['migrationState']>;
const withState = (change: Partial<State>): Vmi => ({
  ...moving,
  metadata: { ...moving.metadata, resourceVersion: '8' },
  status: { ...moving.status, migrationState: { ...moving.status?.migrationState, ...change } },
});

describe('news of a copy', () => {
  it('are that the target is there, or sees its guest', () => {
    expect(isCopyNews(moving, withState({ targetNodeAddress: '10.0.0.1' }))).toBe(true);
    expect(isCopyNews(moving, withState({ targetNodeDomainDetected: true }))).toBe(true);
  });

  it.each([
    ['its begin', withState({ startTimestamp: '2026-03-01T12:00:01Z' })],
    ['its end', withState({ endTimestamp: STARTED })],
    ['its completion', withState({ completed: true })],
    ['a side that is reached over an address', withState({ sourceState: {} })],
  ])('are not %s', (_, after) => {
    expect(isCopyNews(moving, after)).toBe(false);
    expect(isSameCourse(moving.status?.migrationState, after.status?.migrationState)).toBe(false);
  });

  it.each([
    ['another node', { ...moving, status: { ...moving.status, nodeName: 'n2' } }],
    ['a condition', { ...moving, status: { ...moving.status, conditions: [] } }],
    ['a label', { ...moving, metadata: { ...moving.metadata, labels: { a: 'b' } } }],
    ['a deletion', { ...moving, metadata: { ...moving.metadata, deletionTimestamp: STARTED } }],
    ['another spec', { ...moving, spec: {} }],
  ])('are not told where there is %s', (_, other: Vmi) => {
    expect(isCopyNews(moving, other)).toBe(false);
    expect(isCopyNews(other, moving)).toBe(false);
  });

  it('are also the user of the guest, and where it is to go', () => {
    const { metadata } = moving;
    const labels = { ...metadata.labels, 'kubevirt.io/migrationTargetNodeName': 'n2' };
    const annotations = { ...metadata.annotations, 'kubevirt.io/nonroot': 'true' };
    const status = { ...moving.status, runtimeUser: 107 };
    expect(isCopyNews(moving, { ...moving, metadata: { ...metadata, labels, annotations }, status })).toBe(
      true,
    );
  });

  it('are news of a move, as its begin and its end are', () => {
    const ended = withState({ endTimestamp: STARTED, completed: true });
    expect(isMoveNews(moving, ended)).toBe(true);
    expect(isMoveNews(moving, { ...ended, spec: {} })).toBe(false);
  });

  it('are the same course where there is no migration', () => {
    expect(isSameCourse(undefined, undefined)).toBe(true);
    expect(isSameCourse(undefined, {})).toBe(true);
    expect(isSameCourse(undefined, { startTimestamp: STARTED })).toBe(false);
  });
});

describe('what migrations do not read of a VMI', () => {
  it.each([
    ['its pods', { activePods: {} }],
    ['its image', { launcherContainerImageVersion: 'L2' }],
    [
      'that the target sees its guest',
      { migrationState: { ...moving.status?.migrationState, targetNodeDomainDetected: true } },
    ],
  ])('%s', (_, change) => {
    expect(isNoNewsForMigrations(moving, { ...moving, status: { ...moving.status, ...change } })).toBe(true);
  });

  it.each([
    ['its node', { ...moving, status: { ...moving.status, nodeName: 'n2' } }],
    ['that the target listens', withState({ targetNodeAddress: '10.0.0.1' })],
    ['a label', { ...moving, metadata: { ...moving.metadata, labels: { a: 'b' } } }],
    ['an annotation', { ...moving, metadata: { ...moving.metadata, annotations: { a: 'b' } } }],
    ['its deletion', { ...moving, metadata: { ...moving.metadata, deletionTimestamp: STARTED } }],
    ['its spec', { ...moving, spec: {} }],
  ])('is not %s', (_, after: Vmi) => {
    expect(isNoNewsForMigrations(moving, after)).toBe(false);
  });
});

describe('what nodes do not read of a VMI', () => {
  const withMeta = (change: object) => ({ ...moving, metadata: { ...moving.metadata, ...change } });
  const withStatus = (change: object) => ({ ...moving, status: { ...moving.status, ...change } });

  it.each([
    ['its pods', withStatus({ activePods: {} })],
    ['its image', withStatus({ launcherContainerImageVersion: 'L2' })],
    [
      'that its image is outdated',
      withMeta({ labels: { ...moving.metadata.labels, 'kubevirt.io/outdatedLauncherImage': '' } }),
    ],
    ['whose processes it is run by', withStatus({ runtimeUser: 107 })],
  ])('%s', (_, after: Vmi) => {
    expect(isNoNewsForNodes(moving, after)).toBe(true);
  });

  it.each([
    ['its node', withStatus({ nodeName: 'n2' })],
    ['its volumes', withStatus({ volumeStatus: [] })],
    ['the course of its migration', withState({ targetNodeDomainDetected: true })],
    ['another label', withMeta({ labels: { a: 'b' } })],
    ['an annotation', withMeta({ annotations: { a: 'b' } })],
    ['its deletion', withMeta({ deletionTimestamp: STARTED })],
    ['its spec', { ...moving, spec: {} }],
  ])('is not %s', (_, after: Vmi) => {
    expect(isNoNewsForNodes(moving, after)).toBe(false);
  });
});
