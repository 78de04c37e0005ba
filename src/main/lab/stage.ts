import { tellingEvictions } from '../../kubernetes/telling-evictions.ts';
import type { Observer } from '../../rehearsal/observer.ts';
import { type Stage, stageOf } from '../../rehearsal/stage.ts';
import type { Scenario } from '../../scenario/schema.ts';
import type { LabKubeVirt } from './kubevirt.ts';

/** Where the deeds of a scenario are done in a lab; evictions that it asks for are taken down too. */
export function labStage(
  scenario: Scenario,
  { standIn, operator, controller }: LabKubeVirt,
  observer: Observer,
): Stage {
  const { agents, context } = standIn;
  const cluster = tellingEvictions(context.cluster, (...told) => observer.evicted(...told));
  return stageOf(scenario, {
    rehearsal: { observer, agents, controller },
    ...{ operator, context: { ...context, cluster } },
  });
}
