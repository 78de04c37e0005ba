import type { Vmi } from '../../../kubevirt/objects.ts';
import { foreseeDrained } from '../../chains/drained.ts';
import { stampedAnew } from '../../chains/next-vmi.ts';
import { foreseeIfPresent } from '../../chains/presence.ts';
import type { Context } from '../../context.ts';
import type { Ending } from '../../ending.ts';
import type { Foreseen } from '../../foreseen.ts';
import { NEW_LAUNCHER } from '../../launcher-image.ts';
import { DRAIN_DEFAULTS } from '../../questions.ts';
import { Trail } from '../../trail.ts';
import { type Drain, foreseeDrain } from '../drain.ts';
import { foreseeRollout } from '../upgrade/rollout.ts';

type Endings = ReadonlyMap<Vmi, Ending>;

interface NodeDrain {
  readonly node: string;
  readonly drain: Drain;
  readonly endings: Endings;
}

/**
 * What becomes of VMs when their node is drained, or all of them are upgraded, as the cluster is: what a drain or an upgrade is
 * foretold to do, with all other VMs that it is about.
 *
 * Promise: asked node by node, it foresees one drain of each.
 */
export class Occasions {
  readonly #context: Context;
  /** Of the node that was asked about last: a drain of a large cluster takes some megabytes. */
  #last: NodeDrain | undefined;
  #upgraded: Endings | undefined;

  constructor(context: Context) {
    this.#context = { ...context, explain: false };
  }

  /** Of a VM that is on no node, there is nothing to drain. */
  drain(vmi: Vmi): Ending {
    return this.#drainOf(vmi)?.endings.get(vmi) ?? notThere(this.#context, vmi);
  }

  /** By itself: when the others of its node are restarted, nobody knows. */
  drainOnceRestarted(vmi: Vmi): Ending {
    const { drain } = this.#drainOf(vmi) ?? {};
    const node = drain?.nodes[0];
    if (!drain || !node) return notThere(this.#context, vmi);
    return foreseeDrained(drain.context, node, stampedAnew(drain.context, vmi), new Trail(false), undefined);
  }

  upgrade(vmi: Vmi): Ending {
    this.#upgraded ??= endingsOf(foreseeRollout(this.#context, NEW_LAUNCHER));
    return this.#upgraded.get(vmi) ?? notThere(this.#context, vmi);
  }

  #drainOf(vmi: Vmi): NodeDrain | undefined {
    const node = vmi.status?.nodeName;
    if (!node) return undefined;
    if (this.#last?.node !== node) this.#last = this.#foresee(node);
    return this.#last;
  }

  #foresee(node: string): NodeDrain {
    const drain = foreseeDrain(this.#context, { ...DRAIN_DEFAULTS, nodes: [node] });
    return { node, drain, endings: endingsOf(drain.foreseen) };
  }
}

function endingsOf(foreseen: readonly Foreseen[]): Endings {
  return new Map(foreseen.map(({ vmi, ending }) => [vmi, ending]));
}

function notThere(context: Context, vmi: Vmi): Ending {
  return foreseeIfPresent(context, vmi, new Trail(false), () => ({
    outcome: 'Untouched',
    reason: 'NotAffected',
    says: 'stays',
  }));
}
