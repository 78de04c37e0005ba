import { expect, it } from 'vitest';
import { scenarioSchema } from '../scenario/schema.ts';
import { aRun, aVmResult } from './builders.ts';
import { failedExpectations } from './expectations.ts';

const move = { from: 'n1', to: 'n2', startSeconds: 3, endSeconds: 6 };
const waiting = aVmResult({ name: 'default/w', outcome: 'Restarts', toNode: undefined, startSeconds: 2 });
const run = aRun({
  counts: { LiveMigrates: 1 },
  vms: [
    aVmResult({
      ...{ name: 'default/a', outcome: 'LiveMigrates', toNode: 'n2', endSeconds: 6, moves: [move, move] },
      ...{ restarts: 1, downtimeSeconds: 4, refusals: [{ says: 'refused by a budget', times: 2 }] },
    }),
  ],
  nodes: [{ name: 'n1', guests: 3, outbound: 2, inbound: 1 }],
  mostCopies: 2,
  deeds: [{ atSeconds: 1, deed: 'drain n1', node: 'n1', end: 'failed', says: ['node/n1 cordoned'] }],
  events: [
    {
      seconds: 1,
      object: 'Pod/default/p',
      type: 'Normal',
      reason: 'Killing',
      message: 'gone',
      component: 'c',
    },
  ],
});

/** What is expected, and what is said where it did not come true. */
it.each([
  [{ outcomes: { a: 'LiveMigrates' } }, []],
  [{ outcomes: { 'default/a': ['Blocks', 'LiveMigrates'] } }, []],
  [{ outcomes: { a: 'Blocks', b: 'Cut' } }, ['a: LiveMigrates, not Blocks', 'b: Absent, not Cut']],
  [{ outcomes: { b: 'Absent' } }, []],
  [{ counts: { LiveMigrates: 1, Cut: 0 } }, []],
  [{ counts: { LiveMigrates: 2 } }, ['1 VMs are LiveMigrates, not 2']],
  [{ nodes: { a: 'n2' } }, []],
  [{ nodes: { a: '' } }, ['a runs on n2, not on none']],
  [{ nodes: { b: 'n1' } }, ['b runs on no node, not on n1']],
  [{ drains: { n1: 'failed' } }, []],
  [
    { drains: { n1: 'succeeded', n2: 'failed' } },
    ['the drain of n1: failed, not succeeded', 'the drain of n2: absent, not failed'],
  ],
  [{ within: '6s', notBefore: '6s' }, []],
  [{ within: '5s' }, ['the last VM is done after 6 s, not within 5 s']],
  [{ notBefore: '7s' }, ['the last VM is done after 6 s, before 7 s']],
  [{ movesPerVm: 2, restartsPerVm: 1, downtimePerVm: '4s' }, []],
  [{ movesPerVm: 1 }, ['default/a: 2 moves, not at most 1']],
  [{ restartsPerVm: 0 }, ['default/a: 1 restarts, not at most 0']],
  [{ downtimePerVm: '3s' }, ['default/a: 4 seconds without a guest, not at most 3']],
  [{ movesAtOnce: 2, outboundPerNode: 2, inboundPerNode: 1, guestsPerNode: 3 }, []],
  [{ movesAtOnce: 1 }, ['2 copies at once, not at most 1']],
  [{ outboundPerNode: 1 }, ['n1: 2 copies out at once, not at most 1']],
  [{ inboundPerNode: 0 }, ['n1: 1 copies in at once, not at most 0']],
  [{ guestsPerNode: 2 }, ['n1: 3 guests at once, not at most 2']],
  [{ says: ['Killing: gone', 'by a budget', 'cordoned'] }, []],
  [{ says: ['never'] }, ['nobody says "never"']],
  [{ neverSays: ['never'] }, []],
  [{ neverSays: ['cordoned'] }, ['somebody says "cordoned"']],
])('%j', (expected, messages) => {
  const scenario = scenarioSchema.parse({ title: 'x', expect: expected });
  expect(failedExpectations(scenario, run).map(({ message }) => message)).toEqual(messages);
});

it('a VM that is not done in the end is not done within any time', () => {
  const scenario = scenarioSchema.parse({ title: 'x', expect: { within: '1h', notBefore: '6s' } });
  const said = failedExpectations(scenario, { ...run, vms: [...run.vms, waiting] });
  expect(said).toEqual([
    { expectation: 'within', message: 'default/w is not done in the end, nor within 3600 s' },
  ]);
});
