/** Fleets and the objects around VMs, for tests of rules. */

import { Fleet, type Kind, type KindMap } from '../../fleet/fleet.ts';
import { aPod } from '../../kubevirt/builders.ts';
import { isKnownKind, KNOWN_KINDS } from '../../kubevirt/kinds.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import type { LintOptions } from './context.ts';
import type { Finding, LintRule } from './finding.ts';
import { lint } from './lint.ts';

type FleetObject = KindMap[Kind];

/** A fleet in which every kind is known, whether or not there is an object of it. */
export function aFleet(...objects: readonly FleetObject[]): Fleet {
  const fleet = new Fleet();
  for (const kind of KNOWN_KINDS) fleet.noteKnown(kind);
  for (const object of objects) {
    const kind = object.kind ?? '';
    if (!isKnownKind(kind)) throw new Error(`no kind of a fleet: ${kind}`);
    fleet.apply(kind, object as never);
  }
  return fleet;
}

/** The VMI and the launcher pod that it runs in. */
export function launched(vmi: Vmi): [Vmi, Pod] {
  const pod = aPod(`virt-launcher-${vmi.metadata.name}`, vmi.metadata.namespace).launcherOf(vmi);
  return [
    vmi,
    pod
      .on(vmi.status?.nodeName ?? '')
      .spec({ containers: [{ name: 'compute' }] })
      .build(),
  ];
}

/** The VMI as the VM of its name controls it. */
export function controlled(vmi: Vmi): Vmi {
  const { name } = vmi.metadata;
  const owner = { kind: 'VirtualMachine', name, uid: `uid-vm-${name}`, controller: true };
  return { ...vmi, metadata: { ...vmi.metadata, ownerReferences: [owner] } };
}

/** An attachment pod (`hp-volume-*`) of a launcher pod. */
export function anAttachment(launcher: Pod, name = 'hp-volume-x'): Pod {
  const { namespace, name: owner, uid } = launcher.metadata;
  return {
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `uid-${name}`,
      labels: { 'kubevirt.io': 'hotplug-disk' },
      ownerReferences: [{ kind: 'Pod', name: owner, uid, controller: true }],
    },
    spec: { nodeName: launcher.spec?.nodeName },
    status: { phase: 'Running' },
  };
}

/** What one rule finds. */
export function findingsOf(rule: LintRule, fleet: Fleet, options: LintOptions = {}): readonly Finding[] {
  return lint(fleet, options, [rule]).status.findings;
}

/** The objects of each finding of one rule, in the order of the findings. */
export function objectsFound(rule: LintRule, fleet: Fleet, options: LintOptions = {}): string[][] {
  return findingsOf(rule, fleet, options).map((finding) => [...finding.objects]);
}
