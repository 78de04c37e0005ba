/** When a migration may start: its place in the queue, and the caps on migrations at once. evacuation-and-migration §4.1–4.2 of the spec. */

import { MIGRATION_PHASE, PRIORITY } from '../../kubevirt/names.ts';
import type { Migration, Pod, Vmi } from '../../kubevirt/objects.ts';
import { isMigrationRunning, isPodFinished, isRunning } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { migrationField, podField, vmiField } from '../evidence.ts';
import type { Table } from '../rules.ts';
import type { MigrationSettings } from '../settings.ts';
import { CONTROLLER } from './subject.ts';

/** Queue value of work that must not wait behind new migrations: running ones, pod events, time-outs. Higher goes first. */
export const RUNNING_PRIORITY = 1000;

const QUEUE_VALUE: ReadonlyMap<string, number> = new Map([
  [PRIORITY.systemCritical, 100],
  [PRIORITY.userTriggered, 50],
  [PRIORITY.systemMaintenance, 20],
]);

const DELAY_SECONDS: ReadonlyMap<string, number> = new Map([
  [PRIORITY.systemCritical, 1],
  [PRIORITY.userTriggered, 3],
]);

/** A migration, or a draft of one. */
interface Prioritised {
  readonly spec?: { readonly priority?: string | undefined } | undefined;
}

/** The queue value of `spec.priority`; none, or a string that is none of the three (case matters), is 0. */
export function priorityOf(migration: Prioritised): number {
  return QUEUE_VALUE.get(migration.spec?.priority ?? '') ?? 0;
}

/** The queue value with which an event about the migration queues it. Work of equal value goes in the order in which it became ready. */
export function queueValueOf(migration: Migration): number {
  return migration.status?.phase === MIGRATION_PHASE.running ? RUNNING_PRIORITY : priorityOf(migration);
}

/** How long a migration waits when a cap is reached before it asks again. */
export function capRetrySeconds(migration: Prioritised): number {
  return DELAY_SECONDS.get(migration.spec?.priority ?? '') ?? 5;
}

/**
 * When a migration that a cap holds back asks the next time after `now`, if it asks again and again from `askedAt` on: by this a
 * controller can sleep until an answer may be another one.
 */
export function nextRetryAt(askedAt: Instant, retrySeconds: number, now: Instant): Instant {
  const step = retrySeconds * 1000;
  return askedAt + (Math.floor((now - askedAt) / step) + 1) * step;
}

/**
 * The pending migrations that are queued at once when a migration is seen final.
 *
 * Promise: highest priority first, at most `parallelMigrationsPerCluster`; equals in the given order.
 */
export function wokenByFinal(
  pending: readonly Migration[],
  settings: Pick<MigrationSettings, 'parallelMigrationsPerCluster'>,
): Migration[] {
  return pending
    .filter((migration) => migration.status?.phase === MIGRATION_PHASE.pending)
    .sort((a, b) => priorityOf(b) - priorityOf(a))
    .slice(0, Math.max(0, settings.parallelMigrationsPerCluster));
}

/** An unfinished migration as the caps see it. */
export interface CapEntry {
  readonly migration: Migration;
  /** Its VMI; undefined: gone. */
  readonly vmi: Vmi | undefined;
  /** A launcher pod with the migration's UID exists, in whatever phase. */
  readonly hasTargetPod: boolean;
}

/** Whether a migration takes a place in the caps: it runs, or it is not final and already has a target pod. */
export function takesPlace(entry: CapEntry): boolean {
  return isMigrationRunning(entry.migration) || (entry.vmi !== undefined && entry.hasTargetPod);
}

/** How many of the migrations leave the node: by where the VMI is, or by where its latest migration started. */
export function outboundFrom(node: string, entries: readonly CapEntry[]): number {
  return entries.filter(
    ({ vmi }) => vmi && (vmi.status?.nodeName === node || vmi.status?.migrationState?.sourceNode === node),
  ).length;
}

/** How many places in the caps are taken, as `takesPlace` and `outboundFrom` count them. */
export interface PlacesTaken {
  readonly inCluster: number;
  readonly outboundFrom: (node: string) => number;
}

