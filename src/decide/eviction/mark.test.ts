import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Behavior } from '../rules.ts';
import { isDryRun } from './dry-run.ts';
import { isFromDescheduler, markPatch, readEviction } from './mark.ts';

const DESCHEDULED = { metadata: { annotations: { 'requested-by': 'sigs.k8s.io/descheduler' } } };
const POD = aPod().on('n1').build();
const MARK = { op: 'add', path: '/status/evacuationNodeName', value: 'n1' };
const PLAIN = aVmi().build();
const EMPTY = aVmi().meta({ annotations: {} }).build();
const ANNOTATED = aVmi().annotated('x', 'y').build();
const NOTED = aVmi().annotated('kubevirt.io/eviction-source', 'descheduler').build();

describe('markPatch', () => {
  it("marks with the node of the pod, the VMI's own node notwithstanding", () => {
    const patch = markPatch({ pod: POD, vmi: aVmi().on('n2').build(), eviction: {}, behavior: 'exact' });
    expect(patch).toEqual([MARK]);
  });

  it('marks with an empty name when the pod has no node', () => {
    const [mark] = markPatch({ pod: aPod().build(), vmi: PLAIN, eviction: {}, behavior: 'exact' });
    expect(mark?.value).toBe('');
    expect(
      markPatch({ pod: { metadata: { name: 'p' } }, vmi: PLAIN, eviction: {}, behavior: 'exact' })[0]?.value,
    ).toBe('');
  });

  const garbled = {
    op: 'add',
    path: '/metadata/annotations',
    value: { 'kubevirt.io~1eviction-source': 'descheduler' },
  };
  const first = {
    op: 'add',
    path: '/metadata/annotations',
    value: { 'kubevirt.io/eviction-source': 'descheduler' },
  };
  const path = '/metadata/annotations/kubevirt.io~1eviction-source';
  it.each([
    ['no annotations', PLAIN, 'exact', garbled],
    ['an empty set of annotations', EMPTY, 'exact', garbled],
    ['other annotations', ANNOTATED, 'exact', { op: 'replace', path, value: 'descheduler' }],
    ['the note already', NOTED, 'exact', { op: 'replace', path, value: 'descheduler' }],
    ['no annotations', PLAIN, 'intended', first],
    ['an empty set of annotations', EMPTY, 'intended', first],
    ['other annotations', ANNOTATED, 'intended', { op: 'add', path, value: 'descheduler' }],
    ['the note already', NOTED, 'intended', { op: 'add', path, value: 'descheduler' }],
  ] as const)('U10: notes the descheduler on a VMI with %s (%s)', (_name, vmi, _behavior, note) => {
    const behavior: Behavior = _behavior;
    expect(markPatch({ pod: POD, vmi, eviction: DESCHEDULED, behavior })).toEqual([MARK, note]);
  });
});

describe('isFromDescheduler', () => {
  it.each([
    [DESCHEDULED, true],
    [{ metadata: { annotations: { 'requested-by': 'kubectl' } } }, false],
    [{ metadata: { annotations: { 'Requested-By': 'sigs.k8s.io/descheduler' } } }, false],
    [{ metadata: {} }, false],
    [{}, false],
  ])('%j: %s', (eviction, expected) => {
    expect(isFromDescheduler(eviction)).toBe(expected);
  });
});

describe('isDryRun', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [undefined, {}, false],
    [undefined, { deleteOptions: {} }, false],
    [undefined, { deleteOptions: { dryRun: [] } }, false],
    [undefined, { deleteOptions: { dryRun: ['All'] } }, true],
    [false, { deleteOptions: { dryRun: ['All', 'Other'] } }, true],
    [undefined, { deleteOptions: { dryRun: ['Other', 'All'] } }, false],
    [undefined, { deleteOptions: { dryRun: ['all'] } }, false],
  ])('request %s, eviction %j: %s', (request, eviction, expected) => {
    expect(isDryRun(request, eviction)).toBe(expected);
  });
});

describe('readEviction', () => {
  it('reads what is there', () => {
    expect(readEviction({ kind: 'Anything', metadata: { name: 'p' }, more: 1 })).toEqual({
      eviction: { kind: 'Anything', metadata: { name: 'p' } },
    });
    expect(readEviction({})).toEqual({ eviction: {} });
  });

  it('says what cannot be read', () => {
    expect(readEviction(undefined)).toEqual({ error: 'unexpected end of JSON input' });
    expect(readEviction('text')).toEqual({
      error: 'Eviction: Invalid input: expected object, received string',
    });
    expect(readEviction({ deleteOptions: { dryRun: 'All' } })).toEqual({
      error: 'Eviction.deleteOptions.dryRun: Invalid input: expected array, received string',
    });
  });
});
