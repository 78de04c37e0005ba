import { LABEL } from '../names.ts';
import type { Node } from '../objects.ts';
import { Builder } from './builder.ts';

class NodeBuilder extends Builder<Node> {
  constructor(name: string) {
    super({ kind: 'Node', metadata: { name, labels: { [LABEL.hostname]: name } }, spec: {}, status: {} });
  }

  tainted(key: string, effect = 'NoSchedule', value?: string): this {
    const taints = this.object.spec?.taints ?? [];
    this.object.spec = { ...this.object.spec, taints: [...taints, { key, effect, value }] };
    return this;
  }

  cordoned(): this {
    this.object.spec = { ...this.object.spec, unschedulable: true };
    return this;
  }

  /** `status.allocatable`. */
  offering(allocatable: Record<string, string>): this {
    this.object.status = { ...this.object.status, allocatable };
    return this;
  }
}

/** A schedulable node. */
export function aNode(name = 'n1'): NodeBuilder {
  return new NodeBuilder(name);
}
