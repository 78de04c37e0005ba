import { CONDITION, LABEL } from '../names.ts';
import type { MigrationState, Vmi, VmiSpec } from '../objects.ts';
import { Builder } from './builder.ts';

class VmiBuilder extends Builder<Vmi> {
  constructor(name: string, namespace: string) {
    super({
      kind: 'VirtualMachineInstance',
      metadata: { name, namespace, uid: `uid-${name}` },
      spec: {},
      status: { phase: 'Running' },
    });
  }

  status(change: NonNullable<Vmi['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }

  spec(change: VmiSpec): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  on(nodeName: string): this {
    return this.labelled(LABEL.nodeName, nodeName).status({ nodeName });
  }

  phase(phase: string): this {
    return this.status({ phase });
  }

  strategy(evictionStrategy: string): this {
    return this.spec({ evictionStrategy });
  }

  /** Adds a condition behind those that are there. */
  condition(type: string, status: string, reason?: string, message?: string): this {
    const conditions = this.object.status?.conditions ?? [];
    return this.status({ conditions: [...conditions, { type, status, reason, message }] });
  }

  migratable(status = 'True', reason?: string, message?: string): this {
    return this.condition(CONDITION.liveMigratable, status, reason, message);
  }

  /** `status.evacuationNodeName`; without a name, the node that the VMI is on. */
  marked(node?: string): this {
    return this.status({ evacuationNodeName: node ?? this.object.status?.nodeName });
  }

  migrationState(state: MigrationState): this {
    return this.status({ migrationState: state });
  }

  outdated(): this {
    return this.labelled(LABEL.outdatedLauncherImage, '');
  }

  /** The image of the launcher that the VMI runs in. */
  launcher(launcherContainerImageVersion: string): this {
    return this.status({ launcherContainerImageVersion });
  }

  /** Controlled by an object of the kind that bears its own name, as a VMI is by its VM. */
  controlledBy(kind: string, uid?: string): this {
    const { name } = this.object.metadata;
    return this.meta({ ownerReferences: [{ kind, name, uid, controller: true }] });
  }
}

/** A running VMI without node, strategy or conditions, in namespace `shop`; its UID is `uid-<name>`. */
export function aVmi(name = 'db', namespace = 'shop'): VmiBuilder {
  return new VmiBuilder(name, namespace);
}
