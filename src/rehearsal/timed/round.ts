import type { Cluster } from '../../controllers/ports.ts';
import { LEAVES_NODE, type RoundTurn, type VmVerdict } from '../../forecast/forecast.ts';
import { clientOf } from '../../forecast/plans/drain/drained-node.ts';
import { DRAIN_DEFAULTS } from '../../forecast/questions.ts';
import { keyOfVm } from '../../forecast/views/remedies.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { isFinal, keyOf } from '../../kubevirt/predicates.ts';
import type { ActorContext } from '../../simulation/actors/actor.ts';
import { SilentNodes } from '../../simulation/actors/cluster/silent-node.ts';
import { cordon, uncordon } from '../../simulation/actors/drain/cordon.ts';
import { kubectlDrain } from '../../simulation/actors/drain/kubectl.ts';
import type { Rehearsal } from '../rehearsal.ts';
import { after, reboot } from '../stage.ts';

/** A maintenance round as `plan round` has found it. */
export interface TimedRound {
  readonly steps: readonly Pick<RoundTurn, 'node' | 'opens'>[];
  /** Of every VM on the nodes of the round, whatever the scope. */
  readonly vms: readonly Pick<VmVerdict, 'namespace' | 'name' | 'outcome'>[];
  /** How long a node is away that is empty. */
  readonly rebootSeconds: number;
}

/** One node's turn, from its drain until it takes VMs again. */
export interface PlayedTurn {
  readonly node: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Its drain took too long. */
  readonly isGivenUp: boolean;
}

/** Whoever waits longer looks what is wrong. */
export const LONGEST_DRAIN_SECONDS = 3600;

/**
 * Goes through a round: all nodes of it are cordoned, then one after another is drained, boots and is given back, with those opened
 * that its turn needs.
 *
 * Promise: a node does not wait for VMs that do not leave by themselves, which somebody sees to; it does not boot under a VM that is
 * still there, but takes as long. Each turn is told when it has ended.
 */
export async function playRound(
  rehearsal: Rehearsal,
  { steps, vms, rebootSeconds }: TimedRound,
  onTurn: (turn: PlayedTurn) => void,
): Promise<void> {
  const context = rehearsal.simulated.contextFor('round');
  const { clock, cluster } = context;
  const startAt = clock.now();
  const leaving = new Set(vms.filter(({ outcome }) => LEAVES_NODE.has(outcome)).map(keyOfVm));
  const setEach = (nodes: readonly string[], change: typeof cordon) =>
    Promise.all(nodes.map((node) => change(cluster, node)));
  await setEach(
    steps.map(({ node }) => node),
    cordon,
  );
  for (const { node, opens } of steps) {
    const startSeconds = (clock.now() - startAt) / 1000;
    await setEach(opens, uncordon);
    const isGivenUp = !(await empty(context, node, leaving));
    await setEach(opens, cordon);
    await bootWhereEmpty(rehearsal, context, node, rebootSeconds);
    await uncordon(cluster, node);
    onTurn({ node, startSeconds, endSeconds: (clock.now() - startAt) / 1000, isGivenUp });
  }
}

/** Drains a node, for as long as somebody is on it that leaves; whether nobody is in the end. */
async function empty(context: ActorContext, node: string, leaving: ReadonlySet<string>): Promise<boolean> {
  const { cluster } = context;
  const client = clientOf({ ...DRAIN_DEFAULTS, nodes: [node], timeoutSeconds: LONGEST_DRAIN_SECONDS });
  const drain = kubectlDrain(context, { nodes: [node], client });
  const look = (): void => {
    const there = guestsOn(cluster, node);
    if (there.length > 0 && !there.some((vmi) => leaving.has(keyOf(vmi)))) drain.cancel();
  };
  const leave = cluster.subscribe(look);
  look();
  const { exitCode, isCancelled } = await drain.done;
  leave();
  return exitCode === 0 || isCancelled;
}

function guestsOn({ fleet }: Pick<Cluster, 'fleet'>, node: string): Vmi[] {
  return fleet.vmisOn(node).filter((vmi) => !isFinal(vmi));
}

async function bootWhereEmpty(
  rehearsal: Rehearsal,
  context: ActorContext,
  node: string,
  rebootSeconds: number,
): Promise<void> {
  if (guestsOn(context.cluster, node).length > 0) return after(context.clock, rebootSeconds);
  await reboot({ rehearsal, context, silent: new SilentNodes(context), rebootSeconds }, node);
}
