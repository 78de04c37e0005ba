import type { Clock } from '../controllers/ports.ts';
import type { ApiResult } from '../decide/api-result.ts';
import { namespaceOf } from '../scenario/cluster.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { ActorContext } from '../simulation/actors/actor.ts';
import { SilentNodes } from '../simulation/actors/cluster/silent-node.ts';
import { takeIntoService } from '../simulation/actors/drain/cordon.ts';
import type { VirtOperator } from '../simulation/actors/operator/virt-operator.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Those who play, in virtual time or in a lab. */
export type Troupe = Pick<Rehearsal, 'observer' | 'agents' | 'controller'>;

/** What deeds work on. */
export interface Stage {
  readonly rehearsal: Troupe;
  readonly context: ActorContext;
  readonly operator: VirtOperator;
  readonly silent: SilentNodes;
  /** Of names that have none. */
  readonly namespace: string;
  /** How long a node is down that boots anew. */
  readonly rebootSeconds: number;
}

const REBOOT_SECONDS = 60;

/** Where the deeds of a scenario are done, in virtual time or in a lab. */
export function stageOf(
  { cluster, settings }: Scenario,
  players: Pick<Stage, 'rehearsal' | 'operator' | 'context'>,
): Stage {
  return {
    ...players,
    silent: new SilentNodes(players.context),
    namespace: namespaceOf(cluster),
    rebootSeconds: settings.reboot ?? REBOOT_SECONDS,
  };
}

/** What came of a deed. */
export interface DeedEnd {
  readonly end: 'done' | 'succeeded' | 'failed';
  readonly says?: readonly string[] | undefined;
}

/** Hears what is said of a deed while it is not at its end. */
export type Tell = (says: readonly string[]) => void;

export const DONE: DeedEnd = { end: 'done' };

/** How a deed ends that is one request. */
export function endOf(answer: ApiResult): DeedEnd {
  return answer.ok ? DONE : { end: 'failed', says: [answer.message] };
}

/** `namespace/name` of a name that may have its namespace. */
export function keyIn(namespace: string, name: string): string {
  return name.includes('/') ? name : `${namespace}/${name}`;
}

/** Resolves after so many seconds. */
export function after(clock: Clock, seconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(seconds, resolve));
}

/**
 * The machine of a node falls, with the guests on it, and is back after a while; resolves then, or with `false` where it fails for
 * good meanwhile. Nobody hears of the node until it is back; one that was out of service is in service then.
 */
export async function reboot(
  {
    rehearsal,
    context,
    silent,
    rebootSeconds,
  }: Pick<Stage, 'rehearsal' | 'context' | 'silent' | 'rebootSeconds'>,
  node: string,
): Promise<boolean> {
  rehearsal.observer.nodeFalls(node);
  silent.fallsSilent(node);
  const isBack = await rehearsal.observer.awaits(rehearsal.agents.rebootNode(node, rebootSeconds));
  if (!isBack) return false;
  await silent.isBack(node);
  await takeIntoService(context.cluster, node);
  return true;
}
