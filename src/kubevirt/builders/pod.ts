import { ANNOTATION, APP, CONDITION, LABEL } from '../names.ts';
import type { Migration, Pod, Vmi } from '../objects.ts';
import { Builder } from './builder.ts';

class PodBuilder extends Builder<Pod> {
  constructor(name: string, namespace: string) {
    super({
      kind: 'Pod',
      metadata: { name, namespace, uid: `uid-${name}` },
      spec: {},
      status: { phase: 'Running' },
    });
  }

  spec(change: NonNullable<Pod['spec']>): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  status(change: NonNullable<Pod['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }

  on(nodeName: string): this {
    return this.spec({ nodeName });
  }

  phase(phase: string): this {
    return this.status({ phase });
  }

  condition(type: string, status: string, reason?: string): this {
    const conditions = this.object.status?.conditions ?? [];
    return this.status({ conditions: [...conditions, { type, status, reason }] });
  }

  ready(): this {
    return this.condition(CONDITION.ready, 'True');
  }

  /** Adds a container `c<n>` that asks for this much. */
  asking(requests: Record<string, string>, limits?: Record<string, string>): this {
    const containers = this.object.spec?.containers ?? [];
    const name = `c${containers.length}`;
    return this.spec({ containers: [...containers, { name, resources: { requests, limits } }] });
  }

  /** Its only owner, as controller. */
  ownedBy(kind: string, name: string, uid = `uid-${name}`): this {
    return this.meta({ ownerReferences: [{ kind, name, uid, controller: true }] });
  }

  /** A launcher that the VMI controls. */
  launcherOf(vmi: Vmi): this {
    return this.labelled(LABEL.app, APP.launcher)
      .labelled(LABEL.createdBy, vmi.metadata.uid ?? '')
      .annotated(ANNOTATION.domain, vmi.metadata.name)
      .meta({
        ownerReferences: [
          {
            kind: 'VirtualMachineInstance',
            name: vmi.metadata.name,
            uid: vmi.metadata.uid,
            controller: true,
          },
        ],
      });
  }

  /** The target pod of a migration of the VMI. */
  targetOf(vmi: Vmi, migration: Migration): this {
    return this.launcherOf(vmi)
      .labelled(LABEL.migrationJobUid, migration.metadata.uid ?? '')
      .annotated(ANNOTATION.migrationJobName, migration.metadata.name);
  }
}

/** A running pod without owner, node or conditions. */
export function aPod(name = 'virt-launcher-db-1', namespace = 'shop'): PodBuilder {
  return new PodBuilder(name, namespace);
}
