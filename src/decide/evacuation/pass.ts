/** One pass of the evacuation controller over a node. evacuation-and-migration §1 of the spec. */
import type { Migration, Node, Pod, Vmi } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { isMigrationRunning, isRefusedByQuota } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import type { EventDraft } from '../events.ts';
import { areExpectationsMet, type CreationExpectation } from '../expectations.ts';
import type { MigrationDraft } from '../migration/draft.ts';
import { type CapEntry, outboundFrom, priorityOf } from '../migration/queue.ts';
import { type Behavior, type Decision, decide, type Table } from '../rules.ts';
import type { Settings } from '../settings.ts';
import { type EvacuationStep, evacuationTable } from './candidate.ts';
import { cannotMigrateEvent } from './evacuation-migration.ts';

const EVA = 'kubevirt v1.9.0 pkg/virt-controller/watch/drain/evacuation/evacuation.go';

/** How long held-back VMIs wait before the node is looked at again. */
const HELD_BACK_RETRY_SECONDS = 5;

/** A VMI with what the decision about it looks at besides. */
export interface VmiOnNode {
  readonly vmi: Vmi;
  readonly pods: readonly Pod[];
  readonly unfinishedMigrations: readonly Migration[];
}

export interface PassInput {
  readonly nodeName: string;
  /** Undefined: no such node. */
  readonly node: Node | undefined;
  readonly vmis: readonly VmiOnNode[];
  /** Creations for this node that the controller has not seen yet. */
  readonly expectation: CreationExpectation | undefined;
  /** Unfinished migrations of the whole cluster; only looked at where evacuations are held back. */
  readonly unfinished: readonly CapEntry[];
  readonly settings: Pick<Settings, 'evictionStrategy' | 'migrations' | 'rules'>;
  readonly now: Instant;
  readonly behavior: Behavior;
  /** Whether a VMI may be migrated now; where not, it takes no place. All may where absent. */
  readonly mayMigrate?: ((vmi: Vmi) => boolean) | undefined;
  /** Asked in turn of those only that would get a migration in this pass: whether there is a target beside those before. All have one where absent. */
  readonly findsTarget?: ((vmi: Vmi) => boolean) | undefined;
}

export interface Creation {
  readonly vmi: Vmi;
  readonly migration: MigrationDraft;
}

export interface PassResult {
  /** Migrations to create, each with `creationEvent` afterwards; the first error queues the node again, rate-limited. */
  readonly creations: readonly Creation[];
  /** VMIs that will get theirs in a later pass. */
  readonly heldBack: readonly Creation[];
  readonly events: readonly EventDraft[];
  /** To be remembered for the node before the creations are sent; undefined: nothing is expected. */
  readonly expectation: CreationExpectation | undefined;
  readonly requeueAfterSeconds?: number;
  /** What was decided about each VMI, in the given order. */
  readonly decisions: readonly VmiDecision[];
}

export interface VmiDecision {
  readonly vmi: Vmi;
  readonly decision: Decision<EvacuationStep>;
}

const NOTHING = { creations: [], heldBack: [], events: [], decisions: [] } as const;

/** What a pass does, first match wins. */
export const evacuationPassTable: Table<PassInput, PassResult> = [
  {
    name: 'NodeUnknown',
    asks: 'the node does not exist (any more)',
    source: `${EVA}:296-310`,
    when: ({ node }) => node === undefined,
    reads: ({ nodeName }) => [{ object: `Node ${nodeName}`, path: 'metadata.name', value: undefined }],
    then: () => ({ ...NOTHING, expectation: undefined }),
  },
  {
    name: 'CreationsUnseen',
    asks: 'migrations created for this node have not been seen yet, nor given up on after five minutes',
    source: `${EVA}:310-318`,
    when: ({ expectation, now }) => !areExpectationsMet(expectation, now),
    reads: ({ nodeName, expectation }) => [
      { object: `Node ${nodeName}`, path: 'unseenCreations', value: expectation?.pending },
    ],
    then: ({ expectation }) => ({ ...NOTHING, expectation }),
  },
  {
    name: 'Evacuate',
    asks: 'the VMIs on the node are looked at',
    source: `${EVA}:358-400`,
    when: () => true,
    reads: ({ nodeName, vmis }) => [{ object: `Node ${nodeName}`, path: 'vmis', value: vmis.length }],
    then: evacuate,
  },
];

function evacuate(input: PassInput): PassResult {
  const decisions = decideEach(input);
  const mayMigrate = ({ vmi }: Creation) => input.mayMigrate?.(vmi) ?? true;
  const candidates = decisions.flatMap(creationOf).filter(mayMigrate).sort(byUrgency);
  const stuck = decisions.filter(({ decision }) => decision.result.action === 'CannotMigrate');
  const { creations, heldBack } = giveOut(candidates, freePlaces(input), input.findsTarget);
  const concerned = candidates.length + stuck.length > 0;
  return {
    creations,
    heldBack,
    events: input.behavior === 'intended' ? stuck.map(({ vmi }) => cannotMigrateEvent(vmi)) : [],
    expectation: concerned ? { pending: creations.length, setAt: input.now } : input.expectation,
    ...(heldBack.length > 0 && { requeueAfterSeconds: HELD_BACK_RETRY_SECONDS }),
    decisions,
  };
}

/** Who finds no target leaves the place to the next one. */
function giveOut(
  candidates: readonly Creation[],
  places: number,
  findsTarget: (vmi: Vmi) => boolean = () => true,
): Pick<PassResult, 'creations' | 'heldBack'> {
  const creations: Creation[] = [];
  const heldBack: Creation[] = [];
  for (const candidate of candidates) {
    if (creations.length >= places) heldBack.push(candidate);
    else if (findsTarget(candidate.vmi)) creations.push(candidate);
  }
  return { creations, heldBack };
}

function decideEach({ node, vmis, settings, now }: PassInput): VmiDecision[] {
  if (!node) return [];
  return vmis.map((on) => ({
    vmi: on.vmi,
    decision: decide(evacuationTable, { ...on, node, settings, now }),
  }));
}

function creationOf({ vmi, decision }: VmiDecision): Creation[] {
  const step = decision.result;
  return step.action === 'CreateMigration' ? [{ vmi, migration: step.migration }] : [];
}

/**
 * How many migrations may be created now. KubeVirt 1.9 sets no bound and leaves it to the caps on target pods, so a
 * drained node gets as many objects as it has VMIs at once (a defect in the spec's list). Before, running migrations
 * left the bound; as intended, waiting ones take a place too, but for those that a quota refuses and no place helps.
 */
function freePlaces({ nodeName, unfinished, settings, behavior }: PassInput): number {
  if (behavior === 'exact' && settings.rules.evacuatesAllAtOnce) return Number.POSITIVE_INFINITY;
  const counted =
    behavior === 'intended'
      ? unfinished.filter(({ migration }) => !isRefusedByQuota(migration))
      : unfinished.filter(({ migration }) => isMigrationRunning(migration));
  const { parallelMigrationsPerCluster, parallelOutboundMigrationsPerNode } = settings.migrations;
  const inCluster = parallelMigrationsPerCluster - counted.length;
  const fromNode = parallelOutboundMigrationsPerNode - outboundFrom(nodeName, counted);
  return Math.max(0, Math.min(inCluster, fromNode));
}

/** Urgent ones first, then by name: arbitrary, for determinism. */
function byUrgency(a: Creation, b: Creation): number {
  const urgency = priorityOf(b.migration) - priorityOf(a.migration);
  return urgency !== 0 ? urgency : byKey(a.vmi, b.vmi);
}
