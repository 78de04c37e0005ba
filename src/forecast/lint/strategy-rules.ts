import { counted } from '../../kubevirt/words.ts';
/** Traps between what a VM asks for and what its running VMI carries. */

import { effectiveStrategy, isKnownStrategy, strategyStampTable } from '../../decide/eviction-strategy.ts';
import { field, vmField, vmiField } from '../../decide/evidence.ts';
import { resultOf } from '../../decide/rules.ts';
import type { VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { restart, target } from './commands.ts';
import type { LintContext } from './context.ts';
import type { Found, LintRule } from './finding.ts';
import { found, grouped, verb } from './words.ts';

interface Stamped {
  readonly vmi: Vmi;
  readonly vm: VirtualMachine;
  /** What the running VMI is evicted by. */
  readonly now: string;
  /** What its successor will be stamped with. */
  readonly next: string;
}

export const strategyNotInEffect: LintRule = {
  code: 'DRV012',
  name: 'StrategyNotInEffect',
  severity: 'warning',
  title: 'running VMIs carry another eviction strategy than their VM would get today',
  explains:
    'The eviction strategy is stamped into a VMI when it is created and never changes in it. A new cluster value, or a new ' +
    'value in the template of a VM, counts from the next start of the VM on. Until then drains and roll-outs treat the VM ' +
    'by the old one: a change that was made to unblock drains does not, and one that was made to protect VMs does not either.',
  needs: ['VirtualMachineInstance', 'VirtualMachine', 'KubeVirt'],
  find: (cluster) => {
    const differing = cluster.runningVmis().flatMap((vmi) => stampOf(cluster, vmi) ?? []);
    return grouped(differing, ({ vm, now, next }) =>
      [ownStrategy(vm) === undefined, now, next].join('\n'),
    ).flatMap((group) => strategyFound(cluster, group));
  },
};

function stampOf({ fleet, settings }: LintContext, vmi: Vmi): Stamped | undefined {
  const vm = fleet.vmOf(vmi);
  if (!vm) return undefined;
  const now = effectiveStrategy(vmi, settings);
  const successor: Vmi = { metadata: vmi.metadata, spec: vm.spec?.template?.spec };
  const next = resultOf(strategyStampTable, { vmi: successor, settings });
  return now === next ? undefined : { vmi, vm, now, next };
}

function ownStrategy(vm: VirtualMachine): string | undefined {
  return vm.spec?.template?.spec?.evictionStrategy;
}

function strategyFound({ kubevirt }: LintContext, group: readonly Stamped[]): Found[] {
  return found(
    'VirtualMachineInstance',
    group,
    ({ vmi }) => vmi,
    ({ vmi, vm, now, next }, count) => ({
      cause: `${counted(count, 'VMI')} ${verb(count, 'was', 'were')} stamped with ${now}; ${originOf(vm, next, count)}. ${now} counts until ${verb(count, 'the VM has', 'each VM has')} been restarted.`,
      cure: isKnownStrategy(next)
        ? `Restart each VM once, at a time that suits it: ${restart(vmi)}`
        : 'Do not restart them yet: KubeVirt knows no such strategy, and they would not come back. Mend it first (DRV001).',
      evidence: [
        vmiField(vmi, 'spec.evictionStrategy', vmi.spec?.evictionStrategy),
        vmField(vm, 'spec.template.spec.evictionStrategy', ownStrategy(vm)),
        ...(kubevirt ? [clusterField(kubevirt)] : []),
      ],
    }),
  );
}

function originOf(vm: VirtualMachine, next: string, count: number): string {
  return ownStrategy(vm) === undefined
    ? `${verb(count, 'its VM names', 'their VMs name')} none, and the cluster's is ${next} by now`
    : `${verb(count, 'the template of its VM says', 'the templates of their VMs say')} ${next} by now`;
}

function clusterField(kubevirt: NonNullable<LintContext['kubevirt']>) {
  const value = kubevirt.spec?.configuration?.evictionStrategy;
  return field(kubevirt, 'spec.configuration.evictionStrategy', value, 'KubeVirt');
}

export const runningAndRunStrategy: LintRule = {
  code: 'DRV015',
  name: 'RunningAndRunStrategy',
  severity: 'error',
  title: 'a VM sets both spec.running and spec.runStrategy',
  explains:
    '`spec.running` is the old form of `spec.runStrategy`, and KubeVirt refuses a VM with both. A VM that has both all the ' +
    'same, after a restore for example, cannot be edited, started or stopped by anybody until one of the two is gone.',
  needs: ['VirtualMachine'],
  find: ({ virtualMachines }) => {
    const both = virtualMachines().filter(
      (vm) => vm.spec?.running !== undefined && vm.spec.runStrategy !== undefined,
    );
    return found(
      'VirtualMachine',
      both,
      (vm) => vm,
      (first, count) => ({
        cause: `${counted(count, 'VM')} ${verb(count, 'sets', 'set')} both, so every change of ${verb(count, 'it', 'them')} is refused with "Running and RunStrategy are mutually exclusive".`,
        cure: `Remove the old field: \`kubectl patch vm ${target(first)} --type json -p '[{"op":"remove","path":"/spec/running"}]'\``,
        evidence: [
          vmField(first, 'spec.running', first.spec?.running),
          vmField(first, 'spec.runStrategy', first.spec?.runStrategy),
        ],
      }),
    );
  },
};
