import type { Vmi } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import type { Alternative, EvictionAnswer, Otherwise, Outcome, VmVerdict } from './forecast.ts';
import type { Trail } from './trail.ts';

/** How it ends for one VM, before evidence and trace are attached. */
export interface Ending {
  readonly outcome: Outcome;
  readonly reason: string;
  /** Goes before `says`: what brings it about, as in `is marked for evacuation and`. */
  readonly lead?: string | undefined;
  /** A clause that goes on from the VM's name: `refuses eviction: …`. */
  readonly says: string;
  /** Goes after `says`, with its own comma or semicolon: how it goes on, and how it may go instead. */
  readonly tail?: string | undefined;
  /** How it may go instead; the tail tells when. */
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
  /** What keeps its target from a place that others may leave it: goes on from `cannot migrate: `. */
  readonly lacks?: string | undefined;
  /** By `namespace/name`: who leaves the room that it waits for. */
  readonly leavers?: readonly string[] | undefined;
  /** What becomes of it where it is met again: once it runs, or is back. */
  readonly metLater?: Ending | undefined;
  /** How the migration ends that it has before that. */
  readonly before?: Ending | undefined;
  /** What becomes of it once its migration, which does not begin as things stand, has begun and is given up. */
  readonly afterwards?: Ending | undefined;
  /** Its target may be put where a plugged volume cannot be reached. */
  readonly mayMissVolumes?: boolean | undefined;
}

/** Its guest is shut down. */
export const GOES_DOWN: ReadonlySet<Outcome> = new Set(['Restarts', 'StaysOff', 'MayStayOff']);

/** What the next steps of a VM rest on. */
type End = Pick<Ending, 'outcome' | 'reason'>;

/** It is left to another controller, of which nothing is known. */
export function isInUnknownHands({ outcome, reason }: End): boolean {
  return (
    outcome === 'HandedOver' && (reason === 'ExternalControllerUnknown' || reason === 'CapkBuildUnknown')
  );
}

/** By another controller, of which it is known what it does. */
export function isTakenAway(end: End): boolean {
  return end.outcome === 'HandedOver' && !isInUnknownHands(end);
}

/** The whole clause that goes on from the VM's name. */
export function clauseOf({ lead, says, tail = '' }: Ending): string {
  return `${lead === undefined ? '' : `${lead} `}${says}${tail}`;
}

/** The same ending, brought about by something that comes before all that led to it. */
export function ledBy(lead: string, ending: Ending): Ending {
  return { ...ending, lead: ending.lead === undefined ? lead : `${lead} ${ending.lead}` };
}

/** The same ending, and more to say of it; `words` bring their own comma or semicolon. */
export function withMore(ending: Ending, words: string): Ending {
  return { ...ending, tail: `${ending.tail ?? ''}${words}` };
}

/** The ending, and how it may go instead: `when` is a clause by itself. */
export function orElse(ending: Ending, otherwise: Otherwise, when: string): Ending {
  return { ...withMore(ending, `; ${when}`), otherwise: [...(ending.otherwise ?? []), otherwise] };
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
    message: `${keyOf(vmi)} ${clauseOf(ending)}`,
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
