import type { RoundStep } from '../../../decide/schedule/round.ts';
import { counted } from '../../../kubevirt/words.ts';
import { OUTCOMES, type VmVerdict } from '../../forecast.ts';

/** Gathers what becomes of every VM in the turns of a round: the worst of it, and the way that it goes. */
export class RoundVerdicts {
  readonly #worst = new Map<string, VmVerdict>();
  readonly #paths = new Map<string, string[]>();

  /** A turn: what the drain of the node does to the VMs there, and where they go. */
  add(verdicts: readonly VmVerdict[], step: RoundStep): void {
    const stuck = new Set(step.stuck);
    const goes = new Map(step.moves.map((move) => [move.vm, move]));
    for (const verdict of verdicts) {
      const key = `${verdict.namespace}/${verdict.name}`;
      const move = goes.get(key);
      this.#take(key, stuck.has(key) ? withoutPlace(verdict, step.node) : verdict, move?.evidence);
      if (move) this.#paths.set(key, [...(this.#paths.get(key) ?? [move.from]), move.to]);
    }
  }

  #take(key: string, verdict: VmVerdict, evidence: VmVerdict['evidence'] = []): void {
    const held = this.#worst.get(key);
    const told = [...(held?.evidence ?? []), ...verdict.evidence, ...evidence];
    const isWorse = !held || OUTCOMES.indexOf(verdict.outcome) < OUTCOMES.indexOf(held.outcome);
    const worst = isWorse ? { ...verdict, node: held ? held.node : verdict.node } : held;
    this.#worst.set(key, { ...worst, evidence: onlyOnce(told) });
  }

  /** Each VM once, with its way in the message. */
  all(): VmVerdict[] {
    return [...this.#worst].map(([key, verdict]) => {
      const path = this.#paths.get(key);
      if (!path) return verdict;
      const moves = counted(path.length - 1, 'move');
      return { ...verdict, message: `${verdict.message}; ${moves}: ${path.join(' → ')}`, path };
    });
  }
}

/** It would go, and finds no place at this turn: neither the cordons of the round nor a place for it alone decide that. */
function withoutPlace(verdict: VmVerdict, node: string): VmVerdict {
  const { namespace, name } = verdict;
  return {
    ...verdict,
    outcome: 'NeverCompletes',
    reason: 'NoRoom',
    otherwise: undefined,
    message: `${namespace}/${name} finds no room beside the other VMs of ${node} when that is drained`,
    remedies: ['Make room, or add a node for the time of the round.'],
  };
}

function onlyOnce(evidence: VmVerdict['evidence']): VmVerdict['evidence'] {
  const byField = new Map(evidence.map((one) => [`${one.object}\n${one.path}`, one]));
  return [...byField.values()];
}
