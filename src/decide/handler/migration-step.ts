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

function step(
  name: string,
  asks: string,
  source: string,
  result: MigrationStep,
  path: keyof MigrationState,
  when: (sight: MigrationSight) => boolean,
): Rule<MigrationSight, MigrationStep> {
  const reads: Rule<MigrationSight, MigrationStep>['reads'] = (sight) => [
    vmiField(sight.vmi, `status.migrationState.${path}`, stateOf(sight)[path]),
  ];
  return { name, asks, source, when, reads, then: () => result };
}

export const migrationStepTable: Table<MigrationSight, MigrationStep> = [
  step(
    'NoMigration',
    'nothing was handed over to virt-handler, or the VMI is final',
    `${SOURCE}:146-185`,
    'None',
    'migrationUid',
    (sight) => stateOf(sight).migrationUid === undefined || isFinal(sight.vmi),
  ),
  step(
    'TargetToRelease',
    'the migration is over, and its target node is still noted on the VMI',
    `${TARGET}:1216-1260`,
    'Release',
    'completed',
    (sight) =>
      stateOf(sight).completed === true &&
      isTarget(sight) &&
      sight.vmi.metadata.labels?.[LABEL.migrationTargetNodeName] === sight.node,
  ),
  step(
    'Over',
    'the migration is over',
    `${SOURCE}:146-185`,
    'None',
    'completed',
    (sight) => stateOf(sight).completed === true,
  ),
  step(
    'ToFinalise',
    'the VMI is on the target',
    `${TARGET}:1216-1260`,
    'Finalise',
    'endTimestamp',
    (sight) =>
      isTarget(sight) &&
      sight.vmi.status?.nodeName === sight.node &&
      stateOf(sight).endTimestamp !== undefined,
  ),
  step(
    'DomainActiveOnTarget',
    'the domain is active on the target',
    `${TARGET}:289-318`,
    'HandOver',
    'targetNodeDomainReadyTimestamp',
    (sight) => isTarget(sight) && stateOf(sight).targetNodeDomainReadyTimestamp !== undefined,
  ),
  step(
    'DomainDetected',
    'the copy is under way, and the target has seen its domain',
    `${TARGET}:289-318`,
    'Receive',
    'targetNodeDomainDetected',
    (sight) => isTarget(sight) && isStarted(sight) && stateOf(sight).targetNodeDomainDetected === true,
  ),
  step(
    'DomainNotDetected',
    'the copy is under way, and the target has not seen its domain',
    `${TARGET}:289-318`,
    'NoteDomain',
    'targetNodeDomainDetected',
    (sight) => isTarget(sight) && isStarted(sight),
  ),
  step(
    'TargetToPrepare',
    'the target does not listen yet, and its launcher answers',
    `${TARGET}:289-318`,
    'PrepareTarget',
    'targetNodeAddress',
    (sight) => isTarget(sight) && stateOf(sight).targetNodeAddress === undefined && sight.isTargetUp(),
  ),
  step(
    'AbortAsked',
    'the copy is to be aborted, and the guest runs at the source only',
    `${SOURCE}:450-459`,
    'Abort',
    'abortRequested',
    (sight) =>
      isSource(sight) &&
      isStarted(sight) &&
      stateOf(sight).abortRequested === true &&
      stateOf(sight).mode !== 'PostCopy' &&
      stateOf(sight).targetNodeDomainReadyTimestamp === undefined,
  ),
  step(
    'Copying',
    'the copy is under way',
    `${SOURCE}:450-459`,
    'Copy',
    'startTimestamp',
    (sight) => isSource(sight) && isStarted(sight),
  ),
  step(
    'TargetListens',
    'the target listens',
    `${SOURCE}:450-459`,
    'Start',
    'targetNodeAddress',
    (sight) => isSource(sight) && stateOf(sight).targetNodeAddress !== undefined,
  ),
  step('OthersTurn', 'it is for others to act', `${SOURCE}:146-185`, 'None', 'targetNode', () => true),
];

function isStarted(sight: MigrationSight): boolean {
  return stateOf(sight).startTimestamp !== undefined;
}
