import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';

/** A name that the API server made up ends so; UIDs look so. */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * Names for objects whose own were made up: the n-th of their kind of one owner, so that two runs can be compared. Objects
 * are to be named in the order of their creation.
 */
export class StableNames {
  readonly #stable = new Map<string, string>();
  readonly #madeUp = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Undefined owner: the name is the object's own for good. */
  add(kind: string, name: string, owner: string | undefined): string {
    const known = this.#stable.get(name);
    if (known !== undefined) return known;
    if (owner === undefined) return name;
    const group = `${kind} of ${owner}`;
    const count = (this.#counts.get(group) ?? 0) + 1;
    this.#counts.set(group, count);
    const stable = `${group} #${count}`;
    this.#stable.set(name, stable);
    this.#madeUp.set(stable, name);
    return stable;
  }

  of(name: string): string {
    return this.#stable.get(name) ?? name;
  }

  /** The made-up name behind a stable one; the name itself where there is none. */
  madeUpFor(stable: string): string {
    return this.#madeUp.get(stable) ?? stable;
  }

  /** A text with the made-up names and UIDs in it replaced. */
  in(text: string): string {
    const replaced = text.replace(UUID, '<uid>');
    return replaced.replace(/[a-z0-9]([-a-z0-9]*[a-z0-9])?/g, (word) => this.of(word));
  }
}

/** Whom an object with a made-up name belongs to: the VMI of a launcher or a migration, the pod of an attachment pod. */
export function ownerOf(kind: string, name: string, object: JsonObject): string | undefined {
  if (kind === 'VirtualMachineInstanceMigration') {
    const vmi = objectAt(object, 'spec').vmiName;
    return name.startsWith('kubevirt-') && typeof vmi === 'string' ? vmi : undefined;
  }
  if (kind !== 'Pod') return undefined;
  const annotated = objectAt(objectAt(object, 'metadata'), 'annotations')['kubevirt.io/domain'];
  const [owner] = objectsAt(objectAt(object, 'metadata'), 'ownerReferences');
  return typeof annotated === 'string' ? annotated : typeof owner?.name === 'string' ? owner.name : undefined;
}
