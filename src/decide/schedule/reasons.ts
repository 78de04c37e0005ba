/** Why a move starts when it does, and why one never does. */
import type { Evidence, Table } from '../rules.ts';
import type { SoloMove } from './moves.ts';
import type { Resource, ResourceKind } from './resources.ts';

const SOURCE = "Drover's own schedule of moves";

/** What kept a move from starting earlier: a resource too full for it until then, and the VMs that left it at that time. */
export interface Obstacle {
  readonly resource: Resource;
  readonly behind: readonly string[];
}

export interface StartInput {
  readonly solo: SoloMove;
  readonly startSeconds: number;
  /** The busiest of those that were too full. Undefined: none was. */
  readonly obstacle: Obstacle | undefined;
}

const LINKS: Readonly<Record<ResourceKind, readonly [reason: string, words: string]>> = {
  NodeOut: ['WaitsForSourceLink', 'the outbound link of node'],
  NodeIn: ['WaitsForTargetLink', 'the inbound link of node'],
  RackUp: ['WaitsForRackUplink', 'the uplink of rack'],
  RackDown: ['WaitsForRackDownlink', 'the downlink of rack'],
  ClusterWidth: ['WaitsForClusterWidth', 'parallelMigrationsPerCluster'],
  OutboundWidth: ['WaitsForOutboundWidth', 'the outbound width of node'],
  InboundWidth: ['WaitsForInboundWidth', 'the inbound width of node'],
};

/** A resource in words: "the uplink of rack r1". */
function resourceWords({ kind, of }: Resource): string {
  return `${LINKS[kind][1]} ${of}`.trimEnd();
}

const waitingRules: Table<StartInput, string> = Object.entries(LINKS).map(([kind, [name, words]]) => ({
  name,
  asks: `until then, ${words} was too full for the move, and nothing busier was`,
  source: SOURCE,
  when: ({ obstacle }) => obstacle?.resource.kind === kind,
  reads: obstacleEvidence,
  then: waitingWords,
}));

/** Why a scheduled move starts when it does, in a sentence. */
export const startTable: Table<StartInput, string> = [
  ...waitingRules,
  {
    name: 'StartsAtOnce',
    asks: 'nothing stood in its way',
    source: SOURCE,
    when: () => true,
    reads: ({ solo }) => [onMove(solo, 'mbps', solo.mbps)],
    then: () => 'starts at once: all that it needs is free',
  },
];

function waitingWords({ obstacle, startSeconds }: StartInput): string {
  if (!obstacle) return '';
  const until = `waits for ${resourceWords(obstacle.resource)} until ${startSeconds.toFixed(1)} s`;
  const [first, ...others] = obstacle.behind;
  if (first === undefined) return until;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `${until}, when ${first}${more} left it`;
}

function obstacleEvidence({ solo, obstacle }: StartInput): Evidence[] {
  if (!obstacle) return [];
  const { resource, behind } = obstacle;
  return [
    { object: resourceWords(resource), path: 'capacity', value: resource.capacity },
    { object: resourceWords(resource), path: 'leftBy', value: behind },
    onMove(solo, 'mbps', solo.mbps),
  ];
}

function onMove({ move }: SoloMove, path: string, value: unknown): Evidence {
  return { object: `VirtualMachineInstance ${move.vm}`, path, value };
}

export interface NeverInput {
  readonly solo: SoloMove;
  /** A resource that has less than the move needs even when idle. */
  readonly lacking: Resource | undefined;
}

/** Why a move cannot be scheduled at all; undefined: it can. */
export const neverTable: Table<NeverInput, string | undefined> = [
  {
    name: 'NoWidth',
    asks: 'a width lets no move run',
    source: SOURCE,
    when: ({ lacking }) => lacking !== undefined,
    reads: ({ lacking }) =>
      lacking ? [{ object: resourceWords(lacking), path: 'capacity', value: lacking.capacity }] : [],
    then: ({ lacking }) => lacking && `${resourceWords(lacking)} allows ${lacking.capacity}`,
  },
  {
    name: 'DoesNotConverge',
    asks: 'the guest writes to its memory faster than the network carries it, with the network to itself',
    source: SOURCE,
    when: ({ solo }) => !Number.isFinite(solo.seconds),
    reads: ({ solo }) => [
      onMove(solo, 'mbps', solo.mbps),
      onMove(solo, 'memory.hotSetMB', solo.move.memory.hotSetMB),
      onMove(solo, 'memory.hotSetSeconds', solo.move.memory.hotSetSeconds),
      onMove(solo, 'memory.coldDirtyMBps', solo.move.memory.coldDirtyMBps),
    ],
    then: ({ solo }) =>
      `writes to its memory faster than ${solo.mbps} Mbit/s carry it: pre-copy does not end`,
  },
  {
    name: 'Schedulable',
    asks: 'nothing speaks against it',
    source: SOURCE,
    when: () => true,
    reads: () => [],
    then: () => undefined,
  },
];
