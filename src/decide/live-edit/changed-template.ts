/** What changes of a VM's template mean to the VMI that runs. vm-lifecycle §6 of the spec; kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go (addRestartRequiredIfNeeded) */
import { isSameJson, type JsonObject, objectAt } from '../../kubevirt/json.ts';
import { CONDITION, ROLLOUT_STRATEGY } from '../../kubevirt/names.ts';
import type { VirtualMachine, Vmi, VmiSpec } from '../../kubevirt/objects.ts';
import { findCondition } from '../../kubevirt/predicates.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { resultOf } from '../rules.ts';
import { type EditPath, editedSpec, isSameValue, type LiveEdit, valueAt } from './edit.ts';
import { decideLiveEdit } from './live-edit.ts';
import { memoryRules } from './memory.ts';
import { type LiveEditResult, NOT_LIVE_UPDATABLE } from './result.ts';

const LIVE_PATHS: readonly EditPath[] = [
  'cpu.sockets',
  'memory.guest',
  'nodeSelector',
  'affinity',
  'tolerations',
];

/**
 * Whether a template differs from the one that the VMI was started with in something that a running VMI cannot take over; then in the
 * words of the condition RestartRequired. Under Stage any difference counts.
 */
export function restartRequiredBy(
  started: VmiSpec,
  current: VmiSpec,
  rolloutStrategy: string,
): string | undefined {
  const isLive = rolloutStrategy === ROLLOUT_STRATEGY.liveUpdate;
  const isSame = isLive
    ? isSameJson(fixed(started, current), fixed(current, current))
    : isSameJson(started, current);
  return isSame ? undefined : NOT_LIVE_UPDATABLE;
}

/** A spec without what may change while the VMI runs: the live fields are those of the other, plugged devices are left out. */
function fixed(spec: VmiSpec, other: VmiSpec): JsonObject {
  const hasBoth = spec.domain?.cpu !== undefined && other.domain?.cpu !== undefined;
  const paths = LIVE_PATHS.filter((path) => path !== 'cpu.sockets' || hasBoth);
  const taken = paths.reduce(
    (edited, path) => editedSpec(edited, { path, value: valueAt(other, path) }),
    spec,
  );
  const { volumes: _, networks: __, ...rest } = taken;
  const { disks: ___, interfaces: ____, ...devices } = objectAt({ ...taken.domain }, 'devices');
  return { ...rest, domain: { ...taken.domain, devices } };
}

export interface TemplateEdit {
  readonly edit: LiveEdit;
  readonly result: LiveEditResult;
}

/**
 * The live fields in which the template and the VMI differ, with what becomes of each.
 *
 * Promise: fields that the template does not name are left alone, but for placement, which is taken over as it is.
 */
export function templateEdits(
  vm: VirtualMachine,
  vmi: Vmi,
  rolloutStrategy: string,
  now: Instant,
): readonly TemplateEdit[] {
  const template = vm.spec?.template?.spec;
  const isFailed = (path: EditPath) => path === 'memory.guest' && hasMemoryFailed(vmi);
  const paths = LIVE_PATHS.filter((path) => isChanged(path, template, vmi.spec) || isFailed(path));
  return paths.map((path) => {
    const edit = { path, value: valueAt(template, path) };
    const before = editedSpec(template, { path, value: valueAt(vmi.spec, path) });
    const unedited = { ...vm, spec: { ...vm.spec, template: { ...vm.spec?.template, spec: before } } };
    const input = { vm: unedited, vmi, edit, rolloutStrategy, now };
    return {
      edit,
      result: isFailed(path) ? resultOf(memoryRules, input) : decideLiveEdit(input).result,
    };
  });
}

/** A hot-plug that failed asks for a restart although the VMI has the new amount in its spec. */
function hasMemoryFailed({ status }: Vmi): boolean {
  return findCondition(status?.conditions, CONDITION.hotMemoryChange)?.status === 'False';
}

function isChanged(path: EditPath, template: VmiSpec | undefined, running: VmiSpec | undefined): boolean {
  const wanted = valueAt(template, path);
  if (wanted === undefined && /^(cpu|memory)\./.test(path)) return false;
  return !isSameValue(path, wanted, valueAt(running, path));
}
