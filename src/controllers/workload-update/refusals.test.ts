import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { aWorld, startUpdater, stuck, told } from '../../simulation/test-world.ts';

describe('refused evictions', () => {
  const refusal = { ok: false, code: 429, message: 'not now' } as const;
  const refusing = (...refused: string[]) => ({
    faultOf: ({ verb, key }: { verb: string; key: string }) =>
      verb === 'evict' && refused.some((name) => key.includes(`-${name}-`)) ? { answer: refusal } : undefined,
  });

  it('take no place in a batch: six others at two every 15 s need 30 s', async () => {
    const world = aWorld(['Evict'], ...['never', ...'abcdef'].map(stuck));
    world.put(aKubeVirt().methods('Evict').batches(2, '15s').build());
    startUpdater(world, {}, refusing('never'));
    await world.clock.advance(120);
    const accepted = world.wrote('evict').filter((key) => !key.includes('never'));
    expect(accepted).toHaveLength(6);
    const seconds = accepted.map((key) => Number(key.split('@')[1]));
    expect(Math.max(...seconds) - Math.min(...seconds)).toBeCloseTo(30, 1);
  });

  it('are tried again later and later, each VMI by itself, with the refusal as the reason', async () => {
    const world = aWorld(['Evict'], stuck('never'));
    const { cluster } = startUpdater(world, {}, refusing('never'));
    await world.clock.advance(900);
    const seconds = world.wrote('evict').map((key) => Number(key.split('@')[1]));
    const pauses = seconds.slice(1).map((second, i) => Math.round(second - (seconds[i] ?? 0)));
    expect(pauses.slice(0, 3)).toEqual([5, 10, 20]);
    for (const [i, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(Math.min(300, 5 * 2 ** i));
      expect(pause).toBeLessThanOrEqual(Math.min(300, 5 * 2 ** i) + 30);
    }
    expect(told(cluster)[0]).toBe(
      'FailedEvict never: Error deleting VMI during automated workload update: not now',
    );
    expect(world.journal).toContainEqual(
      expect.objectContaining({ decision: 'evict', reason: 'EvictionRefused', message: 'not now' }),
    );
  });

  it('use the batch up, and are tried again as likely as any other, with KubeVirt as it is', async () => {
    const world = aWorld(['Evict'], ...['never', ...'abcdef'].map(stuck));
    world.put(aKubeVirt().methods('Evict').batches(1, '15s').build());
    const order = (vmis: readonly Vmi[]) =>
      [...vmis].sort((a, b) => (a.metadata.name > b.metadata.name ? -1 : 1));
    startUpdater(world, { behavior: 'exact', order }, refusing('never'));
    await world.clock.advance(60);
    const keys = world.wrote('evict').map((key) => key.split('@')[0]);
    expect(keys).toEqual(Array(4).fill('shop/virt-launcher-never-1'));
  });

  it('do not stand before the others for good with KubeVirt either, whose cache has no order', async () => {
    const world = aWorld(['Evict'], ...['never', ...'abcdef'].map(stuck));
    world.put(aKubeVirt().methods('Evict').batches(1, '15s').build());
    startUpdater(world, { behavior: 'exact' }, refusing('never'));
    await world.clock.advance(600);
    const accepted = world.wrote('evict').filter((key) => !key.includes('never'));
    expect(new Set(accepted.map((key) => key.split('@')[0])).size).toBe(6);
  });
});
