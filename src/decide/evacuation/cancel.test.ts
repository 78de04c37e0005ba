import { expect, it } from 'vitest';
import { aNode, aVmi } from '../../kubevirt/builders.ts';
import { decide } from '../rules.ts';
import { resolveSettings } from '../settings.ts';
import { type CancelInput, evacuationCancelTable, nodeToLookAt } from './cancel.ts';

const marked = aVmi().on('n1').marked('n1').build();
const named = { options: { evacuationNodeName: 'n1' } };
const tainted = aNode('n1').tainted('kubevirt.io/drain').build();
const { migrations, ...others } = resolveSettings(undefined);
const withoutKey = { ...others, migrations: { ...migrations, nodeDrainTaintKey: '' } };
const MARK = '/status/evacuationNodeName';

const ask = (change: Partial<CancelInput>) =>
  decide(evacuationCancelTable, {
    vmi: marked,
    node: aNode('n1').build(),
    reading: named,
    settings: resolveSettings(undefined),
    ...change,
  });

it.each<[string, Partial<CancelInput>, string, object]>([
  ['of no node', { node: undefined }, 'NodeGone', { refusal: 'nodes "n1" not found', code: 500 }],
  [
    'on a node that is drained by taint, marked or not, with a body or without',
    { node: tainted, vmi: aVmi().on('n1').build(), reading: undefined },
    'NodeDrainedByTaint',
    { refusal: 'Node "n1" has NodeDrainTaintKey "kubevirt.io/drain:NoSchedule"', code: 400 },
  ],
  ['without a mark', { vmi: aVmi().on('n1').build(), reading: undefined }, 'NotMarked', { patch: [] }],
  ['without a body', { reading: undefined }, 'NoBody', { refusal: 'No body', code: 400 }],
  [
    'with a body that is none',
    { reading: { error: 'it is no JSON' } },
    'BodyNotReadable',
    { refusal: 'it is no JSON', code: 400 },
  ],
  [
    'by its node',
    {},
    'MarkRemoved',
    {
      patch: [
        { op: 'test', path: MARK, value: 'n1' },
        { op: 'remove', path: MARK },
      ],
    },
  ],
  [
    'by no node, as virtctl asks, which the test of the patch refuses',
    { reading: { options: {} } },
    'MarkRemoved',
    {
      patch: [
        { op: 'test', path: MARK, value: '' },
        { op: 'remove', path: MARK },
      ],
    },
  ],
])('a mark is taken off: %s', (_, change, reason, result) => {
  expect(ask(change)).toMatchObject({ reason, result });
});

it('nodes are not looked at where no taint drains them', () => {
  expect(ask({ settings: withoutKey, node: undefined }).reason).toBe('MarkRemoved');
  expect(ask({ settings: withoutKey, node: aNode('n1').tainted('').build() }).reason).toBe('MarkRemoved');
});

it.each([
  ['n2', aVmi().on('n1').marked('n2').build()],
  ['n1', aVmi().on('n1').build()],
  ['', aVmi().build()],
])('looks at %j', (node, vmi) => {
  expect(nodeToLookAt(vmi)).toBe(node);
});
