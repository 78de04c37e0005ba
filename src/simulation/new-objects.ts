import type { Clock, Random } from '../controllers/ports.ts';
import type { ApiFailure } from '../decide/api-result.ts';
import type { Kind } from '../fleet/fleet.ts';
import { type JsonObject, objectAt } from '../kubevirt/json.ts';
import { extended } from '../kubevirt/shapes.ts';
import { formatInstant } from '../kubevirt/time.ts';
import { badRequest, invalid } from './api-failures.ts';
import { keepsStatusAtCreation, type StoredObject } from './stored-object.ts';

/** Kubernetes makes names of these: no vowels, no letters and digits that look alike. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;

/** A name is a DNS subdomain. */
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** An object that can be stored. */
interface Made {
  readonly made: StoredObject;
}

/** Makes objects of what is sent to be created. */
export class NewObjects {
  readonly #clock: Clock;
  readonly #random: Random;
  #made = 0;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** With a name, a UID and a time; or why there is no such object. */
  make(kind: Kind, namespace: string | undefined, object: JsonObject): Made | ApiFailure {
    const { namespace: own } = objectAt(object, 'metadata');
    if (own !== undefined && own !== namespace) return badRequest(OTHER_NAMESPACE);
    const name = this.#nameFor(object);
    if (name === '')
      return invalid(kind, '', 'metadata.name: Required value: name or generateName is required');
    if (!NAME.test(name)) return invalid(kind, name, `metadata.name: Invalid value: "${name}"`);
    const { status, ...rest } = object;
    const bare =
      status !== undefined && keepsStatusAtCreation(kind) ? extended(rest, { status }) : fresh(kind, rest);
    const {
      uid: _,
      deletionTimestamp: __,
      deletionGracePeriodSeconds: ___,
      ...asked
    } = objectAt(bare, 'metadata');
    const metadata = extended(asked, { name, namespace, creationTimestamp: undefined });
    return { made: this.complete(kind, extended(bare, { metadata })) };
  }

  /** As it is, with what lacks of kind, UID and time. */
  complete(kind: Kind, object: JsonObject): StoredObject {
    const metadata = objectAt(object, 'metadata');
    const { uid, creationTimestamp, generation } = metadata;
    const own = {
      uid: uid ?? this.#makeUid(),
      creationTimestamp: creationTimestamp ?? formatInstant(this.#clock.now()),
      generation: generation ?? 1,
    };
    const made = withoutAbsent(extended(metadata, own));
    return extended(object, { kind, metadata: made as StoredObject['metadata'] });
  }

  #makeUid(): string {
    return `00000000-0000-4000-8000-${(++this.#made).toString(16).padStart(12, '0')}`;
  }

  #nameFor(object: JsonObject): string {
    const { name, generateName } = objectAt(object, 'metadata');
    if (name) return String(name);
    if (!generateName) return '';
    let made = String(generateName);
    for (let letter = 0; letter < SUFFIX_LENGTH; letter++) made += this.#letter();
    return made;
  }

  #letter(): string {
    return LETTERS[Math.floor(this.#random.next() * LETTERS.length)] ?? '';
  }
}

/** Of some kinds an object has a status from the beginning. */
function fresh(kind: Kind, object: JsonObject): JsonObject {
  const status = FIRST_STATUS[kind];
  return status ? extended(object, { status }) : object;
}

const FIRST_STATUS: Readonly<Partial<Record<Kind, JsonObject>>> = {
  Pod: { phase: 'Pending' },
  PodDisruptionBudget: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
};

const OTHER_NAMESPACE =
  'the namespace of the provided object does not match the namespace sent on the request';

/** The same object where nothing is absent. */
function withoutAbsent(object: JsonObject): JsonObject {
  if (Object.values(object).every((value) => value !== undefined)) return object;
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
