import type { PodDisruptionBudget } from '../objects.ts';
import { Builder } from './builder.ts';

class BudgetBuilder extends Builder<PodDisruptionBudget> {
  constructor(name: string, namespace: string) {
    super({ kind: 'PodDisruptionBudget', metadata: { name, namespace }, spec: {} });
  }

  spec(change: NonNullable<PodDisruptionBudget['spec']>): this {
    this.object.spec = { ...this.object.spec, ...change };
    return this;
  }

  /** `matchLabels` with one label. */
  selecting(key: string, value: string): this {
    return this.spec({ selector: { matchLabels: { [key]: value } } });
  }

  status(change: NonNullable<PodDisruptionBudget['status']>): this {
    this.object.status = { ...this.object.status, ...change };
    return this;
  }
}

/** A budget that selects nothing, asks for nothing and has no status. */
export function aBudget(name = 'pool', namespace = 'shop'): BudgetBuilder {
  return new BudgetBuilder(name, namespace);
}