export interface TargetPodInput {
  readonly migration: Migration;
  readonly vmi: Vmi;
  /** This migration may be counted in. */
  readonly taken: PlacesTaken;
  /** Pods that the VMI controls, finished ones too. */
  readonly pods: readonly Pod[];
  /** Target pods created by the controller and not yet seen. */
  readonly unseenCreations: number;
  readonly settings: Pick<
    MigrationSettings,
    'parallelMigrationsPerCluster' | 'parallelOutboundMigrationsPerNode'
  >;
}

export type TargetPodDecision =
  | { readonly action: 'Create' }
  | { readonly action: 'Nothing' }
  /** Look again later; `priority` is the queue value to come back with. */
  | { readonly action: 'Retry'; readonly afterSeconds: number; readonly priority: number };

const RETRY_SOON: TargetPodDecision = { action: 'Retry', afterSeconds: 1, priority: RUNNING_PRIORITY };

function retryAtCap({ migration }: TargetPodInput): TargetPodDecision {
  return { action: 'Retry', afterSeconds: capRetrySeconds(migration), priority: priorityOf(migration) };
}

function outboundHere({ taken, vmi }: TargetPodInput): number {
  return taken.outboundFrom(vmi.status?.nodeName ?? '');
}

function unfinishedPods(input: TargetPodInput): readonly Pod[] {
  return input.pods.filter((pod) => !isPodFinished(pod));
}

/**
 * Whether a pending migration gets its target pod now. One migration at a time may ask: two that ask at once would
 * both see the last free place. No cap fails a migration, and nothing caps how many arrive on a node.
 */
export const targetPodTable: Table<TargetPodInput, TargetPodDecision> = [
  {
    name: 'CreationsUnseen',
    asks: 'the controller has created target pods that it does not see yet',
    source: `${CONTROLLER}:1346-1355`,
    when: ({ unseenCreations }) => unseenCreations > 0,
    reads: ({ unseenCreations }) => [
      { object: 'controller', path: 'unseenCreations', value: unseenCreations },
    ],
    then: () => RETRY_SOON,
  },
  {
    name: 'PodsLeftOver',
    asks: 'more than one pod of the VMI has not ended',
    source: `${CONTROLLER}:1355-1362`,
    when: (input) => unfinishedPods(input).length > 1,
    reads: (input) => unfinishedPods(input).map((pod) => podField(pod, 'status.phase', pod.status?.phase)),
    then: () => RETRY_SOON,
  },
  {
    name: 'ClusterLimitReached',
    asks: 'as many migrations run as the cluster allows',
    source: `${CONTROLLER}:1364-1380`,
    when: ({ taken, settings }) => taken.inCluster >= settings.parallelMigrationsPerCluster,
    reads: (input) => [
      { object: 'cluster', path: 'runningMigrations', value: input.taken.inCluster },
      limit('parallelMigrationsPerCluster', input.settings.parallelMigrationsPerCluster),
    ],
    then: retryAtCap,
  },
  {
    name: 'NodeLimitReached',
    asks: "as many migrations leave the VMI's node as the cluster allows",
    source: `${CONTROLLER}:1381-1392`,
    when: (input) => outboundHere(input) >= input.settings.parallelOutboundMigrationsPerNode,
    reads: (input) => [
      vmiField(input.vmi, 'status.nodeName', input.vmi.status?.nodeName),
      {
        object: `Node ${input.vmi.status?.nodeName ?? ''}`,
        path: 'outboundMigrations',
        value: outboundHere(input),
      },
      limit('parallelOutboundMigrationsPerNode', input.settings.parallelOutboundMigrationsPerNode),
    ],
    then: retryAtCap,
  },
  {
    name: 'VmiNotRunning',
    asks: 'the VMI is not Running',
    source: `${CONTROLLER}:1393-1402`,
    when: ({ vmi }) => !isRunning(vmi),
    reads: ({ vmi }) => [vmiField(vmi, 'status.phase', vmi.status?.phase)],
    then: () => ({ action: 'Nothing' }),
  },
  {
    name: 'PlaceFree',
    asks: 'a place is free',
    source: `${CONTROLLER}:1393-1402`,
    when: () => true,
    reads: (input) => [
      migrationField(input.migration, 'spec.priority', input.migration.spec?.priority),
      { object: 'cluster', path: 'runningMigrations', value: input.taken.inCluster },
    ],
    then: () => ({ action: 'Create' }),
  },
];

function limit(name: string, value: number) {
  return { object: 'KubeVirt', path: `spec.configuration.migrations.${name}`, value };
}
