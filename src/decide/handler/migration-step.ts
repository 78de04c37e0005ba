/**
 * What the virt-handlers of source and target do next about a migration, and what each of them waits for. evacuation-and-migration
 * §6 of the spec; kubevirt v1.9.0 pkg/virt-handler/migration-source.go and migration-target.go.
 */
import { LABEL } from '../../kubevirt/names.ts';
import type { MigrationState, Vmi } from '../../kubevirt/objects.ts';
import { isFinal } from '../../kubevirt/predicates.ts';
import { vmiField } from '../evidence.ts';
import type { Rule, Table } from '../rules.ts';

/** What virt-handler of one node sees of a VMI with a migration. */
export interface MigrationSight {
  readonly node: string;
  readonly vmi: Vmi;
  /** Whether the target's launcher answers; hardly any step asks. */
  readonly isTargetUp: () => boolean;
}

/** In the order of a migration that goes well; `Copy` and `Receive` are the two sides of the copy. */
export type MigrationStep =
  | 'None'
  | 'PrepareTarget'
  | 'Start'
  | 'NoteDomain'
  | 'Copy'
  | 'Receive'
  | 'HandOver'
  | 'Finalise'
  | 'Release'
  | 'Abort';

const SOURCE = 'kubevirt v1.9.0 pkg/virt-handler/migration-source.go';
const TARGET = 'kubevirt v1.9.0 pkg/virt-handler/migration-target.go';

function stateOf({ vmi }: MigrationSight): MigrationState {
  return vmi.status?.migrationState ?? {};
}

function isTarget(sight: MigrationSight): boolean {
  return stateOf(sight).targetNode === sight.node;
}

/** After the hand-over the source node is no longer the VMI's, so it does no more. */
function isSource(sight: MigrationSight): boolean {
  return stateOf(sight).sourceNode === sight.node && sight.vmi.status?.nodeName === sight.node;
}

type StepRule = Rule<MigrationSight, MigrationStep>;

interface StepRow extends Pick<StepRule, 'name' | 'asks' | 'source' | 'when'> {
  readonly does: MigrationStep;
  /** What it reads of `status.migrationState`. */
  readonly path: keyof MigrationState;
}

function step({ does, path, ...row }: StepRow): StepRule {
  const reads: StepRule['reads'] = (sight) => [
    vmiField(sight.vmi, `status.migrationState.${path}`, stateOf(sight)[path]),
  ];
  return { ...row, reads, then: () => does };
}

export const migrationStepTable: Table<MigrationSight, MigrationStep> = [
  step({
    name: 'NoMigration',
    asks: 'nothing was handed over to virt-handler, or the VMI is final',
    source: `${SOURCE}:146-185`,
    does: 'None',
    path: 'migrationUid',
    when: (sight) => stateOf(sight).migrationUid === undefined || isFinal(sight.vmi),
  }),
  step({
    name: 'TargetToRelease',
    asks: 'the migration is over, and its target node is still noted on the VMI',
    source: `${TARGET}:1216-1260`,
    does: 'Release',
    path: 'completed',
    when: (sight) =>
      stateOf(sight).completed === true &&
      isTarget(sight) &&
      sight.vmi.metadata.labels?.[LABEL.migrationTargetNodeName] === sight.node,
  }),
  step({
    name: 'Over',
    asks: 'the migration is over',
    source: `${SOURCE}:146-185`,
    does: 'None',
    path: 'completed',
    when: (sight) => stateOf(sight).completed === true,
  }),
  step({
    name: 'ToFinalise',
    asks: 'the VMI is on the target',
    source: `${TARGET}:1216-1260`,
    does: 'Finalise',
    path: 'endTimestamp',
    when: (sight) =>
      isTarget(sight) &&
      sight.vmi.status?.nodeName === sight.node &&
      stateOf(sight).endTimestamp !== undefined,
  }),
  step({
    name: 'DomainActiveOnTarget',
    asks: 'the domain is active on the target',
    source: `${TARGET}:289-318`,
    does: 'HandOver',
    path: 'targetNodeDomainReadyTimestamp',
    when: (sight) => isTarget(sight) && stateOf(sight).targetNodeDomainReadyTimestamp !== undefined,
  }),
  step({
    name: 'DomainDetected',
    asks: 'the copy is under way, and the target has seen its domain',
    source: `${TARGET}:289-318`,
    does: 'Receive',
    path: 'targetNodeDomainDetected',
    when: (sight) => isTarget(sight) && isStarted(sight) && stateOf(sight).targetNodeDomainDetected === true,
  }),
  step({
    name: 'DomainNotDetected',
    asks: 'the copy is under way, and the target has not seen its domain',
    source: `${TARGET}:289-318`,
    does: 'NoteDomain',
    path: 'targetNodeDomainDetected',
    when: (sight) => isTarget(sight) && isStarted(sight),
  }),
  step({
    name: 'TargetToPrepare',
    asks: 'the target does not listen yet, and its launcher answers',
    source: `${TARGET}:289-318`,
    does: 'PrepareTarget',
    path: 'targetNodeAddress',
    when: (sight) => isTarget(sight) && stateOf(sight).targetNodeAddress === undefined && sight.isTargetUp(),
  }),
  step({
    name: 'AbortAsked',
    asks: 'the copy is to be aborted, and the guest runs at the source only',
    source: `${SOURCE}:450-459`,
    does: 'Abort',
    path: 'abortRequested',
    when: (sight) =>
      isSource(sight) &&
      isStarted(sight) &&
      stateOf(sight).abortRequested === true &&
      stateOf(sight).mode !== 'PostCopy' &&
      stateOf(sight).targetNodeDomainReadyTimestamp === undefined,
  }),
  step({
    name: 'Copying',
    asks: 'the copy is under way',
    source: `${SOURCE}:450-459`,
    does: 'Copy',
    path: 'startTimestamp',
    when: (sight) => isSource(sight) && isStarted(sight),
  }),
  step({
    name: 'TargetListens',
    asks: 'the target listens',
    source: `${SOURCE}:450-459`,
    does: 'Start',
    path: 'targetNodeAddress',
    when: (sight) => isSource(sight) && stateOf(sight).targetNodeAddress !== undefined,
  }),
  step({
    name: 'OthersTurn',
    asks: 'it is for others to act',
    source: `${SOURCE}:146-185`,
    does: 'None',
    path: 'targetNode',
    when: () => true,
  }),
];

function isStarted(sight: MigrationSight): boolean {
  return stateOf(sight).startTimestamp !== undefined;
}
