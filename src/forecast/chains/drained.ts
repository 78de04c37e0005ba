import { type DrainClient, graceSeconds } from '../../decide/drain/clients.ts';
import { SELECTION_TABLES } from '../../decide/drain/select.ts';
import type { Selection } from '../../decide/drain/selection.ts';
import type { Decision } from '../../decide/rules.ts';
import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';
import { clauseOf, type Ending, isTakenAway, ledBy, orElse, unknown } from '../ending.ts';
import type { Outcome } from '../forecast.ts';
import type { DrainedNode } from '../plans/drain/drained-node.ts';
import { Trail } from '../trail.ts';
import { foreseeAnyway } from './anyway.ts';
import { foreseeEviction } from './eviction.ts';
import { onceItRuns } from './later-vmi.ts';
import { foreseeIfPresent } from './presence.ts';
import { isTakenBack, orDoneBefore } from './under-way.ts';

/** Follows one VM on a drained node, from the client's choice of pods on, without a limit of time. */
export function foreseeDrained(
  context: Context,
  node: DrainedNode,
  vmi: Vmi,
  trail: Trail,
  stuckAt: string | undefined,
): Ending {
  if (node.errors.length > 0) return unlessItGoes(context, vmi, trail, refusedAsAWhole(node, trail));
  if (stuckAt !== undefined) return unlessItGoes(context, vmi, trail, neverItsTurn(stuckAt, trail));
  const ending = foreseeIfPresent(context, vmi, trail, () =>
    foreseeChosen(context, node, arrived(vmi, node.name), trail),
  );
  return ending.reason === 'NotScheduled' ? whileStarting(context, node, vmi, ending) : ending;
}

/** Its launcher is on the node, and its guest is to start there. */
function whileStarting(context: Context, node: DrainedNode, vmi: Vmi, ending: Ending): Ending {
  const pod = context.fleet.launcherPodOf(vmi);
  if (!pod) return ending;
  const next = foreseeChosen(context, node, onceItRuns(context, vmi, pod), new Trail(false));
  if (next.outcome === 'Untouched') return ending;
  const met = orElse(ending, 'MetAgain', `its launcher is met like any other, and it ${clauseOf(next)}`);
  return { ...met, metLater: next };
}

/** Whom nobody evicts may leave all the same, or try to and find the other nodes cordoned. */
function unlessItGoes(context: Context, vmi: Vmi, trail: Trail, ending: Ending): Ending {
  if (vmi.metadata.deletionTimestamp !== undefined) return ending;
  const anyway = foreseeAnyway(context, vmi, trail);
  if (!anyway) return isTakenBack(context, vmi) ? orDoneBefore(context, vmi, ending) : ending;
  if (isGoing(anyway)) return anyway;
  const isTried = anyway.outcome === 'NeverCompletes';
  return isTried ? orElse(ending, 'Stays', `meanwhile it ${clauseOf(anyway)}`) : ending;
}

function refusedAsAWhole({ client, name, errors }: DrainedNode, trail: Trail): Ending {
  const told = errors.join('; ');
  trail.note('pods that the client takes', 'NodeRefused', told, [
    { object: `Node ${name}`, path: 'pods', value: told },
  ]);
  if (client.name === 'cluster-autoscaler') {
    return {
      outcome: 'Untouched',
      reason: 'NodeNotScaledDown',
      says: `stays: the autoscaler never takes its node down: ${told}`,
    };
  }
  return {
    outcome: 'Deferred',
    reason: 'DrainRefused',
    says: `is not touched: the drain of ${name} stops before it evicts anything: ${told}`,
    remedies: ['Give the flag that the message names, or take the pods away that it is about.'],
  };
}

function neverItsTurn(stuckAt: string, trail: Trail): Ending {
  const evidence = [{ object: `Node ${stuckAt}`, path: 'drain', value: 'does not finish' }];
  trail.note(
    'order of the nodes',
    'EarlierNodeNotDone',
    `node ${stuckAt} comes first and is never done`,
    evidence,
  );
  return {
    outcome: 'Deferred',
    reason: 'EarlierNodeNotDone',
    says: `waits: without a timeout the drain never gets past node ${stuckAt}`,
    remedies: [`Settle what blocks ${stuckAt} first, or drain this node by itself.`],
  };
}

