import { DRAIN_CLIENTS, type DrainClient, type DrainClientName } from '../decide/drain/clients.ts';
import { counted } from '../kubevirt/words.ts';
import type { Actions } from '../scenario/timeline-schema.ts';
import { scaleDown } from '../simulation/actors/drain/cluster-autoscaler.ts';
import { uncordon } from '../simulation/actors/drain/cordon.ts';
import { descheduler } from '../simulation/actors/drain/descheduler.ts';
import { type KubectlDrainOptions, kubectlDrain } from '../simulation/actors/drain/kubectl.ts';
import { machineDrain } from '../simulation/actors/drain/machine-drain.ts';
import { judgePodsOf, type NodePod } from '../simulation/actors/drain/node-pods.ts';
import { talosctlReboot, talosNodeDrain } from '../simulation/actors/drain/talos.ts';
import { type DeedEnd, reboot, type Stage, type Tell } from './stage.ts';

type Drain = Actions['drain'];

/** How each client empties a node, and what it makes of the end. */
const DRAINS: Readonly<
  Record<Drain['client'], (stage: Stage, drain: Drain, client: DrainClient, tell: Tell) => Promise<DeedEnd>>
> = {
  async kubectl(stage, { node, then = [], reboot: boots }, client, tell) {
    const options = { nodes: [node, ...then], client, print: printTo(tell) };
    const { exitCode, stdout, stderr } = await kubectlDrain(stage.context, options).done;
    const says = [...stdout, ...stderr];
    if (exitCode !== 0) return { end: 'failed', says };
    if (boots) await bootAndGiveBack(stage, node);
    return { end: 'succeeded', says };
  },
  async talosctl(stage, { node }, client, tell) {
    const options = { node, client, reboot: (name: string) => reboot(stage, name), print: printTo(tell) };
    const { exitCode, stdout, stderr } = await talosctlReboot(stage.context, options).done;
    return { end: exitCode === 0 ? 'succeeded' : 'failed', says: [...stdout, ...stderr] };
  },
  async 'talos-node'(stage, { node }, client) {
    const drain = talosNodeDrain(stage.context, { node, client, reboot: (name) => reboot(stage, name) });
    const { pods, log } = await drain.done;
    return { end: pods.every(({ end }) => end !== 'left') ? 'succeeded' : 'failed', says: log };
  },
  async 'cluster-autoscaler'(stage, { node }, client) {
    const { end, reason } = await scaleDown(stage.context, { node, client }).done;
    return { end: end === 'removed' ? 'succeeded' : 'failed', says: reason === undefined ? [] : [reason] };
  },
  async capi(stage, { node, reboot: boots }, client, tell) {
    const waits = (pods: readonly string[]) => tell([`waits for ${pods.join(', ')}`]);
    const { end, left } = await machineDrain(stage.context, { node, client, waits }).done;
    if (boots) await bootAndGiveBack(stage, node);
    if (end === 'drained') return { end: 'succeeded' };
    return { end: 'failed', says: [`the time for the drain was up with ${left.join(', ')} still there`] };
  },
  /** It goes on cycle by cycle; nobody waits for its end. */
  async descheduler({ context }, { node }, client) {
    const wants = (_: unknown, { metadata }: { readonly metadata: { readonly name: string } }) =>
      metadata.name === node ? 'RemovePodsFromNode' : undefined;
    const says = leftAlone(judgePodsOf(context.cluster.fleet, node, client, context.clock.now()));
    descheduler(context, { client, wants }).start();
    return { end: 'done', says };
  },
};

/** What a client has against the pods that it does not take, in one line; none where it takes all. */
function leftAlone(pods: readonly NodePod[]): string[] {
  const left = pods.filter(({ selected }) => !selected.selected);
  if (left.length === 0) return [];
  const objections = new Set(left.map(({ selected }) => selected.message || selected.reason));
  return [`leaves ${left.length} of ${counted(pods.length, 'pod')} alone: ${[...objections].join('; ')}`];
}

/** What a client has printed until now: each line once, the newest last, what it complains of behind all else. */
function printTo(tell: Tell): KubectlDrainOptions['print'] {
  const lines = { stdout: new Set<string>(), stderr: new Set<string>() };
  return (line, stream) => {
    lines[stream].delete(line);
    lines[stream].add(line);
    tell([...lines.stdout, ...lines.stderr]);
  };
}

/** One that gives up at some time is waited for, since a node may go down then. */
export function drain(stage: Stage, asked: Drain, tell: Tell): Promise<DeedEnd> {
  const client = clientFor(asked);
  const end = DRAINS[asked.client](stage, asked, client, tell);
  return client.timeoutSeconds === undefined ? end : stage.rehearsal.observer.awaits(end);
}

/** The client with the flags that were given; no pod is older or younger for it. */
function clientFor({ client, timeout, graceSeconds, ...flags }: Drain): DrainClient {
  const known = DRAIN_CLIENTS[client satisfies DrainClientName];
  return {
    ...known,
    timeoutSeconds: timeout === undefined ? known.timeoutSeconds : timeout || undefined,
    gracePeriodSeconds: graceSeconds ?? known.gracePeriodSeconds,
    flags: {
      ...known.flags,
      force: flags.force || known.flags.force,
      disableEviction: flags.disableEviction,
      podSelector: flags.podSelector && { matchLabels: flags.podSelector },
    },
  };
}

async function bootAndGiveBack(stage: Stage, node: string): Promise<void> {
  if (await reboot(stage, node)) await uncordon(stage.context.cluster, node);
}
