import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import type { JsonObject } from '../../kubevirt/json.ts';
import { MemoryApi } from '../../simulation/memory-api.ts';
import { MemoryCluster } from '../../simulation/memory-cluster.ts';
import { seededRandom } from '../../simulation/seeded-random.ts';
import type { SimulatedCluster } from '../../simulation/simulated-cluster.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { act, type Stage } from './actions.ts';
import { Course } from './course.ts';
import { courseOf, type RecordedChange } from './recording.ts';

function aStage(...changes: readonly RecordedChange[]) {
  const clock = new VirtualClock(0);
  const api = new MemoryApi(clock, seededRandom(1));
  for (const name of ['a', 'b'])
    api.put('VirtualMachineInstance', aVmi(name, 'shop').on('n1').marked('n1').build());
  const recording = { name: 'shop', timeline: [], before: [], end: 99, changes };
  const simulated = { cluster: new MemoryCluster({ api, clock }), clock } as unknown as SimulatedCluster;
  const stage: Stage = {
    recording,
    simulated,
    real: courseOf(recording),
    ours: new Course(),
    restartController() {},
  };
  return { api, clock, stage };
}

const budget = (t: number, change: RecordedChange['change'], spec?: JsonObject, status: JsonObject = {}) => ({
  ...{ t, change, kind: 'PodDisruptionBudget', name: 'p' },
  ...(spec && { state: { spec, status } }),
});
const one = { minAvailable: 1 };

describe('a budget', () => {
  const course = [
    budget(3, 'added', one),
    budget(4, 'modified', one, { disruptionsAllowed: 1 }),
    budget(5, 'modified', { minAvailable: 2 }),
    budget(6, 'deleted'),
  ];

  it.each([
    ['is made', [3], one],
    ['is changed, whatever becomes of its status before', [3, 3.5], { minAvailable: 2 }],
    ['is deleted', [3, 5.5], undefined],
    ['is seen before it is told who did it', [3.05], one],
  ])('%s', async (_, seconds, spec) => {
    const { api, clock, stage } = aStage(...course);
    for (const t of seconds) {
      act(stage, { t, action: 'pdb' });
      await clock.settle();
    }
    expect(api.get('PodDisruptionBudget', 'shop/p')?.spec).toEqual(spec);
  });
});

describe('a call that takes marks away', () => {
  const marked = (t: number, evacuationNodeName?: string): RecordedChange => ({
    ...{ t, change: 'modified', kind: 'VirtualMachineInstance', name: 'a' },
    state: { status: { evacuationNodeName } },
  });

  it.each([
    ['of the VMI that loses it then', '', 8.5, ['b']],
    ['not of one that loses it another time', '', 12, ['a', 'b']],
    ['nor where it was refused', '{ "status": "Failure" }', 8.5, ['a', 'b']],
  ])('%s', async (_, out, takenAt, left) => {
    const { api, clock, stage } = aStage(marked(2, 'n1'), marked(takenAt));
    act(stage, { t: 8, action: 'evacuate-cancel', out });
    await clock.settle();
    const vmis = [...api.list('VirtualMachineInstance')];
    const isMarked = ({ status }: JsonObject) => (status as JsonObject).evacuationNodeName !== undefined;
    expect(vmis.filter(isMarked).map(({ metadata }) => metadata.name)).toEqual(left);
  });
});

describe('what nobody knows', () => {
  it.each([
    ['an action', { action: 'burn' }, 'the action "burn" is not known'],
    [
      'a flag of a drain',
      { action: 'drain', node: 'n1', timeout: 9, extra: '--burn' },
      'a drain with the flag --burn',
    ],
    ['an edit', { action: 'edit', vm: 'a', memory: '2Gi' }, 'an edit of something else than sockets'],
  ])('is an error: %s', (_, action, message) => {
    expect(() => act(aStage().stage, { t: 1, ...action })).toThrow(message);
  });
});
