import { KUBEVIRT_DEPLOYED } from '../names.ts';
import type { KubeVirt } from '../objects.ts';
import { Builder } from './builder.ts';

class KubeVirtBuilder extends Builder<KubeVirt> {
  constructor(name: string, namespace: string) {
    const status = { phase: KUBEVIRT_DEPLOYED, observedDeploymentID: 'same', targetDeploymentID: 'same' };
    super({ kind: 'KubeVirt', metadata: { name, namespace }, spec: {}, status });
  }

  spec(change: NonNullable<KubeVirt['spec']>): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  status(change: NonNullable<KubeVirt['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }

  methods(...workloadUpdateMethods: string[]): this {
    const strategy = this.object.spec?.workloadUpdateStrategy;
    return this.spec({ workloadUpdateStrategy: { ...strategy, workloadUpdateMethods } });
  }

  batches(batchEvictionSize: number, batchEvictionInterval: string): this {
    const strategy = this.object.spec?.workloadUpdateStrategy;
    return this.spec({ workloadUpdateStrategy: { ...strategy, batchEvictionSize, batchEvictionInterval } });
  }
}

/** The KubeVirt CR of a cluster at rest: deployed, nothing set. */
export function aKubeVirt(name = 'kubevirt', namespace = 'kubevirt'): KubeVirtBuilder {
  return new KubeVirtBuilder(name, namespace);
}
