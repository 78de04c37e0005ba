import { describe, expect, it } from 'vitest';
import { Fleet } from '../fleet/fleet.ts';
import { aNode, aPod, aVmi } from '../kubevirt/builders.ts';
import { scenarioIn } from '../scenario/read.ts';
import { scenarioSchema } from '../scenario/schema.ts';
import { checkScenario, checkSnapshot } from './check-scenario.ts';
import { beginningOfScenario } from './prepare.ts';

const check = (change: object) => {
  const cluster = { nodes: ['n1'], vms: [{ name: 'a', node: 'n1' }] };
  const scenario = scenarioSchema.parse({ title: 'x', cluster, ...change });
  checkScenario(scenario, beginningOfScenario(scenario));
};

describe('names in a scenario', () => {
  it.each([
    { timeline: [{ at: '1s', drain: { node: 'n1' } }] },
    { timeline: [{ at: '1s', restart: 'default/a' }] },
    {
      timeline: [
        { at: '0s', create: [{ kind: 'Node', metadata: { name: 'n2' } }] },
        { at: '1s', cordon: 'n2' },
      ],
    },
    { expect: { outcomes: { a: ['Absent', 'Cut'] }, counts: { Untouched: 1 } } },
  ])('are there: %j', (change) => {
    expect(() => check(change)).not.toThrow();
  });

  it.each([
    [{ timeline: [{ at: '1s', failNode: 'n9' }] }, 'timeline[0]: there is no node n9'],
    [{ timeline: [{ at: '1s', evict: 'b' }] }, 'timeline[0]: there is no VM b'],
    [
      { timeline: [{ at: '1s', delete: { kind: 'Foo', name: 'f' } }] },
      'timeline[0]: a simulated cluster has no objects of kind Foo',
    ],
    [{ expect: { outcomes: { a: 'Moves' } } }, 'expect: Moves is no outcome'],
  ])('are missed: %j', (change, message) => {
    expect(() => check(change)).toThrow(message);
  });
});

describe('a scenario file', () => {
  it.each([
    ['a: b: c', 'ScenarioUnreadable', /^s\.yaml: /],
    ['title: 1', 'ScenarioInvalid', /^s\.yaml: title: /],
    [
      'title: x\ntimeline: [{ at: 1s }]',
      'ScenarioInvalid',
      /timeline\[0\]: an entry of the timeline has "at" and one action: upgrade, /,
    ],
    ['title: x\ntimeline: [{ at: 5, cordon: n1 }]', 'ScenarioInvalid', /timeline\[0\]\.at/],
    ['title: x\nsettings: { sed: 1 }', 'ScenarioInvalid', /sed/],
  ])('%j is refused', (text, code, message) => {
    expect(() => scenarioIn(text, 's.yaml')).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('is read with durations as seconds', () => {
    const { timeline, settings } = scenarioIn(
      'title: x\nsettings: { until: 1h30m }\ntimeline: [{ at: 90s, killController: {} }]',
      's',
    );
    expect([settings.until, timeline]).toEqual([5400, [{ at: 90, killController: { for: 10 } }]]);
  });
});

describe('a snapshot without pods', () => {
  it('is refused where VMs run, which would all be played as falling', () => {
    const fleet = new Fleet();
    fleet.apply('VirtualMachineInstance', aVmi('db').on('n1').build());
    fleet.apply('Node', aNode('n1').build());
    expect(() => checkSnapshot(fleet)).toThrow('1 VMI run in the snapshot, but it has no Pod');
    fleet.apply('Pod', aPod('p').build());
    expect(() => checkSnapshot(fleet)).not.toThrow();
    expect(() => checkSnapshot(new Fleet())).not.toThrow();
  });
});
