import { expect } from 'vitest';
import type { GuestBehavior } from '../../guests/behavior.ts';
import { RECORDED_BEHAVIOR } from '../../guests/behavior.ts';
import type { NodeAgentOptions } from './options.ts';
import { aScheduledVmi, launcher, NodesWorld } from './test-nodes.ts';

/** Every step is noticed at once. */
export const EXACT = { heartbeatSeconds: 0, pollSeconds: 0, podExitSeconds: 0 };
export const LAUNCHER = 'virt-launcher-db-1';

/** A VMI `db` on n1 whose guest runs since second 2; steps are noticed at once. */
export async function aRunningWorld(
  behavior: Partial<GuestBehavior> = {},
  options: NodeAgentOptions = {},
  graceSeconds = 30,
) {
  const vmi = aScheduledVmi('db')
    .spec({ ...aScheduledVmi('db').build().spec, terminationGracePeriodSeconds: graceSeconds })
    .build();
  const behaviorOf = () => ({ ...RECORDED_BEHAVIOR, ...behavior });
  const world = new NodesWorld([vmi, launcher(vmi, 'n1')], { times: EXACT, behaviorOf, ...options });
  world.agents.start();
  await world.run(3);
  expect(world.course('db').at(-1)).toBe('2 Running n1');
  return world;
}
