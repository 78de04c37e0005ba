import { describe, expect, it } from 'vitest';
import { aMigration, aVmi } from '../../kubevirt/builders.ts';
import { anOldVmi, aWorld, NEW_IMAGE, names, startUpdater, stuck } from '../../simulation/test-world.ts';

/** What aborts are about: a VMI that needs no migration any more, and has one that takes its time to go. */
const current = aVmi('old').on('n1').launcher(NEW_IMAGE).build();
const staying = aMigration('move-1', 'old')
  .workloadUpdate()
  .phase('Running')
  .meta({ finalizers: ['kubevirt.io/migrationJobFinalize'] })
  .build();

describe('a crowd that nobody can move', () => {
  const crowd = names(1000);
  const refusal = { ok: false, code: 429, message: 'not now' } as const;

  it('is left in peace: few passes and few writes a minute', async () => {
    const world = aWorld(['Evict'], ...crowd.map(stuck));
    startUpdater(
      world,
      {},
      { faultOf: ({ verb }: { verb: string }) => (verb === 'evict' ? { answer: refusal } : undefined) },
    );
    const passes = () =>
      world.records.metric('drover_reconciles_total', 'controller=workload-update,result=success') ?? 0;
    await world.clock.advance(900);
    const [passesBefore, writesBefore] = [passes(), world.writes.length];
    await world.clock.advance(600);
    const passesAMinute = (passes() - passesBefore) / 10;
    const writesAMinute = (world.writes.length - writesBefore) / 10;
    expect(passesAMinute).toBeLessThanOrEqual(12);
    expect(passesAMinute).toBeGreaterThan(0);
    expect(writesAMinute).toBeLessThanOrEqual(1000 / 5 + 1);
  });

  it('gets a pass a second where KubeVirt makes one every 30 ns, exactly', async () => {
    const world = aWorld(['Evict'], ...names(3).map(stuck));
    startUpdater(
      world,
      { behavior: 'exact' },
      { faultOf: ({ verb }: { verb: string }) => (verb === 'evict' ? { answer: refusal } : undefined) },
    );
    await world.clock.advance(600);
    const passes = ['success', 'error'].map(
      (result) =>
        world.records.metric('drover_reconciles_total', `controller=workload-update,result=${result}`) ?? 0,
    );
    expect(passes.reduce((a, b) => a + b)).toBeLessThanOrEqual(600);
    expect(world.wrote('evict')).toHaveLength(30);
  });

  it('is looked at only when the queue says so after a pass that failed, exactly', async () => {
    const world = aWorld(['Evict'], ...names(2).map(stuck));
    const isLate = { now: false };
    startUpdater(
      world,
      { behavior: 'exact' },
      {
        faultOf: ({ verb }: { verb: string }) => (verb === 'evict' ? { answer: refusal } : undefined),
        lagSeconds: ({ kind }: { kind: string }) => (isLate.now && kind === 'KubeVirt' ? 0.05 : 0),
      },
    );
    const evictions = () => world.wrote('evict').map((words) => Number(words.split('@')[1]));
    await world.clock.advance(62);
    expect(evictions()).toEqual([5, 5]);
    isLate.now = true;
    world.put(stuck('vm-9'));
    await world.clock.advance(4.9);
    // The batch could go on at 65 s, but the count that it has just written made the next pass fail.
    expect(world.wrote('patch', 'KubeVirt').slice(1)).toEqual([
      'kubevirt/kubevirt@62.02',
      'kubevirt/kubevirt@62.04',
    ]);
    expect(evictions()).toEqual([5, 5]);
    await world.clock.advance(1);
    expect(evictions().slice(2)).toEqual([67.04, 67.04]);
  });

  it.each([
    ['creations that are refused', 'create', refusal, 12],
    ['migrations that do not go', 'delete', undefined, 3000],
  ] as const)('does not hold up time: %s', async (_, verb, answer, most) => {
    const world = aWorld(['LiveMigrate'], verb === 'create' ? anOldVmi('new').migratable().build() : current);
    if (verb === 'delete') world.put(staying);
    startUpdater(
      world,
      { behavior: 'exact' },
      { faultOf: (write: { verb: string }) => (write.verb === verb && answer ? { answer } : undefined) },
    );
    await world.clock.advance(60);
    expect(world.wrote(verb).length).toBeLessThanOrEqual(most);
    expect(world.wrote(verb).length).toBeGreaterThan(1);
  });

  it('without a method is left alone altogether', async () => {
    const world = aWorld([], ...crowd.map(stuck));
    startUpdater(world);
    await world.clock.advance(600);
    expect(world.wrote('patch')).toHaveLength(1);
    expect(world.clock.nextAt()).toBeUndefined();
  });
});
