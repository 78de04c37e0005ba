import type { JsonObject } from '../../kubevirt/json.ts';
import { type ComparedKind, fieldsOf } from './fields.ts';
import { ownerOf, StableNames } from './names.ts';

/** From a second on, a field has this value; undefined: the field, or the object, is not there. */
export interface Step {
  readonly at: number;
  readonly value: string | undefined;
}

/** An event as it is compared. */
export interface Told {
  readonly at: number;
  readonly text: string;
}

/** What became of one object, field by field, and what was said about it. */
export interface ObjectCourse {
  readonly fields: Map<string, Step[]>;
  readonly events: Told[];
}

export interface SeenEvent {
  /** `Kind/name`. */
  readonly object: string;
  readonly reason: string;
  readonly message: string;
}

/**
 * Takes down what happens in a cluster, of a recording or of a simulation, so that the two can be compared: objects whose names
 * were made up go by their owner and number. Tell it everything in order.
 */
export class Course {
  /** By `Kind/name`, the name stable. */
  readonly objects = new Map<string, ObjectCourse>();
  readonly names = new StableNames();

  /** Gives the object its stable name. */
  meet(kind: ComparedKind, name: string, object: JsonObject): string {
    return this.names.add(kind, name, this.#ownerOf(kind, name, object));
  }

  change(at: number, kind: ComparedKind, name: string, object: JsonObject | undefined): void {
    const stable = object ? this.meet(kind, name, object) : this.names.of(name);
    const { fields } = this.#courseOf(`${kind}/${stable}`);
    const now = object ? fieldsOf(kind, object) : new Map<string, string>();
    for (const field of new Set([...fields.keys(), ...now.keys()])) {
      const raw = now.get(field);
      const value = raw === undefined ? undefined : this.names.in(raw);
      const steps = fields.get(field) ?? [];
      if (steps.at(-1)?.value === value) continue;
      steps.push({ at, value });
      fields.set(field, steps);
    }
  }

  event(at: number, { object, reason, message }: SeenEvent): void {
    const [kind = '', name = ''] = object.split('/');
    const { events } = this.#courseOf(`${kind}/${this.names.of(name)}`);
    const text = `${reason}: ${this.names.in(message)}`;
    if (events.at(-1)?.text !== text) events.push({ at, text });
  }

  #ownerOf(kind: string, name: string, object: JsonObject): string | undefined {
    const owner = ownerOf(kind, name, object);
    return owner === undefined ? undefined : this.names.of(owner);
  }

  #courseOf(key: string): ObjectCourse {
    const held = this.objects.get(key);
    if (held) return held;
    const made: ObjectCourse = { fields: new Map(), events: [] };
    this.objects.set(key, made);
    return made;
  }
}
