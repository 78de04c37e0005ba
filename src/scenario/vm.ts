import { withVmStatus } from '../decide/vm/vm-status.ts';
import { FINALIZER } from '../kubevirt/names.ts';
import type { VirtualMachine, Vmi } from '../kubevirt/objects.ts';
import { extended } from '../kubevirt/shapes.ts';
import type { RawObject } from './cluster.ts';
import type { ScenarioVm } from './schema.ts';
import { attachmentPod, launcherPod } from './vm-pods.ts';
import { guestSpec } from './vm-spec.ts';
import { isWaiting, UP_SINCE, vmi } from './vmi.ts';

/** What a VM of a scenario consists of: VM (unless standalone), VMI, launcher pod, attachment pod. A halted VM is only a VM. */
export function vmObjects(vm: ScenarioVm, namespace: string): RawObject[] {
  const runs = vm.phase === 'Stopped' ? undefined : vmi(vm, namespace);
  const owner = vm.standalone ? [] : [virtualMachine(vm, namespace, runs)];
  if (!runs) return owner;
  const launchers = vm.node || isWaiting(vm) ? [launcherPod(vm, runs)] : [];
  const attachments = vm.node && vm.hotplugged ? [attachmentPod(vm, namespace)] : [];
  return [...owner, runs, ...launchers, ...attachments];
}

/** As its controller has left it, which has nothing to write when a scenario begins. */
function virtualMachine(vm: ScenarioVm, namespace: string, runs: RawObject | undefined): RawObject {
  const bare = bareVirtualMachine(vm, namespace) as unknown as VirtualMachine;
  const news = { vmi: runs as unknown as Vmi | undefined, now: Date.parse(UP_SINCE), chance: 0 };
  return withVmStatus(bare, news) as unknown as RawObject;
}

function bareVirtualMachine(vm: ScenarioVm, namespace: string): RawObject {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: {
      ...{ name: vm.name, namespace, uid: `vm-${vm.name}`, labels: vm.labels },
      finalizers: [FINALIZER.vmController],
    },
    spec: {
      runStrategy: vm.runStrategy ?? 'Always',
      template: {
        metadata: { labels: vm.labels },
        spec: extended(guestSpec(vm), { evictionStrategy: vm.templateStrategy }),
      },
    },
    status: { runStrategy: vm.runStrategy ?? 'Always' },
  };
}
