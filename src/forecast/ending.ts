import type { Vmi } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { Alternative, EvictionAnswer, Otherwise, Outcome, VmVerdict } from './forecast.ts';
import type { Trail } from './trail.ts';

/** How it ends for one VM, before evidence and trace are attached. */
export interface Ending {
  readonly outcome: Outcome;
  readonly reason: string;
  /** A clause that goes on from the VM's name: `refuses eviction: …`. */
  readonly says: string;
  /** How it may go instead; `says` tells when. */
  readonly otherwise?: readonly Otherwise[] | undefined;
  readonly remedies?: readonly string[];
  readonly batch?: number | undefined;
  /** How often it moves, where more than once. */
  readonly moves?: number | undefined;
  /** What the eviction request is answered, where one is sent. */
  readonly answer?: EvictionAnswer | undefined;
  readonly alternatives?: readonly Alternative[] | undefined;
  /** The budget that let the pod go, and how many evictions it allows at once. */
  readonly budget?: { readonly name: string; readonly allowed: number } | undefined;
  /** Another controller takes it away, and nothing starts it again at once. */
  readonly goesAway?: boolean | undefined;
  /** The budget that refuses since it has no pod to spare. */
  readonly noneToSpare?: string | undefined;
  /** The VMs that were let go before it, so that its budget refuses. */
  readonly spentBy?: readonly string[] | undefined;
  /** Its target may be put where a plugged volume cannot be reached. */
  readonly mayMissVolumes?: boolean | undefined;
}

/** The ending, and how it may go instead: `when` goes on from its words. */
export function orElse(ending: Ending, otherwise: Otherwise, when: string): Ending {
  const ways = [...(ending.otherwise ?? []), otherwise];
  return { ...ending, says: `${ending.says}; ${when}`, otherwise: ways };
}

/** The verdict on a VM: its ending, and everything that the trail saw on the way. */
export function verdictOf(vmi: Vmi, ending: Ending, trail: Trail): VmVerdict {
  const { name, namespace = '' } = vmi.metadata;
  return {
    namespace,
    name,
    node: vmi.status?.nodeName,
    outcome: ending.outcome,
    reason: ending.reason,
    message: `${keyOf(vmi)} ${ending.says}`,
    ...(ending.otherwise === undefined ? {} : { otherwise: ending.otherwise }),
    evidence: trail.evidence,
    remedies: ending.remedies ?? [],
    stages: trail.stages,
    ...(ending.batch === undefined ? {} : { batch: ending.batch }),
    ...(ending.moves === undefined ? {} : { moves: ending.moves }),
    ...(ending.answer === undefined ? {} : { answer: ending.answer }),
    ...(ending.alternatives === undefined ? {} : { alternatives: ending.alternatives }),
  };
}

/** The input lacks something that decides: it is named, never guessed. */
export function unknown(trail: Trail, what: string, how: string): Ending {
  const evidence = [{ object: what, path: '', value: undefined }];
  trail.note('input', 'InputIncomplete', `${what} is not in the input`, evidence);
  return {
    outcome: 'Unknown',
    reason: 'InputIncomplete',
    says: `cannot be judged: ${what} is not in the input`,
    remedies: [how],
  };
}
