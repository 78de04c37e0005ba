import { describe, expect, it } from 'vitest';
import { aRun, aSimulation, aVmResult } from '../builders.ts';
import { simulationMarkdown } from './markdown.ts';
import { simulationTable } from './table.ts';
import { simulationTimeline } from './timeline.ts';
import { simulationWide } from './wide.ts';

const moves = [{ from: 'n1', to: 'n2', startSeconds: 3, endSeconds: 63 }];
const failed = [{ from: 'n1', to: 'n3', startSeconds: 2, endSeconds: 4, failed: 'lab: injected failure' }];
const run = aRun({
  seconds: 64,
  counts: { Restarts: 1, LiveMigrates: 1, StaysOff: 1 },
  vms: [
    aVmResult({
      name: 'shop/<b>',
      outcome: 'LiveMigrates',
      reason: 'Moved',
      toNode: 'n2',
      startSeconds: 3,
      endSeconds: 63,
      moves,
    }),
    aVmResult({
      ...{
        name: 'shop/web',
        outcome: 'Restarts',
        reason: 'CameBack',
        startSeconds: 2,
        endSeconds: 14,
        moves: failed,
      },
      ...{ outages: [{ downSeconds: 10, upSeconds: 14, how: 'Succeeded' }], restarts: 1, downtimeSeconds: 4 },
    }),
    aVmResult({
      ...{
        name: 'shop/old',
        outcome: 'StaysOff',
        reason: 'OffInTheEnd',
        toNode: undefined,
        startSeconds: 20,
        endSeconds: 20,
      },
      ...{ outages: [{ downSeconds: 20, how: 'Deleted' }], downtimeSeconds: 44 },
    }),
  ],
  nodes: [{ name: 'n1', guests: 3, outbound: 2, inbound: 0 }],
  ...{ mostWaiting: 1, mostUnderWay: 2, mostCopies: 2 },
  queue: [
    { seconds: 1, waiting: 1, underWay: 1 },
    { seconds: 30, waiting: 0, underWay: 2 },
  ],
  deeds: [
    {
      atSeconds: 1,
      deed: 'drain n1 (kubectl)',
      node: 'n1',
      end: 'succeeded',
      endSeconds: 31,
      says: ['node/n1 drained'],
    },
  ],
  events: [
    {
      seconds: 3,
      object: 'VirtualMachineInstance/shop/web',
      type: 'Normal',
      reason: 'Migrating',
      message: 'is migrating',
      component: 'virt-handler',
    },
  ],
  failures: [{ expectation: 'within', message: 'the last VM is done after 63 s, not within 60 s' }],
});
const options = { width: 120, colour: false };

describe('the table', () => {
  it('answers, names what failed and what was done, and lists VMs worst first', () => {
    expect(simulationTable(aSimulation(run), options)).toMatchInlineSnapshot(`
      "A scenario · seed 1
      ✗ All is quiet after 1m4s. Of 3 VMs, 1 moved, 1 could not move, and 2 were down for a time. 1 of what was expected did
        not come true.

      Not as expected
        - expect.within: the last VM is done after 63 s, not within 60 s

      What was done
        AT  END        AFTER  DONE
        1s  succeeded  30s    drain n1 (kubectl)

        StaysOff      1
        Restarts      1
        LiveMigrates  1

      NAMESPACE/VM  OUTCOME       START  END   DOWN      MOVES  FAILED  RESTARTS  NODES
      shop/old      StaysOff      20s    20s   for good  0      0       0         n1 → -
      shop/web      Restarts      2s     14s   4s        0      1       1         n1
      shop/<b>      LiveMigrates  3s     1m3s  0s        1      0       0         n1 → n2

      At most at one time
        NODE  GUESTS  OUT  IN
        n1    3       2    0
        2 copies, 2 migrations under way, 1 waiting
      "
    `);
  });

  it.each([false, true])('keeps to the width with nodes of long names, in colour %s', (colour) => {
    const node = 'worker-in-the-second-rack-0001';
    const vms = [aVmResult({ fromNode: node, toNode: `${node}-new` })];
    const shown = (width: number) => simulationTable(aSimulation(aRun({ vms })), { width, colour });
    expect(shown(80)).toContain(`\n    ${node} → ${node}-new\n`);
    expect(shown(140)).toContain(`  ${node} → ${node}-new\n`);
  });

  it('says why something could not be done', () => {
    const deeds = [{ atSeconds: 1, deed: 'migrate a', end: 'failed' as const, endSeconds: 1, says: ['no'] }];
    expect(simulationTable(aSimulation(aRun({ deeds })), options)).toContain('migrate a: no');
    expect(simulationTable(aSimulation(aRun({ deeds })), options)).toContain('\n! All is quiet');
  });

  it('says of a VM that waits for a node in the end that it is down for longer', () => {
    const outages = [{ downSeconds: 20, how: 'Succeeded' }];
    const vm = aVmResult({ outcome: 'Restarts', toNode: undefined, outages, downtimeSeconds: 44 });
    expect(simulationTable(aSimulation(aRun({ vms: [vm] })), options)).toMatch(/Restarts .* 44s\+ .*n1 → -/);
    const fromNowhere = { ...vm, fromNode: undefined };
    expect(simulationTable(aSimulation(aRun({ vms: [fromNowhere] })), options)).toMatch(/Restarts .* 44s\+ /);
  });

  it('the page shows a VM that waits for a node as long as the run goes on', () => {
    const outages = [{ downSeconds: 20, how: 'Succeeded' }];
    const vm = aVmResult({ outcome: 'Restarts', toNode: undefined, startSeconds: 20, outages });
    const page = simulationTimeline(aSimulation(aRun({ seconds: 80, vms: [vm] })));
    expect(page).toContain('<rect class="gone" x="390" y="22" width="600"');
    expect(page).toContain('shop/db-0: Succeeded at 20s, and is not back');
  });

  it('tells five failures of each expectation, and how many more there are', () => {
    const failures = Array.from({ length: 8 }, (_, i) => ({
      expectation: 'movesPerVm',
      message: `vm-${i}: 1 moves, not at most 0`,
    }));
    const report = aSimulation(aRun({ failures: [...failures, { expectation: 'within', message: 'late' }] }));
    expect(report.status.summary).toContain(' 2 of what was expected did not come true.');
    for (const text of [
      simulationTable(report, options),
      simulationMarkdown(report),
      simulationTimeline(report),
    ]) {
      expect(text).toContain('vm-4: 1 moves');
      expect(text).not.toContain('vm-5: 1 moves');
      expect(text).toContain('… and 3 more of expect.movesPerVm');
      expect(text).toContain('late');
    }
  });

  it('says in how many runs it was stopped first', () => {
    const report = aSimulation(aRun({ seconds: 10 }), aRun({ seed: 2, seconds: 10, isCutShort: true }));
    expect(report.status.summary).toContain(
      'All is quiet after 10s, but in 1 of 2 runs it was stopped first.',
    );
  });

  it('shows the slowest tenth of many runs in brackets', () => {
    const text = simulationTable(aSimulation(aRun({ seconds: 10 }), aRun({ seed: 2, seconds: 70 })), options);
    expect(text).toContain('A scenario · 2 runs, seeds 1 to 2');
    expect(text).toContain('All is quiet after 10s (1m10s).');
  });

  it('sums up VMs that only move where there are many', () => {
    const vms = Array.from({ length: 40 }, (_, i) =>
      aVmResult({ name: `shop/vm-${i}`, outcome: 'LiveMigrates' }),
    );
    expect(simulationTable(aSimulation(aRun({ vms })), options)).toContain(
      '… 37 more LiveMigrates (-o wide lists them all)',
    );
  });
});

