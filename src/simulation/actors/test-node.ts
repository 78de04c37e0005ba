/** A node agent for tests of other actors: binds, starts and ends pods, boots guests, and ends them, as the recordings' stand-in did. */
import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { formatInstant } from '../../kubevirt/time.ts';
import type { MemoryApi, StoredChange } from '../memory-api.ts';
import type { StoredObject } from '../stored-object.ts';
import type { VirtualClock } from '../virtual-clock.ts';

const VMI = 'VirtualMachineInstance';

/** How a guest ends when it is asked to, after so many seconds. */
export interface GuestEnd {
  readonly phase: 'Succeeded' | 'Failed';
  readonly seconds: number;
}

export interface TestNode {
  /** The end of a VMI's guest; clean after 2 seconds where absent. */
  readonly endOf?: (vmi: string) => GuestEnd;
  /** Pods for which there is no place. */
  readonly hasPlace?: (pod: StoredObject) => boolean;
  /** Whether guests boot. */
  readonly boots?: boolean;
}

const CLEAN: GuestEnd = { phase: 'Succeeded', seconds: 2 };
const TRUE_CONDITIONS = ['LiveMigratable', 'StorageLiveMigratable'].map((type) => ({ type, status: 'True' }));

export function playTestNode(api: MemoryApi, clock: VirtualClock, node: TestNode = {}): void {
  const { endOf = () => CLEAN, hasPlace = () => true, boots = true } = node;

  function status(
    kind: 'Pod' | typeof VMI,
    object: StoredObject,
    change: (held: JsonObject) => JsonObject,
  ): void {
    const key = `${object.metadata.namespace}/${object.metadata.name}`;
    api.modify(
      kind,
      key,
      (held) =>
        held.metadata.uid === object.metadata.uid
          ? { ...held, status: change(objectAt(held, 'status')) }
          : undefined,
      kind === 'Pod' ? { subresource: 'status' } : {},
    );
  }

  const withConditions = (held: JsonObject, ...conditions: JsonObject[]): JsonObject => {
    const types = new Set(conditions.map(({ type }) => type));
    return {
      ...held,
      conditions: [...objectsAt(held, 'conditions').filter(({ type }) => !types.has(type)), ...conditions],
    };
  };

  function begin(pod: StoredObject): void {
    if (!hasPlace(pod)) {
      const unschedulable = {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: 'no node',
      };
      status('Pod', pod, (held) => withConditions({ ...held, phase: 'Pending' }, unschedulable));
      return;
    }
    const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
    api.modify('Pod', key, (held) => ({ ...held, spec: { ...objectAt(held, 'spec'), nodeName: 'n1' } }));
    clock.after(1, () =>
      status(
        'Pod',
        pod,
        (held) =>
          objectAt(held, 'none') &&
          withConditions({ ...held, phase: 'Running' }, { type: 'Ready', status: 'True' }),
      ),
    );
  }

  function enter(vmi: StoredObject, phase: string, ...conditions: JsonObject[]): void {
    status(VMI, vmi, (held) => {
      if (held.phase === 'Succeeded' || held.phase === 'Failed') return held;
      const entry = { phase, phaseTransitionTimestamp: formatInstant(clock.now()) };
      const phaseTransitionTimestamps = [...objectsAt(held, 'phaseTransitionTimestamps'), entry];
      return withConditions({ ...held, phase, phaseTransitionTimestamps }, ...conditions);
    });
  }

  function end(pod: StoredObject): void {
    const name = String(objectsAt(pod.metadata, 'ownerReferences')[0]?.name);
    const key = `${pod.metadata.namespace}/${name}`;
    const vmi = api.get(VMI, key);
    const gone = () =>
      api.delete('Pod', `${pod.metadata.namespace}/${pod.metadata.name}`, { graceSeconds: 0 });
    if (!vmi || objectAt(vmi, 'status').phase !== 'Running') {
      clock.after(0, gone);
      return;
    }
    const { phase, seconds } = endOf(name);
    clock.after(seconds, () => {
      enter(vmi, phase);
      clock.after(0.01, gone);
    });
  }

  api.watch(({ kind, before, after }: StoredChange) => {
    if (kind === 'Pod' && after && !before) clock.after(0.01, () => begin(after));
    const leaves =
      after?.metadata.deletionTimestamp !== undefined && before?.metadata.deletionTimestamp === undefined;
    if (kind === 'Pod' && after && leaves) end(after);
    const phaseOf = (object: StoredObject | undefined) =>
      object ? objectAt(object, 'status').phase : undefined;
    if (kind === VMI && after && boots && phaseOf(after) === 'Scheduled' && phaseOf(before) !== 'Scheduled') {
      clock.after(1, () => enter(after, 'Running', ...TRUE_CONDITIONS));
    }
  });
}

/** The values that fields of objects take, one after the other. */
export class Values {
  readonly #values = new Map<string, string[]>();

  constructor(api: MemoryApi, read: (object: JsonObject, kind: string) => Readonly<Record<string, unknown>>) {
    api.watch(({ kind, after }) => {
      if (after)
        for (const [field, value] of Object.entries(read(after, kind))) this.#add(`${kind} ${field}`, value);
    });
  }

  of(field: string): readonly string[] {
    return this.#values.get(field) ?? [];
  }

  #add(field: string, value: unknown): void {
    const told = value === undefined || value === '' ? '–' : String(value);
    const values = this.#values.get(field) ?? [];
    if (values.at(-1) !== told) this.#values.set(field, [...values, told]);
  }
}
