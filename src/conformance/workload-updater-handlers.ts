import { creationObserved } from '../decide/expectations.ts';
import { resultOf } from '../decide/rules.ts';
import {
  type InformerEffect,
  type InformerEvent,
  informerTable,
} from '../decide/workload-update/informer-events.ts';
import { kubeVirtSchema, migrationSchema, vmiSchema } from '../kubevirt/objects.ts';
import { keyOf } from '../kubevirt/predicates.ts';
import { parseInstant } from '../kubevirt/time.ts';
import { differences } from './compare.ts';
import { onlyFields, readList, withoutNulls } from './input.ts';
import type { VectorDriver } from './vectors.ts';

const FIELDS = ['now', 'handler', 'object', 'kubevirts', 'pendingCreationsOfKey'];

/** The key that a vector's `pendingCreationsOfKey` is about. */
const WATCHED_KEY = 'kubevirt/kubevirt';

/** One informer event: what is queued, and what becomes of the expectations. */
export const workloadUpdaterHandlersDriver: VectorDriver = {
  family: 'workload-updater-handlers',
  run: ({ input, output }) => {
    onlyFields(input, FIELDS);
    const now = parseInstant(String(input.now)) ?? Number.NaN;
    const event = readEvent(String(input.handler), input.object);
    const kubevirtKeys = readList(kubeVirtSchema, input.kubevirts).map(keyOf);
    const informed = { event, kubevirtKeys, now, behavior: 'exact' } as const;
    const effect = resultOf(informerTable, informed);
    const pending = input.pendingCreationsOfKey as number | null | undefined;
    const before = pending === undefined || pending === null ? undefined : { pending, setAt: now };
    const after = effect.observedFor === WATCHED_KEY ? creationObserved(before) : before;
    return differences(output, {
      addAfter: writtenQueue(effect),
      pendingCreationsOfKeyAfter: after?.pending ?? null,
    });
  },
};

const HANDLER = /^(add|update|delete)(KubeVirt|Vmi|Migration)(Tombstone)?$/;

function readEvent(handler: string, raw: unknown): InformerEvent {
  const [, change, kind, tombstone] = HANDLER.exec(handler) ?? [];
  const how = {
    change: change as InformerEvent['change'],
    finalStateUnknown: tombstone !== undefined,
  };
  const object = withoutNulls(raw);
  switch (kind) {
    case 'KubeVirt':
      return { ...how, kind: 'KubeVirt', object: kubeVirtSchema.parse(object) };
    case 'Vmi':
      return { ...how, kind: 'VirtualMachineInstance', object: vmiSchema.parse(object) };
    case 'Migration':
      return { ...how, kind: 'VirtualMachineInstanceMigration', object: migrationSchema.parse(object) };
    default:
      throw new Error(`the driver does not know the handler ${handler}`);
  }
}

function writtenQueue({ enqueue }: InformerEffect) {
  if (enqueue === undefined) return [];
  return [{ key: enqueue.key, nanoseconds: Math.round(enqueue.afterSeconds * 1e9) }];
}
