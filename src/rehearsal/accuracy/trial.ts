import type { ExternalController } from '../../decide/external/external-input.ts';
import type { Behavior } from '../../decide/rules.ts';
import type { ScenarioCluster } from '../../scenario/schema.ts';
import { seededRandom } from '../../simulation/seeded-random.ts';
import { drawCluster } from './draw-cluster.ts';
import { type Question, withQuestion } from './draw-question.ts';
import { Draws } from './draws.ts';
import type { DrainWay } from './further/drains.ts';
import { type FurtherName, withFurther } from './further/further.ts';

/** What is done to every cluster, where nothing else is asked for; and what may be. */
export const COMMON_ACTIONS = ['drain', 'upgrade'] as const;
export const ACTIONS = [...COMMON_ACTIONS, 'evict', 'config', 'edit'] as const;
export type TrialAction = (typeof ACTIONS)[number];

/** A cluster, and what is done to it. */
export interface Trial extends Question {
  readonly seed: number;
  readonly action: TrialAction;
  readonly behavior: Behavior;
  readonly cluster: ScenarioCluster;
  /** What launchers are started from before. */
  readonly launcherImage: string;
  /** Which nodes are drained, one after another. */
  readonly nodes: readonly [string, ...string[]];
  readonly external: ExternalController;
  /** How it is drained, if not by a plain `kubectl drain`. */
  readonly drain?: DrainWay | undefined;
  /** What it has besides. */
  readonly further: readonly FurtherName[];
}

/** The image that an upgrade brings. */
export const NEXT_LAUNCHER = 'L2';

/** The trial of a seed: the same arguments give the same one. */
export function drawTrial(
  seed: number,
  action: TrialAction,
  behavior: Behavior,
  further: readonly FurtherName[] = [],
): Trial {
  const draws = new Draws(seededRandom(seed));
  const external = draws.pick('unknown', 'none', 'capk-v0.1.10', 'capk-backport');
  const cluster = drawCluster(draws, {
    launcherImage: 'L1',
    // An updater that acts beside another action would be one more.
    hasOutdated: (methods) => action === 'upgrade' || methods.length === 0,
    hasWorkers: external.startsWith('capk'),
  });
  const drawn: Trial = {
    ...{ seed, action, behavior, cluster, external },
    ...{ launcherImage: 'L1', nodes: ['n1'], further: [] },
  };
  return withQuestion(withFurther(drawn, further));
}
