import { CONDITION } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { effectiveStrategy, strategyEvidence } from '../eviction-strategy.ts';
import { conditionField, podField, vmiField } from '../evidence.ts';
import type { Behavior, Evidence } from '../rules.ts';
import type { Settings } from '../settings.ts';
import { foundIn, type Lookup } from './lookup.ts';
import type { EvictionReading, PatchOutcome } from './mark.ts';

export interface LauncherPodInput {
  /** A launcher pod that has not ended. */
  readonly pod: Pod;
}

/** What the launcher table looks at. */
export interface LauncherInput extends LauncherPodInput {
  /** The VMI that the pod's annotation `kubevirt.io/domain` names. */
  readonly vmi: Lookup<Vmi>;
  readonly settings: Pick<Settings, 'evictionStrategy' | 'rules' | 'version'>;
  readonly behavior: Behavior;
  /** The Eviction that was sent; absent means that it can be read. */
  readonly eviction?: EvictionReading | undefined;
  /** What came of marking the VMI; absent means that it works. */
  readonly patch?: PatchOutcome | undefined;
}

/** The strategy that counts; `undefined` without a VMI. */
export function strategyIn(input: LauncherInput): string | undefined {
  const vmi = foundIn(input.vmi);
  return vmi && effectiveStrategy(vmi, input.settings);
}

export function readsStrategy(input: LauncherInput): Evidence[] {
  const vmi = foundIn(input.vmi);
  return vmi ? strategyEvidence(vmi, input.settings) : [];
}

export function readsMigratable(input: LauncherInput): Evidence[] {
  const vmi = foundIn(input.vmi);
  if (!vmi) return [];
  const condition = conditionField(vmi, CONDITION.liveMigratable, 'VirtualMachineInstance');
  return [...readsStrategy(input), condition];
}

export function readsMark(input: LauncherInput): Evidence[] {
  const vmi = foundIn(input.vmi);
  if (!vmi) return [];
  const mark = vmi.status?.evacuationNodeName;
  return [...readsMigratable(input), vmiField(vmi, 'status.evacuationNodeName', mark)];
}

/** The nodes of the VMI and of the pod, behind everything else. */
export function readsNodes(input: LauncherInput): Evidence[] {
  const vmi = foundIn(input.vmi);
  if (!vmi) return [];
  return [
    ...readsMark(input),
    vmiField(vmi, 'status.nodeName', vmi.status?.nodeName),
    podField(input.pod, 'spec.nodeName', input.pod.spec?.nodeName),
  ];
}
