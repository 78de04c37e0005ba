import type { Evidence, TraceStep } from '../decide/rules.ts';

/** What will have become of a VM in the end. The order is the severity order of tables, worst first. */
export const OUTCOMES = [
  'Cut',
  'Blocks',
  'NeverCompletes',
  'StaysOff',
  'MayStayOff',
  'Unknown',
  'HandedOver',
  'Restarts',
  'Deferred',
  'LiveMigrates',
  'Untouched',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Those in which a VM leaves its node, or may. */
export const LEAVES_NODE: ReadonlySet<Outcome> = new Set([
  'LiveMigrates',
  'Restarts',
  'StaysOff',
  'MayStayOff',
]);

/**
 * Another way that it may go, for chance or others decide: it moves all the same, or stays where it is, refused by a budget or for
 * want of a place; it is shut down; its launcher waits for a node; it goes down with its node, or with its Machine; the action does not come to
 * it, or comes to it once more.
 */
export type Otherwise =
  | 'Moves'
  | 'Stays'
  | 'Refused'
  | 'ShutDown'
  | 'Waits'
  | 'Cut'
  | 'Replaced'
  | 'NotReached'
  | 'MetAgain';

/** One stage on the way to the outcome: which decision was asked, what it said, and every rule that it tried. */
export interface Stage {
  /** What was decided, in words: "eviction webhook", "run strategy". */
  readonly decision: string;
  /** The reason that the decision gave, and what it means in words. */
  readonly reason: string;
  readonly says: string;
  readonly trace: readonly TraceStep[];
}

/** What will happen to one VM, and why. */
export interface VmVerdict {
  readonly namespace: string;
  readonly name: string;
  readonly node?: string | undefined;
  readonly outcome: Outcome;
  /** Stable CamelCase. */
  readonly reason: string;
  /** One sentence that names the object and that a person understands. */
  readonly message: string;
  /** How it may go instead; the message tells when. */
  readonly otherwise?: readonly Otherwise[] | undefined;
  readonly evidence: readonly Evidence[];
  readonly remedies: readonly string[];
  /** The stages in the order in which they happen; `explain` prints them. */
  readonly stages: readonly Stage[];
  /** Eviction batch (1 is the first) where the arithmetic is exact. */
  readonly batch?: number | undefined;
  /** How often it moves, where more than once. */
  readonly moves?: number | undefined;
  /** What an eviction request for the VM's pod answers; a dry run gets the same, and changes nothing. */
  readonly answer?: EvictionAnswer | undefined;
  /** What would change the answer; told where the whole trace is. */
  readonly alternatives?: readonly Alternative[] | undefined;
  /** What a change of the configuration makes of the VM on later occasions. */
  readonly later?: readonly Later[] | undefined;
  /** The nodes that it is on, one after another; told of a maintenance round. */
  readonly path?: readonly string[] | undefined;
  /** When it begins to concern the VM and when it is over, in seconds after the beginning; told with `--time`. */
  readonly start?: TimeRange | undefined;
  readonly end?: TimeRange | undefined;
  /** How long the guest is down. */
  readonly downtimeSeconds?: TimeRange | undefined;
}

/** How often VMs move in a maintenance round: the most of any VM, all together, and how many find no place at some turn. */
export interface RoundMoves {
  readonly mostMoves: number;
  readonly totalMoves: number;
  readonly stuck: number;
}

/** A maintenance round in an order in which VMs move little. Counts are of all VMs, whatever the scope. */
export interface ForecastRound extends RoundMoves {
  /** The most moves of any VM are not fewer in any order, and why. */
  readonly atLeast: { readonly moves: number; readonly reason: string };
  readonly steps: readonly RoundTurn[];
  /** VMs that a roll-out under way moves meanwhile, which nobody has reckoned with. */
  readonly movedByRollout: number;
  /** The nodes in the order in which they were named, with nothing cordoned but the node that is drained. */
  readonly asGiven: RoundMoves;
}

/** One node's turn. */
export interface RoundTurn {
  readonly node: string;
  /** Stable CamelCase. */
  readonly reason: string;
  readonly message: string;
  /** Nodes that are still due and must take VMs during this turn. */
  readonly opens: readonly string[];
  /** Of the VMs in scope, by namespace and name. */
  readonly moves: readonly {
    readonly vm: string;
    readonly to: string;
    readonly reason: string;
    readonly message: string;
  }[];
}

/** Seconds over several simulated courses: half of them take no longer than `p50`, nine of ten no longer than `p90`. */
export interface TimeRange {
  readonly p50: number;
  readonly p90: number;
}

/** What holds an action up most. */
export interface Bottleneck {
  /** Stable CamelCase: `ClusterCap`, `OutboundSlots`, `BatchInterval`, `LongestMove`, `LongestTurn`. */
  readonly reason: string;
  readonly message: string;
  /** How long it takes at least because of it. */
  readonly seconds: number;
}

/** When a node is drained and when it is back, in seconds after the beginning of a round, and how long that takes. */
export interface TurnTime {
  readonly node: string;
  readonly start: TimeRange;
  readonly end: TimeRange;
  readonly seconds: TimeRange;
  /** In how many courses VMs stayed that should have left, so that its drain was given up. */
  readonly givenUp: number;
}

export interface WhatIf {
  readonly settings: string;
  readonly total: TimeRange;
  /** VMs that move or are shut down as things are, and then do not come to it. */
  readonly leftBehind: number;
}

/** A drain that is given up before all have left who do leave: after how many seconds, and how many VMs are still there. */
export interface TimeUp {
  readonly seconds: number;
  readonly vms: number;
}

/** How long an action takes, from simulated courses. */
export interface ForecastTime {
  readonly runs: number;
  readonly total: TimeRange;
  readonly timeUp?: TimeUp | undefined;
  readonly bottleneck?: Bottleneck | undefined;
  /** Of a maintenance round: the nodes in the order of their turns. */
  readonly turns?: readonly TurnTime[] | undefined;
  /** The same with other settings, as they were asked for. */
  readonly whatIf: readonly WhatIf[];
}

/** Another outcome, had one input been different. `change` goes on from "if". */
export interface Alternative {
  readonly change: string;
  readonly outcome: Outcome;
  readonly reason: string;
}

export interface EvictionAnswer {
  /** HTTP status: 201, 429 or 500. */
  readonly code: number;
  readonly message: string;
}

/** One later occasion, as it would go without the change and as it goes with it. */
export interface Later {
  readonly when: 'next drain' | 'next upgrade' | 'next restart' | 'drain after its next restart';
  readonly before: Outcome;
  readonly after: Outcome;
  /** How it goes with the change, in a sentence. */
  readonly message: string;
}

export interface ForecastSpec {
  /** `upgrade`, `drain`, `round`, `evict`, `config`, `edit`. */
  readonly action: string;
  /** The question in one line, as a title. */
  readonly title: string;
  readonly kubevirtVersion: string;
  /** What was asked and the settings used, each under its own name. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ForecastStatus {
  /** The answer in one sentence. */
  readonly summary: string;
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Sorted by namespace and name. */
  readonly vms: readonly VmVerdict[];
  /** What to know besides: assumptions, order, exact widths and batches. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** Things that the input lacks. */
  readonly missing: readonly string[];
  /** Told with `--time`. */
  readonly time?: ForecastTime | undefined;
  /** Told of a maintenance round. */
  readonly round?: ForecastRound | undefined;
}

export interface Forecast {
  readonly apiVersion: 'drover.dev/v1alpha1';
  readonly kind: 'Forecast';
  readonly spec: ForecastSpec;
  readonly status: ForecastStatus;
}
