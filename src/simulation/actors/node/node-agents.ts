import type { Change } from '../../../controllers/ports.ts';
import { LABEL } from '../../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { CopyNetwork } from '../../guests/copy-network.ts';
import { behaviorByAnnotations } from '../../guests/lab-annotations.ts';
import type { Actor, ActorContext } from '../actor.ts';
import { isCopyNews, isNoNewsForNodes } from '../vmi/copy-news.ts';
import { isShownNews } from '../vmi/launcher-writes.ts';
import { byUid } from './by-uid.ts';
import { NodeAgent } from './node-agent.ts';
import { newNode } from './node-objects.ts';
import { type NodeAgentOptions, RECORDED_TIMES } from './options.ts';
import { StopNotes } from './stop-notes.ts';
import { Turnstile } from './turnstile.ts';

/** What becomes of the pods of a node that fails. */
export interface NodeFailure {
  /** They are taken away at once, as somebody does who knows; else they stay as they are. Yes where absent. */
  readonly podsVanish?: boolean | undefined;
}

/** A machine that is down. */
interface Fall {
  /** Whether it has come back from that, and not failed for good. */
  readonly isBack: Promise<boolean>;
  end(isBack: boolean | Promise<boolean>): void;
}

function newFall(): Fall {
  let end: Fall['end'] = () => {};
  const isBack = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  return { isBack, end };
}

/** The agents of all nodes, and what may befall them. A node that there is no agent for is no error: nothing happens. */
export interface NodeAgents extends Actor {
  /** The machine is gone for good, its guests with it; nobody beats its heart or starts its pods. */
  failNode(name: string, failure?: NodeFailure): Promise<void>;
  /**
   * The machine falls now, and is back after so many seconds: without guests, its pods' containers ended. Where it falls again
   * meanwhile, the last fall says when. Resolves when it is back, or with `false` where it has failed for good.
   */
  rebootNode(name: string, downSeconds: number): Promise<boolean>;
  /** A node that had failed is back, as after a reboot. */
  recoverNode(name: string): Promise<void>;
  /** virt-handler of the node is down until it is resumed. */
  pauseHandler(name: string): void;
  resumeHandler(name: string): void;
}

/**
 * kubelet, virt-handler and guests of the cluster's nodes: an agent for each, and one who tells each of them what concerns
 * it. Nodes that come later get their agent then.
 */
export function nodeAgents(context: ActorContext, options: NodeAgentOptions = {}): NodeAgents {
  return new AllAgents(context, options);
}

class AllAgents implements NodeAgents {
  readonly #context: ActorContext;
  readonly #options: NodeAgentOptions;
  readonly #copies: CopyNetwork;
  readonly #notes: StopNotes;
  readonly #turnstile: Turnstile | undefined;
  readonly #agents = new Map<string, NodeAgent>();
  /** Nodes whose machine is down, with the last fall of each. */
  readonly #fallen = new Map<string, Fall>();
  readonly #underWay = new Set<Promise<void>>();
  #leave = (): void => {};

  constructor(context: ActorContext, options: NodeAgentOptions) {
    this.#context = context;
    this.#options = options;
    const nodeOf = (name: string) => context.cluster.fleet.get('Node', name);
    this.#copies = new CopyNetwork(context.clock, nodeOf, options.network);
    this.#notes = new StopNotes(context.clock);
    this.#turnstile = options.stepsAtOnce === undefined ? undefined : new Turnstile(options.stepsAtOnce);
  }

  start(): void {
    const { cluster } = this.#context;
    this.#leave = cluster.subscribe((change) => this.#hear(change));
    const names = [...cluster.fleet.all('Node')].map((node) => node.metadata.name).sort();
    for (const name of names) this.#welcome(name);
    this.#track(this.#bringUp());
  }

  async stop(): Promise<void> {
    this.#leave();
    await Promise.all([...this.#agents.values()].map((agent) => agent.stop()));
    await Promise.all(this.#underWay);
    this.#agents.clear();
  }

  async failNode(name: string, { podsVanish = true }: NodeFailure = {}): Promise<void> {
    const agent = this.#agents.get(name);
    this.#newFall(name).end(false);
    await this.#fall(name);
    if (podsVanish) await agent?.removePods();
  }

  rebootNode(name: string, downSeconds: number): Promise<boolean> {
    const fall = this.#newFall(name);
    this.#track(this.#fall(name));
    this.#context.clock.after(downSeconds, () => {
      if (this.#fallen.get(name) === fall) this.#track(this.recoverNode(name));
    });
    return fall.isBack;
  }

  async recoverNode(name: string): Promise<void> {
    const fall = this.#fallen.get(name);
    if (!fall) return;
    this.#fallen.delete(name);
    const agent = this.#agents.get(name);
    await agent?.buryGuests();
    agent?.start();
    fall.end(true);
  }

  pauseHandler(name: string): void {
    this.#agents.get(name)?.pauseHandler();
  }

  resumeHandler(name: string): void {
    this.#agents.get(name)?.resumeHandler();
  }

  /** Whoever waits for the end of the fall before waits for the end of this one. */
  #newFall(name: string): Fall {
    const fall = newFall();
    this.#fallen.get(name)?.end(fall.isBack);
    this.#fallen.set(name, fall);
    return fall;
  }

  /** The machine stops; whoever copies from it or to it notices. */
  async #fall(name: string): Promise<void> {
    const agent = this.#agents.get(name);
    await agent?.stop();
    agent?.forgetCopies();
    const { fleet } = this.#context.cluster;
    for (const pod of [...fleet.podsOn(name)].sort(byUid)) this.#lookAgain(fleet.vmiOfLauncher(pod));
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  async #bringUp(): Promise<void> {
    const { cluster, clock } = this.#context;
    for (const description of this.#options.nodes ?? []) {
      if (cluster.fleet.get('Node', description.name)) continue;
      await this.#clusterFor(description.name).create('Node', undefined, newNode(description, clock.now()));
    }
  }

