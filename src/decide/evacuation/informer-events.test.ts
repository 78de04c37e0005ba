import { describe, expect, it } from 'vitest';
import { aMigration, aNode, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Node } from '../../kubevirt/objects.ts';
import { type Behavior, decide } from '../rules.ts';
import { resolveSettings } from '../settings.ts';
import {
  type EvacuationEvent,
  type EvacuationEventInput,
  evacuationInformerTable,
} from './informer-events.ts';

const settings = resolveSettings(undefined);
const node = aNode('n1').build();
const tainted = aNode('n1').tainted('kubevirt.io/drain').build();
const plain = aVmi('db').on('n1').build();
const marked = aVmi('db').on('n1').marked().build();
const homeless = aVmi('db').build();
const running = aPod().on('n1').launcherOf(marked).build();
const ended = aPod().on('n1').launcherOf(marked).phase('Succeeded').build();

const ask = (input: Partial<EvacuationEventInput> & { event: EvacuationEvent }) =>
  decide(evacuationInformerTable, { settings, node, behavior: 'intended', ...input });

/** What follows, and by which rule, in both behaviours. */
type Row = readonly [string, Partial<EvacuationEventInput> & { event: EvacuationEvent }, string, string];

const vmi = (
  event: Omit<Extract<EvacuationEvent, { kind: 'VirtualMachineInstance' }>, 'kind'>,
  on?: Node,
) => ({
  event: { kind: 'VirtualMachineInstance', ...event } as const,
  ...(on && { node: on }),
});
const N1 = { enqueue: 'n1' };

const ROWS: readonly Row[] = [
  ['a new node', { event: { kind: 'Node', after: node } }, 'NodeChanged', 'NodeChanged'],
  ['a node that is gone', { event: { kind: 'Node', before: node } }, 'NodeChanged', 'NodeChanged'],
  ['a new taint', { event: { kind: 'Node', before: node, after: tainted } }, 'NodeChanged', 'NodeChanged'],
  [
    'a heartbeat of a node',
    { event: { kind: 'Node', before: node, after: aNode('n1').labelled('a', 'b').build() } },
    'NodeUnconcerned',
    'NodeChanged',
  ],
  ['a VMI that is marked', vmi({ before: plain, after: marked }), 'VmiChanged', 'VmiChanged'],
  ['a VMI that loses its mark', vmi({ before: marked, after: plain }), 'VmiChanged', 'VmiChanged'],
  ['a marked VMI that is gone', vmi({ before: marked }), 'VmiChanged', 'VmiChanged'],
  ['a VMI without mark', vmi({ before: plain, after: plain }), 'VmiUnconcerned', 'VmiChanged'],
  ['a VMI on a tainted node', vmi({ before: plain, after: plain }, tainted), 'VmiChanged', 'VmiChanged'],
  ['a VMI without a node', vmi({ after: homeless }), 'VmiWithoutNode', 'VmiWithoutNode'],
  [
    'a migration of a marked VMI that ends',
    {
      event: {
        kind: 'VirtualMachineInstanceMigration',
        before: aMigration().build(),
        after: aMigration().phase('Failed').build(),
      },
      vmi: marked,
    },
    'VmiChanged',
    'VmiChanged',
  ],
  [
    'a migration of a VMI without mark',
    { event: { kind: 'VirtualMachineInstanceMigration', after: aMigration().build() }, vmi: plain },
    'VmiUnconcerned',
    'VmiChanged',
  ],
  [
    'a migration whose VMI is gone',
    { event: { kind: 'VirtualMachineInstanceMigration', before: aMigration().build() }, vmi: undefined },
    'VmiWithoutNode',
    'VmiWithoutNode',
  ],
  [
    'an update of an own migration',
    {
      event: {
        kind: 'VirtualMachineInstanceMigration',
        before: aMigration().evacuation().build(),
        after: aMigration().evacuation().phase('Running').build(),
      },
      vmi: marked,
    },
    'VmiChanged',
    'VmiChanged',
  ],
];

describe.each(ROWS)('%s', (_, input, intended, exact) => {
  it.each<[Behavior, string]>([
    ['intended', intended],
    ['exact', exact],
  ])('%s: %s', (behavior, reason) => {
    const decision = ask({ ...input, behavior });
    expect(decision.reason).toBe(reason);
    expect(decision.result).toEqual(reason.endsWith('Changed') ? N1 : {});
  });
});

describe('a migration that the controller made', () => {
  const event = {
    kind: 'VirtualMachineInstanceMigration',
    after: aMigration().evacuation('n2').build(),
  } as const;

  it('is observed for the node that it was made for, and brings up the node that the VMI is on', () => {
    const { reason, result } = ask({ event, vmi: marked });
    expect([reason, result]).toEqual(['OwnMigrationAdded', { enqueue: 'n1', observedFor: 'n2' }]);
  });

  it('is observed also when the VMI is gone', () => {
    expect(ask({ event, vmi: undefined }).result).toEqual({ observedFor: 'n2' });
  });
});

describe('a pod', () => {
  const pod = (before?: typeof running, after?: typeof running) => ({ kind: 'Pod', before, after }) as const;

  it.each([
    ['that ends', pod(running, ended), 'VmiChanged'],
    ['that is deleted', pod(running), 'VmiChanged'],
    ['that ends and was seen to have ended', pod(ended, ended), 'PodUnconcerned'],
    ['that is deleted after its end', pod(ended), 'PodUnconcerned'],
    ['that goes on', pod(running, running), 'PodUnconcerned'],
    ['that comes', pod(undefined, running), 'PodUnconcerned'],
  ])('of a marked VMI %s', (_, event, reason) => {
    expect(ask({ event, vmi: marked }).reason).toBe(reason);
    expect(ask({ event, vmi: marked, behavior: 'exact' }).reason).toBe('PodUnconcerned');
  });

  it.each([
    ['without mark', plain],
    ['that is gone', undefined],
  ])('of a VMI %s is no matter', (_, vmi) => {
    expect(ask({ event: pod(running, ended), vmi }).reason).toBe('PodUnconcerned');
  });
});

it('a pod of a VMI without mark counts where its node has the drain taint', () => {
  const event = { kind: 'Pod', before: running, after: ended } as const;
  expect(ask({ event, vmi: plain, node: tainted }).reason).toBe('VmiChanged');
});

it('the evidence names the object', () => {
  const [row] = ROWS;
  if (!row) throw new Error('no rows');
  expect(ask(row[1]).evidence).toEqual([{ object: 'Node n1', path: 'metadata.name', value: 'n1' }]);
});
