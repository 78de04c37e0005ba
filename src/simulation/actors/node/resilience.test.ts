import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../../seeded-random.ts';
import { aScheduledVmi, launcher, NodesWorld } from './test-nodes.ts';
import { EXACT, LAUNCHER } from './test-running.ts';

const course = fc.record({
  seed: fc.integer(),
  lagSeconds: fc.constantFrom(0, 0.05, 0.4, 1.5),
  latencySeconds: fc.constantFrom(0, 0.05, 0.3),
  failing: fc.constantFrom(0, 0.1, 0.5),
  pollSeconds: fc.constantFrom(0, 0.2),
  restartsAt: fc.array(fc.double({ min: 0, max: 12, noNaN: true }), { maxLength: 3 }),
  pausesAt: fc.array(fc.double({ min: 0, max: 12, noNaN: true }), { maxLength: 2 }),
});

it('a guest boots, moves and ends, whatever lags, fails, restarts or pauses', async () => {
  await fc.assert(
    fc.asyncProperty(course, async ({ seed, failing, pollSeconds, restartsAt, pausesAt, ...slow }) => {
      const random = seededRandom(seed);
      const vmi = aScheduledVmi('db').build();
      const lost = { answer: { ok: false as const, message: 'lost', code: 500 } };
      const faultOf = () => {
        if (random.next() >= failing) return undefined;
        return random.next() < 0.5 ? lost : { ...lost, carriedOut: true };
      };
      const options = { times: { ...EXACT, pollSeconds } };
      const world = new NodesWorld([vmi, launcher(vmi, 'n1')], options, {
        lagSeconds: () => random.next() * slow.lagSeconds,
        latencySeconds: () => random.next() * slow.latencySeconds,
        faultOf,
      });
      const { agents, clock } = world;
      agents.start();
      for (const at of restartsAt) clock.after(at, () => void agents.stop().then(() => agents.start()));
      for (const at of pausesAt) {
        clock.after(at, () => agents.pauseHandler('n2'));
        clock.after(at + 2, () => agents.resumeHandler('n2'));
      }
      const until = (phase: string) => clock.until(() => world.vmi().status?.phase === phase, 600);
      expect(await until('Running')).toBe(true);
      await world.handOff('db', 'n2');
      await world.run(600);
      expect(world.course('db').at(-1)).toMatch(/ Running n2 move-2 completed$/);
      expect(world.course(LAUNCHER).at(-1)).toMatch(/ Succeeded ready=False\/PodCompleted$/);
      world.api.delete('Pod', 'shop/virt-launcher-db-2');
      await world.run(600);
      expect(world.vmi().status?.phase).toBe('Succeeded');
      expect(world.pod('virt-launcher-db-2')).toBeUndefined();
      await agents.stop();
    }),
    { numRuns: 60 },
  );
}, 60_000);