it('the wide view has every VM and every event, and all that the table has', () => {
  const text = simulationWide(aSimulation(run), options);
  expect(text).toContain('  - expect.within: the last VM is done after 63 s, not within 60 s');
  expect(text).toMatch(/1s +succeeded +30s +drain n1 \(kubectl\)/);
  expect(text).toContain('  StaysOff      1');
  expect(text).toMatch(/NODE +GUESTS +OUT +IN\n +n1 +3 +2 +0/);
  const nodes = Array.from({ length: 20 }, (_, i) => ({ name: `n${i}`, guests: 1, outbound: 0, inbound: 0 }));
  const many = aSimulation(aRun({ nodes }));
  expect(simulationWide(many, options)).toContain('n9 ');
  expect(simulationTable(many, options)).not.toContain('n9 ');
  expect(text).toMatch(/shop\/old +StaysOff +20s +20s +for good +0 +0 +0 +OffInTheEnd +n1 → -/);
  expect(text).toMatch(/3s +VirtualMachineInstance\/shop\/web +Migrating +is migrating/);
});

it('Markdown lets nothing become markup', () => {
  const text = simulationMarkdown(aSimulation(run));
  expect(text).toContain('| `shop/<b>` | LiveMigrates | 3s | 1m3s | 0s | 1 | 0 | n1 → n2 |');
  expect(text).toContain(
    '- ❌ `expect.within` the last VM is done after 63 s, not within 60 s (1 of 1 runs)',
  );
});

describe('the timeline', () => {
  const page = simulationTimeline(aSimulation(run));

  it('loads nothing, runs nothing, and escapes names', () => {
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/<script|https?:|<b>: |src=/);
    expect(page).toContain('shop/&lt;b&gt;: n1 → n2, 3s to 1m3s');
  });

  it.each([
    ['a move', '<rect class="move" x="227.5"'],
    ['a move that failed', 'shop/web: n1 → n3, 2s to 4s, failed: lab: injected failure'],
    ['an outage', 'shop/web: Succeeded at 10s, back at 14s'],
    ['an end', 'shop/old: Deleted at 20s, and stays off'],
    ['the queue', '30s: 2 under way, 0 waiting'],
    ['what was done', '<td>drain n1 (kubectl)</td><td>succeeded, 31s</td><td></td>'],
    ['what failed', '<code>expect.within</code>'],
    ['dark and light', 'prefers-color-scheme: dark'],
  ])('shows %s', (_, text) => {
    expect(page).toContain(text);
  });

  it('shows who waits for a copy, by node, those that never get one too', () => {
    const vm = aVmResult({ waits: [{ fromSeconds: 2, untilSeconds: 62 }, { fromSeconds: 70 }] });
    const waiting = simulationTimeline(aSimulation(aRun({ vms: [vm] })));
    expect(waiting).toContain('shop/db-0: has a migration and waits for its copy, 2s to 1m2s');
    expect(waiting).toContain('shop/db-0: has a migration and waits for its copy, 1m10s to the end');
    expect(waiting).toContain('<rect class="waiting" ');
  });

  it('says why something could not be done, and nothing of the way to success', () => {
    const deeds = [{ atSeconds: 1, deed: 'migrate a', end: 'failed' as const, endSeconds: 1, says: ['no'] }];
    expect(simulationTimeline(aSimulation(aRun({ deeds })))).toContain('<td>failed, 1s</td><td>no</td>');
    expect(page).not.toContain('node/n1 drained');
  });

  it('of a run in which nothing happened has no pictures', () => {
    expect(simulationTimeline(aSimulation())).not.toContain('<svg');
  });
});