  #clusterFor(node: string) {
    return this.#options.clusterFor?.(node) ?? this.#context.cluster;
  }

  #welcome(name: string): void {
    if (this.#agents.has(name) || this.#options.plays?.(name) === false) return;
    const {
      times,
      behaviorOf = behaviorByAnnotations,
      recordsEvents = true,
      tell = () => {},
    } = this.#options;
    const { cluster, clock, log } = this.#context;
    const agent = new NodeAgent({
      node: name,
      cluster: this.#clusterFor(name),
      fleet: cluster.fleet,
      clock,
      log,
      turnstile: this.#turnstile,
      times: { ...RECORDED_TIMES, ...times },
      behaviorOf: (vmi) => behaviorOf(vmi),
      copies: this.#copies,
      notes: this.#notes,
      recordsEvents,
      tell,
      isNodeDown: (node) => this.#fallen.has(node),
      lookAgain: (vmi) => this.#lookAgain(vmi),
    });
    this.#agents.set(name, agent);
    if (!this.#fallen.has(name)) agent.start();
  }

  #dismiss(name: string): void {
    const agent = this.#agents.get(name);
    this.#agents.delete(name);
    if (agent) this.#track(agent.stop());
  }

  #hear({ kind, before, after }: Change): void {
    if (kind === 'Pod') this.#hearPod(before as Pod | undefined, after as Pod | undefined);
    else if (kind === 'VirtualMachineInstance')
      this.#hearVmi(before as Vmi | undefined, after as Vmi | undefined);
    else if (kind === 'Node' && after) this.#welcome(after.metadata.name);
    else if (kind === 'Node' && before) this.#dismiss(before.metadata.name);
  }

  /** What a pod does concerns its node, and virt-handler there and, in a migration, on the other side. */
  #hearPod(before: Pod | undefined, after: Pod | undefined): void {
    const pod = after ?? before;
    const agent = this.#agents.get(pod?.spec?.nodeName ?? '');
    if (!pod || !agent || (before && after && isShownNews(before, after))) return;
    if (after) agent.lookAtPod(after);
    else agent.forgetPod(pod);
    const vmi = this.#context.cluster.fleet.vmiOfLauncher(pod);
    if (vmi) this.#lookAtVmi(vmi);
  }

  #hearVmi(before: Vmi | undefined, after: Vmi | undefined): void {
    if (!after) {
      for (const node of before ? nodesOf(before) : []) if (before) this.#agents.get(node)?.forgetVmi(before);
      return;
    }
    if (before && isNoNewsForNodes(before, after)) return;
    this.#lookAtVmi(after, before);
    if (before && isCopyNews(before, after)) return;
    for (const pod of this.#context.cluster.fleet.podsOf(after)) {
      this.#agents.get(pod.spec?.nodeName ?? '')?.lookAtPod(pod);
    }
  }

  #lookAtVmi(vmi: Vmi, before?: Vmi): void {
    const nodes = nodesOf(vmi);
    for (const node of before ? nodesOf(before, nodes) : nodes) this.#agents.get(node)?.lookAtVmi(vmi);
  }

  #lookAgain(seen: Vmi | undefined): void {
    const vmi = seen && this.#context.cluster.fleet.get('VirtualMachineInstance', keyOf(seen));
    if (vmi) this.#lookAtVmi(vmi);
  }
}

/** Its own, and while a migration is not over and cleared away, those of source and target; each once. */
function nodesOf({ metadata, status }: Vmi, nodes: string[] = []): string[] {
  const state = status?.migrationState;
  const isOver = state?.completed === true && !metadata.labels?.[LABEL.migrationTargetNodeName];
  addTo(nodes, status?.nodeName);
  if (!state || isOver) return nodes;
  addTo(nodes, state.sourceNode);
  addTo(nodes, state.targetNode);
  return nodes;
}

function addTo(nodes: string[], node: string | undefined): void {
  if (node !== undefined && !nodes.includes(node)) nodes.push(node);
}
