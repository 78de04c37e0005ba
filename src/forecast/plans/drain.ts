import type { DrainClient } from '../../decide/drain/clients.ts';
import { WorldWithout } from '../../decide/placement/without.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { counted, someOf } from '../../kubevirt/words.ts';
import { assemble } from '../assemble.ts';
import { atDeadline, foreseeDrained } from '../chains/drained.ts';
import { type Context, contextOf, type ForecastOptions, withCordoned } from '../context.ts';
import type { Forecast } from '../forecast.ts';
import { type Follow, type Foreseen, foreseeEach, verdictsOf } from '../foreseen.ts';
import { type AfterOthers, afterOthers } from '../others/after-others.ts';
import { BudgetPlaces } from '../others/budget-places.ts';
import { withNodesAhead } from '../others/nodes-ahead.ts';
import { QuestionError } from '../question-error.ts';
import type { DrainQuestion } from '../questions.ts';
import { withRoomLater } from '../room/room-perhaps.ts';
import { isInScope } from '../scope.ts';
import { summarizeDrain } from '../summary.ts';
import { unseenVerdicts } from '../unseen.ts';
import { clientOf, type DrainedNode, drainedNode } from './drain/drained-node.ts';
import { inLine, type Line, lineBehind } from './drain/line.ts';
import { drainNotes, drainWarnings } from './drain/notes.ts';
import { takenPods } from './drain/refused-pods.ts';

/**
 * What the drain of nodes does to every VM on them.
 *
 * Promise: nodes are emptied one after another in the given order, all cordoned first; every VM on them, and every VM that
 * is about to arrive there by a migration, has one verdict. A node that the fleet does not have is an error. `settle`: how VMs of the
 * drain change what becomes of one another.
 */
export function planDrain(
  fleet: Fleet,
  asked: DrainQuestion,
  options: ForecastOptions,
  settle: AfterOthers = afterOthers,
): Forecast {
  const question = { ...asked, nodes: [...new Set(asked.nodes)] };
  requireNodes(fleet, question.nodes);
  const { context, client, nodes, foreseen } = foreseeDrain(contextOf(fleet, options), question, settle);
  const inScope = foreseen.filter(({ vmi }) => isInScope(fleet, context.scope, vmi));
  const limit = client.timeoutSeconds ? `, timeout ${client.timeoutSeconds} s` : '';
  return assemble(context, {
    action: 'drain',
    title: `drain ${question.nodes.join(', ')} · ${client.title}${limit} · ${counted(inScope.length, 'VM')} there`,
    parameters: { ...question, timeoutSeconds: client.timeoutSeconds },
    verdicts: [...verdictsOf(inScope), ...unseenVerdicts(context)],
    summarize: (counts) => summarizeDrain(counts, client, nodes, inScope.length < foreseen.length),
    notes: drainNotes(context, client, nodes),
    warnings: drainWarnings(context, nodes, foreseen),
  });
}

/** Nodes as they are drained, and what becomes of the VMs on them. */
export interface Drain {
  readonly client: DrainClient;
  readonly context: Context;
  readonly nodes: readonly DrainedNode[];
  readonly foreseen: readonly Foreseen[];
}

/** Follows the drain of nodes that are there, each named once. */
export function foreseeDrain(
  plain: Context,
  question: DrainQuestion,
  settle: AfterOthers = afterOthers,
): Drain {
  const client = clientOf(question);
  const cordoned = client.cordons ? withCordoned(plain, question.nodes) : plain;
  const nodes = question.nodes.map((name) => drainedNode(cordoned, client, name));
  const taken = new Set(nodes.flatMap((node) => takenPods(cordoned, node)));
  const context: Context = {
    ...cordoned,
    evicts: ({ status }) => question.nodes.includes(status?.nodeName ?? ''),
    emptied: taken.size > 0 ? new WorldWithout(cordoned.world, taken) : undefined,
  };
  return { client, context, nodes, foreseen: foreseeNodes(context, nodes, question, settle) };
}

/** Checks that the nodes are there: listed, or at least with a VMI on them. Throws a `QuestionError`. */
export function requireNodes(fleet: Fleet, names: readonly string[]): void {
  const unknown = names.filter((name) => !fleet.get('Node', name) && fleet.vmisOn(name).length === 0);
  if (unknown.length === 0) return;
  const known = [...fleet.all('Node')].map(({ metadata }) => metadata.name).sort();
  const cure = known.length > 0 ? `Name one of: ${someOf(known, MOST_NAMED)}.` : 'Dump nodes too.';
  const those = unknown.map((name) => `"${name}"`).join(', ');
  throw new QuestionError('UnknownNode', `no node ${those} in the input`, cure);
}

const MOST_NAMED = 8;

/** Without a limit of time, a node that never gets empty keeps the next ones from their turn. */
function foreseeNodes(
  context: Context,
  nodes: readonly DrainedNode[],
  question: DrainQuestion,
  settle: AfterOthers,
): Foreseen[] {
  const foreseen: Foreseen[] = [];
  const seen = new Set<Vmi>();
  const places = new BudgetPlaces(context);
  let line: Line = {};
  for (const [index, node] of nodes.entries()) {
    const later = nodes.slice(index + 1).map(({ name }) => name);
    places.leave(takenPods(context, node));
    const vmis = node.vmis.filter((vmi) => !seen.has(vmi));
    for (const vmi of vmis) seen.add(vmi);
    const { stuckAt } = line;
    const follow: Follow = (so, vmi, trail) => foreseeDrained(so, node, vmi, trail, stuckAt);
    // Whom a used-up budget holds back meets the client's deadline like any other.
    const settled = settle(context, foreseeEach(context, vmis, follow, places), foreseen);
    const { reboots } = node.client;
    const here = withNodesAhead(context, settled, { here: node.name, later, reboots }).map((one) => ({
      ...one,
      ending: inLine(line, atDeadline(node.client, one.ending)),
    }));
    foreseen.push(...here);
    if (question.nodes.length > 1 && !node.client.timeoutSeconds)
      line = lineBehind(context, node, here, line);
  }
  return nodes.length > 1 ? withRoomLater(context, foreseen) : foreseen;
}
