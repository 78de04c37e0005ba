import { CONDITION, ROLLOUT_STRATEGY } from '../../kubevirt/names.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { findCondition, isFinal } from '../../kubevirt/predicates.ts';
import { conditionField, vmField, vmiField } from '../evidence.ts';
import { narrowed } from '../narrowed.ts';
import { type Decision, decide, type Rule, type Table } from '../rules.ts';
import { cpuRules } from './cpu.ts';
import { type EditPath, isSameValue, specPathOf, valueAt } from './edit.ts';
import { memoryRules } from './memory.ts';
import { placementRules } from './placement.ts';
import {
  type LiveEditInput,
  type LiveEditResult,
  NOT_LIVE_UPDATABLE,
  noChange,
  type RunningEditInput,
  refused,
  restartRequired,
} from './result.ts';

const RESTART_SOURCE = 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go (syncRestartRequired)';

/** The rules of fields that reach a running VMI; a field without an entry never does. */
const LIVE_RULES: Partial<Record<EditPath, Table<RunningEditInput, LiveEditResult>>> = {
  'cpu.sockets': cpuRules,
  'memory.guest': memoryRules,
  nodeSelector: placementRules,
  affinity: placementRules,
  tolerations: placementRules,
};

function templateOf({ vm }: LiveEditInput) {
  return vm.spec?.template?.spec;
}

function editField(input: LiveEditInput) {
  const { vm, edit } = input;
  return vmField(
    vm,
    specPathOf(edit.path).replace('spec', 'spec.template.spec'),
    valueAt(templateOf(input), edit.path),
  );
}

function isRunningOn(vmi: Vmi | undefined): boolean {
  return vmi !== undefined && vmi.metadata.deletionTimestamp === undefined && !isFinal(vmi);
}

/**
 * A template without a CPU section gains one by the edit, which is more than a number of sockets; one that loses its
 * amount of memory has nothing left that could be compared.
 */
function isLiveUpdatable(input: LiveEditInput): boolean {
  const { path, value } = input.edit;
  if (path === 'cpu.sockets' && templateOf(input)?.domain?.cpu === undefined) return false;
  if (path === 'memory.guest' && value === undefined) return false;
  return LIVE_RULES[path] !== undefined;
}

const standingRules: readonly Rule<LiveEditInput, LiveEditResult>[] = [
  {
    name: 'SameValue',
    asks: 'the template says so already',
    source: RESTART_SOURCE,
    when: (input) =>
      isSameValue(input.edit.path, valueAt(templateOf(input), input.edit.path), input.edit.value),
    reads: (input) => [editField(input)],
    then: () => noChange('the template says so already'),
  },
  {
    name: 'InstancetypeSetsIt',
    asks: 'the VM takes CPU and memory from an instance type',
    source: 'kubevirt v1.9.0 VM admission: a field conflicts with the selected instance type',
    when: ({ vm, edit }) => vm.spec?.instancetype !== undefined && /^(cpu|memory)\./.test(edit.path),
    reads: ({ vm }) => [vmField(vm, 'spec.instancetype', vm.spec?.instancetype)],
    then: ({ edit }) => refused(`the API server refuses ${edit.path} on a VM that has an instance type`),
  },
  {
    name: 'NotRunning',
    asks: 'no VMI of the VM runs',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go:622',
    when: ({ vmi }) => !isRunningOn(vmi),
    reads: ({ vm, vmi }) =>
      vmi
        ? [vmiField(vmi, 'status.phase', vmi.status?.phase)]
        : [vmField(vm, 'status.created', vm.status?.created)],
    then: () => noChange('nothing runs; the edit counts at the next start'),
  },
  {
    name: 'StageRollout',
    asks: 'edits wait for a restart under rollout strategy Stage',
    source: RESTART_SOURCE,
    when: ({ rolloutStrategy }) => rolloutStrategy !== ROLLOUT_STRATEGY.liveUpdate,
    reads: ({ rolloutStrategy }) => [
      { object: 'KubeVirt', path: 'spec.configuration.vmRolloutStrategy', value: rolloutStrategy },
    ],
    then: () => restartRequired(NOT_LIVE_UPDATABLE),
  },
  {
    name: 'NotLiveUpdatable',
    asks: 'the field cannot change while the VMI runs',
    source: RESTART_SOURCE,
    when: (input) => !isLiveUpdatable(input),
    reads: (input) => [editField(input)],
    then: () => restartRequired(NOT_LIVE_UPDATABLE),
  },
  {
    name: 'RestartAlreadyRequired',
    asks: 'an earlier edit waits for a restart, and holds back those that could have gone in live',
    source: RESTART_SOURCE,
    when: ({ vm }) => findCondition(vm.status?.conditions, CONDITION.restartRequired) !== undefined,
    reads: ({ vm }) => [conditionField(vm, CONDITION.restartRequired, 'VirtualMachine')],
    then: ({ vm }) =>
      restartRequired(findCondition(vm.status?.conditions, CONDITION.restartRequired)?.message ?? ''),
  },
];

/** The rules for a path in order: those that stand for every edit, then those of the field, which have a VMI. */
export function liveEditTable(path: EditPath): Table<LiveEditInput, LiveEditResult> {
  return [...standingRules, ...(LIVE_RULES[path] ?? []).map((rule) => narrowed(rule, withVmi))];
}

function withVmi(input: LiveEditInput): RunningEditInput {
  if (!input.vmi) throw new Error('a rule about running VMIs was asked about a VM without one');
  return { ...input, vmi: input.vmi };
}

/**
 * What an edit of a VM's template does to the running VMI, before anything reacts to it (vm-lifecycle §6,
 * workload-update §9 of the spec).
 *
 * Promise: only one of the edits of `EDIT_PATHS`; the same edit made twice is `NoChange` the second time.
 */
export function decideLiveEdit(input: LiveEditInput): Decision<LiveEditResult> {
  return decide(liveEditTable(input.edit.path), input);
}
