import type { ObjectMeta } from '../objects.ts';

/** Shared by all builders: name, labels, annotations, creation and deletion. Timestamps are RFC 3339. */
export abstract class Builder<T extends { metadata: ObjectMeta }> {
  protected object: T;

  protected constructor(object: T) {
    this.object = object;
  }

  meta(change: Partial<ObjectMeta>): this {
    this.object = { ...this.object, metadata: { ...this.object.metadata, ...change } };
    return this;
  }

  labelled(key: string, value: string): this {
    return this.meta({ labels: { ...this.object.metadata.labels, [key]: value } });
  }

  annotated(key: string, value = ''): this {
    return this.meta({ annotations: { ...this.object.metadata.annotations, [key]: value } });
  }

  createdAt(timestamp: string): this {
    return this.meta({ creationTimestamp: timestamp });
  }

  deleting(timestamp = '2026-03-01T11:59:00Z'): this {
    return this.meta({ deletionTimestamp: timestamp });
  }

  build(): T {
    return structuredClone(this.object);
  }
}
