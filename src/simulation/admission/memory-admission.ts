import type { Clock } from '../../controllers/ports.ts';
import type { ApiFailure } from '../../decide/api-result.ts';
import type { Behavior } from '../../decide/rules.ts';
import { Index } from '../../fleet/index-by.ts';
import { LABEL } from '../../kubevirt/names.ts';
import { namespacedKey } from '../../kubevirt/object-key.ts';
import type { KubeVirt } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { project } from '../../kubevirt/projection.ts';
import { KUBEVIRT_ACCOUNT, type Requester } from '../../kubevirt/requester.ts';
import type { ApiAdmission, MemoryApi } from '../memory-api.ts';
import type { StoredObject } from '../stored-object.ts';
import { type AdmissionLookup, admitCreation, type Refusal, refuseUpdate } from './admit-creation.ts';

const MIGRATION = 'VirtualMachineInstanceMigration';
const VIRT_CONTROLLER: Requester = { account: KUBEVIRT_ACCOUNT.controller };

/**
 * virt-api's admission in front of an API in memory: `new MemoryApi(clock, random, { admission: virtApiAdmission(clock, 'exact') })`.
 * Nobody has an account in memory, so everybody may do what virt-controller may: give migrations a priority, and write VMIs.
 */
export function virtApiAdmission(clock: Clock, behavior: Behavior): (api: MemoryApi) => ApiAdmission {
  return (api) => {
    const lookup = lookupIn(api, clock, behavior);
    return {
      create(kind, object) {
        const answer = admitCreation(kind, object, lookup);
        return answer.allowed ? { ok: true, object: answer.object as StoredObject } : failureOf(answer);
      },
      update(kind, before, after) {
        const refusal = refuseUpdate(kind, before, after, lookup);
        return refusal && failureOf(refusal);
      },
    };
  };
}

function failureOf({ webhook, code, reason, message }: Refusal): ApiFailure {
  const told = code === 500 ? message : `admission webhook "${webhook}" denied the request: ${message}`;
  return { ok: false, code, reason, message: `${code === 500 ? 'Internal error occurred: ' : ''}${told}` };
}

function lookupIn(api: MemoryApi, clock: Clock, behavior: Behavior): AdmissionLookup {
  const kubevirt = kubevirtIn(api);
  const labelled = migrationsByLabel(api);
  return {
    behavior,
    get now() {
      return clock.now();
    },
    requester: VIRT_CONTROLLER,
    kubevirt,
    vmi(namespace, name) {
      const stored = api.get('VirtualMachineInstance', `${namespace}/${name}`);
      return stored && project('VirtualMachineInstance', stored);
    },
    migrationsLabelled: (namespace, name) =>
      labelled.get(namespacedKey(namespace, name)).map((stored) => project(MIGRATION, stored)),
  };
}

/** The CR is read anew only where it has changed: it stands before every creation. */
function kubevirtIn(api: MemoryApi): () => KubeVirt | undefined {
  let stored: StoredObject | undefined;
  let read: KubeVirt | undefined;
  return () => {
    const [current] = api.list('KubeVirt');
    if (current !== stored) read = current && project('KubeVirt', current);
    stored = current;
    return read;
  };
}

/** Migrations by namespace and label: looking through all of them at each creation would take longer with each. */
function migrationsByLabel(api: MemoryApi): Index<StoredObject> {
  const byLabel = new Index<StoredObject>(({ metadata }) => {
    const labels = metadata.labels as Record<string, string> | undefined;
    return namespacedKey(metadata.namespace ?? '', labels?.[LABEL.vmiName] ?? '');
  });
  for (const stored of api.list(MIGRATION)) byLabel.add(stored, keyOf(stored));
  api.watch(({ kind, key, before, after }) => {
    if (kind !== MIGRATION) return;
    if (before && after) byLabel.replace(before, after, key);
    else if (before) byLabel.delete(before, key);
    else if (after) byLabel.add(after, key);
  });
  return byLabel;
}
