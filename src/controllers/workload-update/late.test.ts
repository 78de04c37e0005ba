import fc from 'fast-check';
import { expect, it } from 'vitest';
import { THROTTLE_SECONDS } from '../../decide/workload-update/retry.ts';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import type { MemoryClusterOptions, Write } from '../../simulation/memory-cluster.ts';
import { seededRandom } from '../../simulation/seeded-random.ts';
import { playKubeVirt } from '../../simulation/test-actors.ts';
import { anOldVmi, aRoomyNode, launcherOf, World } from '../../simulation/test-world.ts';
import { batchMemoryIn } from '../batch-memory.ts';
import { DeedsInHand } from '../in-hand.ts';

interface Course {
  readonly seed: number;
  /** VMIs that can only be evicted, those whose eviction is refused for ever, and those that migrate. */
  readonly stuck: number;
  readonly refused: number;
  readonly movable: number;
  readonly size: number;
  readonly intervalSeconds: number;
  readonly writeSeconds: number;
  readonly lagSeconds: number;
  /** So long before the rest after an eviction ends, a pass begins for a VMI that has come; none where absent. */
  readonly aheadSeconds: readonly (number | undefined)[];
}

const courses: fc.Arbitrary<Course> = fc.record({
  seed: fc.nat(),
  stuck: fc.integer({ min: 1, max: 9 }),
  refused: fc.integer({ min: 0, max: 3 }),
  movable: fc.integer({ min: 0, max: 6 }),
  size: fc.integer({ min: 1, max: 4 }),
  intervalSeconds: fc.constantFrom(10, 15, 60),
  writeSeconds: fc.constantFrom(0, 0.2, 0.5),
  lagSeconds: fc.constantFrom(0, 0.3),
  aheadSeconds: fc.array(fc.option(fc.double({ min: -0.1, max: 0.5, noNaN: true }), { nil: undefined })),
});

const vmisOf = (prefix: string, count: number, migratable: 'True' | 'False') =>
  Array.from({ length: count }, (_, i) =>
    anOldVmi(`${prefix}-${i}`, i % 2 ? 'n1' : 'n2')
      .strategy('None')
      .migratable(migratable)
      .build(),
  );

/** Plays a course, and tells when pods were evicted. */
async function play(course: Course): Promise<readonly number[]> {
  const random = seededRandom(course.seed);
  const vmis = [
    ...vmisOf('stuck', course.stuck, 'False'),
    ...vmisOf('refused', course.refused, 'False'),
    ...vmisOf('movable', course.movable, 'True'),
  ];
  const batches = aKubeVirt()
    .methods('LiveMigrate', 'Evict')
    .batches(course.size, `${course.intervalSeconds}s`);
  const nodes = ['n1', 'n2', 'n3'].map((name) => aRoomyNode(name).build());
  const world = new World(batches.build(), ...nodes, ...vmis, ...vmis.map(launcherOf));
  playKubeVirt(world, random, 0);
  const evictedAt: number[] = [];
  world.api.watch(({ kind, before, after }) => {
    if (kind !== 'Pod' || !after?.metadata.name.includes('stuck')) return;
    if (!after.metadata.deletionTimestamp || before?.metadata.deletionTimestamp) return;
    const ahead = course.aheadSeconds[evictedAt.push(world.second())];
    if (ahead === undefined) return;
    const vmi = anOldVmi(`comer-${evictedAt.length}`).migratable().build();
    const seconds = course.intervalSeconds - THROTTLE_SECONDS - ahead;
    world.clock.after(seconds, () => world.put(vmi, launcherOf(vmi)));
  });
  begin(world, {
    latencySeconds: () => random.next() * course.writeSeconds,
    lagSeconds: () => random.next() * course.lagSeconds,
    faultOf: ({ verb, key }: Write) =>
      verb === 'evict' && key.includes('refused')
        ? { answer: { ok: false, code: 429, message: 'no' } }
        : undefined,
  });
  await world.clock.advance(60 + course.stuck * (course.intervalSeconds + 20));
  return evictedAt;
}

/** The memory takes as long as any write. */
function begin(
  world: World,
  options: Required<Pick<MemoryClusterOptions, 'latencySeconds' | 'lagSeconds' | 'faultOf'>>,
) {
  const lease: Write = { verb: 'patch', kind: 'KubeVirt', key: 'lease', dryRun: false };
  const write = async (text: string) => {
    await new Promise<void>((done) => void world.clock.after(options.latencySeconds(lease), done));
    world.batchText = text;
    return { ok: true as const, name: 'lease' };
  };
  const memory = batchMemoryIn({ read: () => world.batchText, write }, () => world.clock.now());
  world.updater(world.connect(options), { memory, inHand: new DeedsInHand(world.clock) }).start();
}

it('no batch is late: each begins within moments and a few writes after the rest, whatever passes are under way', async () => {
  await fc.assert(
    fc.asyncProperty(courses, async (course) => {
      const evictedAt = await play(course);
      expect(evictedAt).toHaveLength(course.stuck);
      const slackSeconds = 1.1 + 6 * course.writeSeconds + course.lagSeconds + (course.refused > 0 ? 5 : 0);
      for (const [i, at] of evictedAt.entries()) {
        const previous = evictedAt[i - 1] ?? at;
        expect(at - previous).toBeLessThanOrEqual(course.intervalSeconds + slackSeconds);
        const first = evictedAt[i - course.size];
        if (first !== undefined) expect(at - first).toBeGreaterThan(course.intervalSeconds);
      }
    }),
    { numRuns: 100 },
  );
}, 120_000);
