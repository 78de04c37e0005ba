import { describe, expect, it } from 'vitest';
import { type RolloutStatus, STATES, type State, type VmStanding } from '../status/report.ts';
import { countsOf, summaryOf } from '../status/summary.ts';
import { PLAIN } from './options.ts';
import { markOfStatus, statusLine, statusView } from './status.ts';

const vm = (name: string, state: State, change: Partial<VmStanding> = {}): VmStanding => ({
  ...{
    namespace: 'shop',
    name,
    state,
    reason: `${state}Reason`,
    message: `shop/${name} is so`,
    evidence: [],
  },
  ...change,
});
const many = (count: number, prefix: string, state: State) =>
  Array.from({ length: count }, (_, i) => vm(`${prefix}-${i}`, state));

function report(vms: readonly VmStanding[], change: Partial<RolloutStatus['status']> = {}): RolloutStatus {
  const counts = countsOf(vms);
  const gate = { open: true, reason: 'GateOpen' };
  const facts = { counts, gate, secondsLeft: 120, endsAt: '2026-03-01T12:02:00Z' };
  return {
    apiVersion: 'drover.dev/v1alpha1',
    kind: 'RolloutStatus',
    spec: {
      kubevirtVersion: '1.9',
      behavior: 'exact',
      launcherImage: 'launcher:v2',
      workloadUpdateMethods: ['LiveMigrate', 'Evict'],
      at: '2026-03-01T12:00:00Z',
    },
    status: { ...facts, summary: summaryOf(facts), notRunning: 0, percentDone: 25, vms, ...change },
  };
}

describe('a roll-out for a terminal', () => {
  it('shows the answer, the bar, the numbers and those who are left, the stuck first', () => {
    const vms = [vm('a', 'Done'), vm('b', 'Moving'), vm('c', 'Waiting'), vm('d', 'Stuck')];
    expect(
      statusView(report(vms), PLAIN),
    ).toBe(`roll-out of launcher:v2 · KubeVirt 1.9 · LiveMigrate and Evict
✗ 1 of 4 VMs is up to date; 1 moves now, 1 waits, 1 stays until something changes. About 2 min left,
  until 2026-03-01T12:02:00Z.

  ${'█'.repeat(15)}${'▒'.repeat(15)}${'░'.repeat(30)}  25 %

  Stuck    1
  Moving   1
  Waiting  1
  Done     1

NAMESPACE/VM  STATE    REASON         WHY
shop/d        Stuck    StuckReason    is so
shop/b        Moving   MovingReason   is so
shop/c        Waiting  WaitingReason  is so
`);
  });

  it('leaves some out of a long list, the stuck never', () => {
    const vms = [...many(8, 's', 'Stuck'), ...many(20, 'm', 'Moving'), ...many(20, 'w', 'Waiting')];
    const text = statusView(report(vms), PLAIN);
    const rows = (prefix: string) =>
      text.split('\n').filter((line) => line.startsWith(`shop/${prefix}-`)).length;
    expect([rows('s'), rows('m'), rows('w')]).toEqual([8, 5, 5]);
    expect(text).toContain('… 30 more (-o json lists them all)\n');
    expect(statusView(report(many(30, 'w', 'Waiting')), PLAIN)).not.toContain('more (');
  });

  it('says who does not run, and shows no bar without VMs', () => {
    const none = statusView(report([], { notRunning: 1 }), PLAIN);
    expect(none).toContain('  1 VM is not running, and counts when it does\n');
    expect(none).not.toContain('%');
    expect(statusView(report([], { notRunning: 2 }), PLAIN)).toContain(
      '  2 VMs are not running, and count when they do',
    );
  });

  it.each([
    [{ Stuck: 1 }, true, '✗'],
    [{ Waiting: 1 }, false, '!'],
    [{ Moving: 1 }, false, '!'],
    [{ Waiting: 1 }, true, '✓'],
    [{ Done: 1 }, false, '✓'],
  ])('marks %j with the gate open: %s as %s', (some, isOpen, mark) => {
    const counts = { ...Object.fromEntries(STATES.map((state) => [state, 0])), ...some } as Record<
      State,
      number
    >;
    const { status } = report([], { counts, gate: { open: isOpen, reason: 'R' } });
    expect(markOfStatus(status)).toBe(mark);
  });

  it('fits a narrow terminal, paints, and never lets names steer it', () => {
    const evil = vm('a', 'Moving', { message: 'shop/a \u001b[2J' });
    const text = statusView(report([evil]), { ...PLAIN, width: 60 });
    expect(text).toContain('\\u{1b}[2J');
    expect(text.split('\n').every((line) => line.length <= 60)).toBe(true);
    expect(statusView(report([vm('a', 'Done')]), { ...PLAIN, colour: true })).toContain('\u001b[32m█');
  });
});

it('is one line for a log', () => {
  const vms = [vm('a', 'Done'), vm('b', 'Moving'), vm('c', 'Moving')];
  expect(statusLine(report(vms))).toBe(
    '2026-03-01T12:00:00Z  25%  Done 1  Waiting 0  Moving 2  Stuck 0  until 2026-03-01T12:02:00Z\n',
  );
  expect(statusLine(report(vms, { endsAt: undefined }))).toMatch(/Stuck 0\n$/);
});
