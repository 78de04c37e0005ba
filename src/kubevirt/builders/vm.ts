import type { VirtualMachine, VmiSpec } from '../objects.ts';
import { Builder } from './builder.ts';

class VmBuilder extends Builder<VirtualMachine> {
  constructor(name: string, namespace: string) {
    super({
      kind: 'VirtualMachine',
      metadata: { name, namespace, uid: `uid-vm-${name}`, generation: 1 },
      spec: { runStrategy: 'Always', template: { spec: {} } },
      status: {},
    });
  }

  spec(change: NonNullable<VirtualMachine['spec']>): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  status(change: NonNullable<VirtualMachine['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }

  /** `spec.runStrategy`; without one, neither it nor `running` is set. */
  runStrategy(runStrategy?: string): this {
    return this.spec({ runStrategy });
  }

  /** The deprecated way: `spec.running` instead of a run strategy. */
  running(running: boolean): this {
    return this.spec({ runStrategy: undefined, running });
  }

  template(spec: VmiSpec): this {
    return this.spec({ template: { spec } });
  }

  /** Adds a request behind those that wait; the first is acted on. */
  requesting(action: string, uid?: string, data?: Record<string, string>): this {
    const waiting = this.object.status?.stateChangeRequests ?? [];
    return this.status({ stateChangeRequests: [...waiting, { action, uid, data }] });
  }

  condition(type: string, status = 'True', reason?: string, message?: string): this {
    const conditions = this.object.status?.conditions ?? [];
    return this.status({ conditions: [...conditions, { type, status, reason, message }] });
  }
}

/** A VM with run strategy Always and nothing in its status; its UID is `uid-vm-<name>`. */
export function aVm(name = 'db', namespace = 'shop'): VmBuilder {
  return new VmBuilder(name, namespace);
}
