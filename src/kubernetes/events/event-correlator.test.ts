import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../decide/events.ts';
import { type Correlated, EventCorrelator } from './event-correlator.ts';

const DRAFT: EventDraft = {
  kind: 'VirtualMachineInstance',
  namespace: 'a',
  name: 'db',
  type: 'Normal',
  reason: 'R',
  message: 'm',
};
const REGARDING = { apiVersion: 'kubevirt.io/v1', uid: 'u' };
const NOW = Date.parse('2026-03-01T12:00:00Z');

function correlator() {
  const made = new EventCorrelator();
  return (change: Partial<EventDraft> = {}, seconds = 0, component = 'c', uid = 'u'): Correlated =>
    made.correlate({ ...DRAFT, ...change }, component, { ...REGARDING, uid }, NOW + seconds * 1000);
}

const countOf = (correlated: Correlated): number =>
  correlated.write === 'none' ? 0 : correlated.event.count;
const messageOf = (correlated: Correlated): string =>
  correlated.write === 'none' ? '' : correlated.event.message;

describe('an event', () => {
  it('is made as client-go makes it', () => {
    expect(correlator()()).toEqual({
      write: 'create',
      event: {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: expect.stringMatching(/^db\.[0-9a-f]{16}$/), namespace: 'a' },
        involvedObject: { ...REGARDING, kind: 'VirtualMachineInstance', namespace: 'a', name: 'db' },
        type: 'Normal',
        reason: 'R',
        message: 'm',
        source: { component: 'c' },
        reportingComponent: 'c',
        reportingInstance: '',
        firstTimestamp: '2026-03-01T12:00:00Z',
        lastTimestamp: '2026-03-01T12:00:00Z',
        count: 1,
      },
    });
  });

  it('on an object without namespace goes to "default"', () => {
    expect(correlator()({ namespace: undefined })).toMatchObject({
      event: { metadata: { namespace: 'default' } },
    });
  });

  it('has a name of its own, and a message that is not too long', () => {
    const correlate = correlator();
    const [one, two] = [correlate({ message: 'x'.repeat(2000) }), correlate({ reason: 'S' })];
    expect(messageOf(one)).toHaveLength(1024);
    expect(one).not.toMatchObject({ event: { metadata: two.write === 'none' ? {} : two.event.metadata } });
  });
});

describe('the same event again', () => {
  it('counts up the one that is there', () => {
    const correlate = correlator();
    const first = correlate();
    const second = correlate({}, 61);
    expect(second).toEqual({
      write: 'count',
      event: {
        ...(first.write === 'none' ? {} : first.event),
        count: 2,
        lastTimestamp: '2026-03-01T12:01:01Z',
      },
    });
    expect(countOf(correlate({}, 62))).toBe(3);
  });

  it.each<[string, Partial<EventDraft>, string, string]>([
    ['another component', {}, 'd', 'u'],
    ['another object', {}, 'c', 'v'],
    ['another name', { name: 'web' }, 'c', 'u'],
    ['another namespace', { namespace: 'b' }, 'c', 'u'],
    ['another kind', { kind: 'Pod' }, 'c', 'u'],
    ['another type', { type: 'Warning' }, 'c', 'u'],
    ['another reason', { reason: 'S' }, 'c', 'u'],
    ['another message', { message: 'n' }, 'c', 'u'],
  ])('is not one with %s', (_, change, component, uid) => {
    const correlate = correlator();
    correlate();
    expect(correlate(change, 0, component, uid)).toMatchObject({ write: 'create', event: { count: 1 } });
  });
});

describe('events that differ in their message only', () => {
  it('are one after the tenth', () => {
    const correlate = correlator();
    for (let i = 0; i < 10; i++) expect(messageOf(correlate({ message: `m${i}` }))).toBe(`m${i}`);
    const eleventh = correlate({ message: 'm10' });
    expect([eleventh.write, messageOf(eleventh)]).toEqual(['create', '(combined from similar events): m10']);
    const twelfth = correlate({ message: 'm11' });
    expect([twelfth.write, countOf(twelfth), messageOf(twelfth)]).toEqual([
      'count',
      2,
      '(combined from similar events): m11',
    ]);
    expect(messageOf(correlate({ message: 'm3' }))).toBe('m3');
  });

  it.each([
    [600, '(combined from similar events): late'],
    [601, 'late'],
  ])('are apart again after ten minutes: %i s', (seconds, message) => {
    const correlate = correlator();
    for (let i = 0; i < 10; i++) correlate({ message: `m${i}` });
    expect(messageOf(correlate({ message: 'late' }, seconds))).toBe(message);
  });
});

describe('too many events of one object', () => {
  const burst = (): ReturnType<typeof correlator> => {
    const correlate = correlator();
    for (let i = 0; i < 25; i++) expect(correlate({ reason: `R${i}` }).write).toBe('create');
    return correlate;
  };

  it('are spared, those of others are not', () => {
    const correlate = burst();
    expect(correlate({ reason: 'more' })).toEqual({ write: 'none' });
    expect(correlate({ reason: 'more', name: 'web' }).write).toBe('create');
  });

  it.each([
    [299, 'none'],
    [300, 'create'],
  ])('come again one in five minutes: after %i s %s', (seconds, write) => {
    const correlate = burst();
    expect(correlate({ reason: 'more' }, seconds).write).toBe(write);
  });

  it('never come in more than one burst, however long it was quiet', () => {
    const correlate = burst();
    const day = 86_400;
    const writes = Array.from({ length: 26 }, (_, i) => correlate({ reason: `S${i}` }, day).write);
    expect(writes.filter((write) => write === 'create')).toHaveLength(25);
  });
});