/** A VM that a migration is bringing to the node is looked at as it will be then: there, and without an old mark. */
function arrived(vmi: Vmi, node: string): Vmi {
  if (vmi.status?.nodeName === node) return vmi;
  const status = { ...vmi.status, nodeName: node, evacuationNodeName: undefined };
  return { ...vmi, status };
}

function foreseeChosen(context: Context, node: DrainedNode, vmi: Vmi, trail: Trail): Ending {
  const { client } = node;
  const pod = context.fleet.launcherPodOf(vmi);
  if (!pod)
    return unknown(
      trail,
      `the launcher pod of ${vmi.metadata.namespace}/${vmi.metadata.name}`,
      'Dump pods too.',
    );
  const listed = node.pods.find((one) => one.pod === pod);
  const goesOrStays = (ending: Ending) => unlessItGoes(context, vmi, trail, ending);
  if (!listed) return goesOrStays(passedOver('PodSelectorMismatch', NOT_SELECTED));
  const choice = askClient(context, client, pod, trail);
  if (!choice.result.selected)
    return goesOrStays(passedOver(choice.reason, choice.result.message || choice.reason));
  return foreseeEviction(context, vmi, trail, {
    podGraceSeconds: shortenedGrace(client, pod),
    deletes: client.flags.disableEviction,
  });
}

const NOT_SELECTED = 'the pod selector does not match its launcher pod';

function askClient(context: Context, client: DrainClient, pod: Pod, trail: Trail): Decision<Selection> {
  const facts = { now: context.now, budgets: context.fleet.budgetsIn(pod.metadata.namespace ?? '') };
  const input = { client, pod, facts };
  return trail.ask('pods that the client takes', SELECTION_TABLES[client.name], input, ({ result }) =>
    result.selected ? `${client.title} evicts the pod` : `${client.title} leaves the pod: ${result.message}`,
  );
}

function passedOver(reason: string, why: string): Ending {
  const remedies = PASSED_OVER_REMEDIES[reason] ?? [];
  return { outcome: 'Untouched', reason, says: `is passed over: ${why}`, remedies };
}

/** Every launcher pod has emptyDir volumes, so that a descheduler as it comes never moves a VM: drains §4 of the spec. */
const PASSED_OVER_REMEDIES: Readonly<Record<string, readonly string[]>> = {
  PodsWithLocalStorage: [
    `Annotate the VM's template with ${ANNOTATION.deschedulerEvict} and restart it once, if the descheduler is to have it.`,
    "Or disable PodsWithLocalStorage in the protections of the descheduler's default evictor, for all pods.",
  ],
};

/** Absent: the pod's own. */
function shortenedGrace(client: DrainClient, pod: Pod): number | undefined {
  const isOwn = client.gracePeriodSeconds === undefined && client.maxGracePeriodSeconds === undefined;
  return isOwn ? undefined : graceSeconds(client, pod);
}

type End = Pick<Ending, 'outcome' | 'reason'>;

const STILL_THERE: ReadonlySet<Outcome> = new Set(['Blocks', 'NeverCompletes', 'HandedOver', 'Deferred']);

/** Some clients go on when their time is up: whatever is on the node then goes down with it. */
export function atDeadline(client: DrainClient, ending: Ending): Ending {
  const isDestructive = client.atTimeout === 'continue-destructively' && client.timeoutSeconds;
  if (!isDestructive) return ending;
  const cut = cutAtDeadline(client, ending);
  const alternatives = ending.alternatives
    ?.map(({ change, ...other }) => ({ change, ...cutIfThere(other) }))
    .filter(({ outcome }) => outcome !== cut.outcome);
  return { ...cut, alternatives };
}

function cutAtDeadline(client: DrainClient, ending: Ending): Ending {
  if (isGoing(ending)) {
    const when = `should it still be there after ${client.timeoutSeconds} s, it goes down with the node`;
    return orElse(ending, 'Cut', when);
  }
  if (!STILL_THERE.has(ending.outcome)) return ending;
  const lead = `is still there after ${client.timeoutSeconds} s and goes down with the node: it`;
  return { ...ledBy(lead, ending), ...cutIfThere(ending) };
}

function cutIfThere({ outcome, reason }: End): End {
  const isThere = STILL_THERE.has(outcome) && !isGoing({ outcome, reason });
  return isThere ? { outcome: 'Cut', reason: `CutAfter${reason}` } : { outcome, reason };
}

/** It is on its way, and may be long about it: a large guest, or one behind others. */
function isGoing(ending: End): boolean {
  return ending.outcome === 'LiveMigrates' || isTakenAway(ending);
}
