import type { RoundStep } from '../../../decide/schedule/round.ts';
import { Fleet } from '../../../fleet/fleet.ts';
import { KNOWN_KINDS } from '../../../kubevirt/kinds.ts';
import { LABEL } from '../../../kubevirt/names.ts';
import type { Vmi } from '../../../kubevirt/objects.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { withoutCordon } from '../../context.ts';

/** A copy of a fleet that a round is played on: nodes are cordoned and given back, VMs go from one to another. */
export class RoundStage {
  readonly fleet = new Fleet();

  /** The due nodes are taken to be open: the round gives every one of them back. */
  constructor(fleet: Fleet, due: readonly string[]) {
    for (const kind of KNOWN_KINDS) {
      if (fleet.isKnown(kind)) this.fleet.noteKnown(kind);
      for (const object of fleet.all(kind)) this.fleet.apply(kind, object);
    }
    for (const node of due) this.open(node);
  }

  close(name: string): void {
    const node = this.fleet.get('Node', name);
    if (node) this.fleet.apply('Node', { ...node, spec: { ...node.spec, unschedulable: true } });
  }

  open(name: string): void {
    const node = this.fleet.get('Node', name);
    if (node) this.fleet.apply('Node', withoutCordon(node));
  }

  /** Whoever went in this step is at its target, with all its pods and no migration any more. */
  carryOut({ moves }: Pick<RoundStep, 'moves'>): void {
    for (const { vm, to } of moves) {
      const vmi = this.fleet.get('VirtualMachineInstance', vm);
      if (vmi) this.#move(vmi, to);
    }
  }

  #move(vmi: Vmi, node: string): void {
    for (const migration of this.fleet.unfinishedMigrationsOf(vmi)) {
      this.fleet.remove('VirtualMachineInstanceMigration', keyOf(migration));
    }
    const launcher = this.fleet.launcherPodOf(vmi);
    for (const pod of launcher ? [launcher, ...this.fleet.hotplugPodsOf(launcher)] : []) {
      this.fleet.apply('Pod', { ...pod, spec: { ...pod.spec, nodeName: node } });
    }
    for (const pod of this.fleet.podsOf(vmi)) {
      if (launcher && keyOf(pod) !== keyOf(launcher)) this.fleet.remove('Pod', keyOf(pod));
    }
    const status = {
      ...vmi.status,
      nodeName: node,
      evacuationNodeName: undefined,
      migrationState: undefined,
    };
    const labels = { ...vmi.metadata.labels, [LABEL.nodeName]: node };
    this.fleet.apply('VirtualMachineInstance', { ...vmi, metadata: { ...vmi.metadata, labels }, status });
  }

  /** Whoever leaves for good is gone. */
  forget(vm: string): void {
    const vmi = this.fleet.get('VirtualMachineInstance', vm);
    if (!vmi) return;
    const launchers = this.fleet.podsOf(vmi);
    const pods = [...launchers, ...launchers.flatMap((pod) => this.fleet.hotplugPodsOf(pod))];
    for (const pod of pods) this.fleet.remove('Pod', keyOf(pod));
    this.fleet.remove('VirtualMachineInstance', vm);
  }
}
