/** Which changes of a VMI the API server accepts, and from whom. eviction-webhook §5 of the spec. */
import { isSameJson } from '../../kubevirt/json.ts';
import { FEATURE_GATE, LABEL } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { KUBEVIRT_ACCOUNT, type Requester } from '../../kubevirt/requester.ts';
import { vmiField } from '../evidence.ts';
import type { Admission } from '../migration/admission.ts';
import type { Evidence, Table } from '../rules.ts';
import { isGateOn, type Settings } from '../settings.ts';

const ADMITTER =
  'kubevirt v1.9.0 pkg/virt-api/webhooks/validating-webhook/admitters/vmi-update-admitter.go:60-164';
/** vmi-create-admitter.go:76-83 */
const RESERVED_LABELS = [
  LABEL.createdBy,
  LABEL.migrationJobUid,
  LABEL.nodeName,
  LABEL.migrationTargetNodeName,
  LABEL.schedulable,
  LABEL.installStrategy,
];

export interface VmiUpdateInput {
  readonly before: Vmi;
  readonly after: Vmi;
  readonly requester: Requester;
  readonly settings: Pick<Settings, 'featureGates' | 'disabledFeatureGates'>;
}

/** Is the change accepted? Only KubeVirt's own accounts change a VMI's spec, and virt-handler only what runs on its node. */
export const vmiUpdateTable: Table<VmiUpdateInput, Admission> = [
  {
    name: 'NodeUnknown',
    asks: 'virt-handler asks, is held to its node, and does not say which that is',
    source: ADMITTER,
    when: (input) => isHeldToNode(input) && !input.requester.nodeName,
    reads: nodeEvidence,
    then: () => invalid('Node restriction failed, virt-handler service account is missing node name'),
  },
  {
    name: 'NodeOfAnother',
    asks: 'virt-handler asks, and the VMI neither runs on its node nor moves there',
    source: ADMITTER,
    when: (input) => isHeldToNode(input) && !nodesOf(input.before).includes(input.requester.nodeName),
    reads: nodeEvidence,
    then: () => invalid('Node restriction, virt-handler is only allowed to modify VMIs it owns'),
  },
  {
    name: 'TargetOfHandler',
    asks: 'virt-handler names a target of a move that was not named before',
    source: ADMITTER,
    when: (input) => isHeldToNode(input) && namesAnotherTarget(input),
    reads: nodeEvidence,
    then: () => invalid('Node restriction, virt-handler is not allowed to set target node'),
  },
  {
    name: 'OfKubeVirt',
    asks: 'one of KubeVirt’s own accounts asks',
    source: ADMITTER,
    when: ({ requester }) => requester.account !== undefined,
    reads: () => [],
    then: () => ({ allowed: true }),
  },
  {
    name: 'SpecChanged',
    asks: 'the spec changes',
    source: ADMITTER,
    when: ({ before, after }) => !isSameJson(before.spec ?? {}, after.spec ?? {}),
    reads: ({ before, after }) => [
      vmiField(before, 'spec', before.spec),
      vmiField(after, 'spec', after.spec),
    ],
    then: () => notSupported('update of VMI object is restricted'),
  },
  {
    name: 'ReservedLabelChanged',
    asks: 'a label changes that KubeVirt keeps for itself',
    source: ADMITTER,
    when: ({ before, after }) =>
      RESERVED_LABELS.some((name) => labelOf(before, name) !== labelOf(after, name)),
    reads: ({ before, after }) =>
      [before, after].map((vmi) => vmiField(vmi, 'metadata.labels', vmi.metadata.labels)),
    then: () =>
      notSupported(
        'modification of the following reserved kubevirt.io/ labels on a VMI object is prohibited',
      ),
  },
  {
    name: 'Accepted',
    asks: 'neither the spec nor a reserved label changes',
    source: ADMITTER,
    when: () => true,
    reads: () => [],
    then: () => ({ allowed: true }),
  },
];

function isHeldToNode({ requester, settings }: VmiUpdateInput): boolean {
  return requester.account === KUBEVIRT_ACCOUNT.handler && isGateOn(settings, FEATURE_GATE.nodeRestriction);
}

function nodesOf(vmi: Vmi): readonly (string | undefined)[] {
  return [vmi.status?.nodeName, targetOf(vmi)];
}

function targetOf({ status }: Vmi): string | undefined {
  return status?.migrationState?.targetNode;
}

function namesAnotherTarget({ before, after }: VmiUpdateInput): boolean {
  return Boolean(targetOf(after)) && targetOf(after) !== targetOf(before);
}

function labelOf({ metadata }: Vmi, name: string): string | undefined {
  return metadata.labels?.[name];
}

function nodeEvidence({ before, after }: VmiUpdateInput): Evidence[] {
  return [
    vmiField(before, 'status.nodeName', before.status?.nodeName),
    vmiField(after, 'status.migrationState.targetNode', targetOf(after)),
  ];
}

function invalid(message: string): Admission {
  return refused('FieldValueInvalid', message);
}

function notSupported(message: string): Admission {
  return refused('FieldValueNotSupported', message);
}

function refused(reason: string, message: string): Admission {
  return { allowed: false, message, causes: [{ reason, message, field: '' }] };
}
