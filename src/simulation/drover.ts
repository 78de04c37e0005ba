import { type BatchMemory, batchMemoryIn } from '../controllers/batch-memory.ts';
import { EvacuationController } from '../controllers/evacuation-controller.ts';
import { DeedsInHand } from '../controllers/in-hand.ts';
import type { JournalSink } from '../controllers/journal.ts';
import type { Clock } from '../controllers/ports.ts';
import { WorkloadUpdateController } from '../controllers/workload-update-controller.ts';
import type { Behavior } from '../decide/rules.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import type { Actor, ActorContext } from './actors/actor.ts';

export interface SimulatedDroverOptions {
  readonly behavior: Behavior;
  readonly launcherImage: () => string | undefined;
  /** The order in which VMIs get their turn; drawn where absent. */
  readonly order?: ((vmis: readonly Vmi[]) => readonly Vmi[]) | undefined;
  readonly journal?: JournalSink | undefined;
  /** Lives longer than the process; in this process where absent. */
  readonly memory?: BatchMemory | undefined;
}

/** Drover's controllers as `drover controller` runs them, in the place of KubeVirt's own, which may set priorities. */
export function simulatedDrover(
  context: ActorContext,
  options: SimulatedDroverOptions,
): Actor & { /** The launcher image may be another one. */ wake(): void } {
  const inHand = new DeedsInHand(context.clock);
  const memory = options.memory ?? ownMemory(context.clock);
  const common = { ...context, ...options, inHand, memory, sendsPriority: true };
  const updater = new WorkloadUpdateController({ ...common, strategy: () => ({ kind: 'kubevirt' }) });
  const evacuator = new EvacuationController(common);
  return {
    wake: () => updater.wake(),
    start() {
      updater.start();
      evacuator.start();
    },
    stop: async () => void (await Promise.all([updater.stop(), evacuator.stop()])),
  };
}

function ownMemory(clock: Clock): BatchMemory {
  let held: string | undefined;
  const write = async (text: string) => {
    held = text;
    return { ok: true as const, name: 'lease' };
  };
  return batchMemoryIn({ read: () => held, write }, () => clock.now());
}
