import { ANNOTATION, LABEL } from '../names.ts';
import type { Migration } from '../objects.ts';
import { Builder } from './builder.ts';

class MigrationBuilder extends Builder<Migration> {
  constructor(name: string, vmiName: string, namespace: string) {
    super({
      kind: 'VirtualMachineInstanceMigration',
      metadata: { name, namespace, uid: `uid-${name}`, labels: { [LABEL.vmiName]: vmiName } },
      spec: { vmiName },
      status: {},
    });
  }

  spec(change: NonNullable<Migration['spec']>): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  status(change: NonNullable<Migration['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }

  phase(phase: string): this {
    return this.status({ phase });
  }

  /** Also notes when the phase was reached. */
  reached(phase: string, phaseTransitionTimestamp: string): this {
    const noted = this.object.status?.phaseTransitionTimestamps ?? [];
    return this.status({ phase, phaseTransitionTimestamps: [...noted, { phase, phaseTransitionTimestamp }] });
  }

  condition(type: string, status = 'True', reason?: string): this {
    const conditions = this.object.status?.conditions ?? [];
    return this.status({ conditions: [...conditions, { type, status, reason }] });
  }

  priority(priority: string): this {
    return this.spec({ priority });
  }

  evacuation(node = 'n1'): this {
    return this.annotated(ANNOTATION.evacuationMigration, node);
  }

  workloadUpdate(): this {
    return this.annotated(ANNOTATION.workloadUpdateMigration);
  }
}

/** A migration of the VMI that has not been looked at yet: no phase, no priority. */
export function aMigration(name = 'move-1', vmiName = 'db', namespace = 'shop'): MigrationBuilder {
  return new MigrationBuilder(name, vmiName, namespace);
}
