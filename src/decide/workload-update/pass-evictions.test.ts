import { describe, expect, it } from 'vitest';
import { aKubeVirt, aPod } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { resolveSettings } from '../settings.ts';
import { NO_BATCH } from './batch.ts';
import { planEvictions } from './pass.ts';
import { surveyVmis } from './survey.ts';
import { migratable, NOW, plan, stuck, told } from './test-pass.ts';

const podsOf = (...vmis: readonly Vmi[]) =>
  vmis.map((vmi) => aPod(`pod-${vmi.metadata.name}`).launcherOf(vmi).on('n1').build());

describe('the evictions of a pass', () => {
  const vmis = stuck('a', 'b', 'c');
  const pods = podsOf(...vmis);
  const kubevirt = aKubeVirt().methods('Evict').batches(2, '30s').build();

  it('are a batch of the current pods', () => {
    const pass = plan({ kubevirt, vmis, pods });
    expect(told(pass)).toEqual(['evictPod a', 'evictPod b']);
    expect(pass.commands[0]).toMatchObject({ eviction: { metadata: { name: 'pod-a', namespace: 'shop' } } });
    expect(pass.state.batch).toEqual({ ...NO_BATCH, lastAt: NOW });
  });

  it.each([
    ['exactly the interval', 30, 0],
    ['a millisecond more', 30.001, 2],
  ])('wait for %s', (_, seconds, count) => {
    const state = { batch: { ...NO_BATCH, lastAt: NOW - seconds * 1000 } };
    expect(told(plan({ kubevirt, vmis, pods }, { state }))).toHaveLength(count);
  });

  it('are ten a minute by default', () => {
    const many = stuck(...'abcdefghijkl');
    const cluster = { vmis: many, pods: podsOf(...many) };
    const rested = (seconds: number) => ({ state: { batch: { ...NO_BATCH, lastAt: NOW - seconds * 1000 } } });
    expect(told(plan(cluster))).toHaveLength(10);
    expect(told(plan(cluster, rested(60)))).toHaveLength(0);
    expect(told(plan(cluster, rested(60.001)))).toHaveLength(10);
  });

  it('as intended do not use the batch up beforehand, and begin with others than those refused', () => {
    const state = { batch: { ...NO_BATCH, refused: ['shop/a'] } };
    const pass = plan({ kubevirt, vmis, pods, behavior: 'intended' }, { state });
    expect(told(pass)).toEqual(['evictPod b', 'evictPod c']);
    expect(pass.state.batch).toEqual(state.batch);
  });

  it('of a VMI without pod: nothing is sent, and v1.9.0 would crash', () => {
    const pass = plan({ kubevirt, vmis, pods: podsOf(...vmis.slice(1)) });
    expect(told(pass)).toEqual(['evictPod b']);
    expect(pass.withoutPod).toEqual([vmis[0]]);
  });

  it('as intended give the place of a VMI without pod to the next', () => {
    const pass = plan({ kubevirt, vmis, pods: podsOf(...vmis.slice(1)), behavior: 'intended' });
    expect(told(pass)).toEqual(['evictPod b', 'evictPod c']);
    expect(pass.withoutPod).toEqual([]);
  });
});

describe('who may get a turn', () => {
  const kubevirt = aKubeVirt().methods('LiveMigrate', 'Evict').batches(2, '1m').build();
  const vmis = [...migratable('a', 'b', 'c', 'd', 'e', 'f', 'g'), ...stuck('h', 'i', 'j')];
  const cluster = { kubevirt, vmis, pods: podsOf(...vmis), behavior: 'intended' } as const;
  const isNot =
    (...names: string[]) =>
    ({ metadata: { name } }: Vmi) =>
      !names.includes(name);

  it('others migrate in the place of those who may not, and only as many are asked about', () => {
    const asked: string[] = [];
    const mayMigrate = (vmi: Vmi) => {
      asked.push(vmi.metadata.name);
      return isNot('a', 'c')(vmi);
    };
    const pass = plan({ ...cluster, behavior: 'exact' }, { mayMigrate });
    expect(told(pass).slice(0, 5)).toEqual(
      ['b', 'd', 'e', 'f', 'g'].map((name) => `createMigration ${name}`),
    );
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    asked.length = 0;
    plan(cluster, { mayMigrate: (vmi) => asked.push(vmi.metadata.name) > 0 });
    expect(asked).toHaveLength(5);
  });

  it('others are evicted in the place of those who may not', () => {
    const pass = plan(cluster, { mayMigrate: () => false, mayEvict: isNot('h') });
    expect(told(pass)).toEqual(['evictPod i', 'evictPod j']);
    expect(pass.state.expectation).toEqual({ pending: 0, setAt: NOW });
    expect(pass.requeueAfterSeconds).toBe(30);
  });

  it('v1.9.0 asks nobody about evictions', () => {
    const pass = plan({ ...cluster, behavior: 'exact' }, { mayMigrate: () => false, mayEvict: () => false });
    expect(told(pass)).toEqual(['evictPod h', 'evictPod i']);
  });

  it('refused ones leave their places to others in the same pass', () => {
    const survey = surveyVmis({
      vmis,
      migrations: [],
      launcherImage: 'v2',
      methods: ['Evict'],
      now: NOW,
      behavior: 'intended',
    });
    const input = {
      ...{ kubevirt, settings: resolveSettings(kubevirt), survey, podsOf: () => cluster.pods, now: NOW },
      ...{ shuffle: (list: readonly Vmi[]) => list, behavior: 'intended' as const },
      state: { batch: { lastAt: NOW, accepted: 1, refused: ['shop/a'] } },
      mayEvict: isNot('a', 'b'),
    };
    const { commands, batch } = planEvictions(input);
    expect(commands.map(({ vmi }) => vmi.metadata.name)).toEqual(['c']);
    expect(batch).toEqual(input.state.batch);
  });
});
