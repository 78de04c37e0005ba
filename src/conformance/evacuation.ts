import { type CreationResult, creationEvent } from '../decide/evacuation/evacuation-migration.ts';
import { type Creation, evacuationPassTable, type PassInput } from '../decide/evacuation/pass.ts';
import { type CreationExpectation, creationObserved } from '../decide/expectations.ts';
import { isMigrationOf, unfinishedMigrations } from '../decide/migration/inventory.ts';
import { resultOf } from '../decide/rules.ts';
import { migrationSchema, nodeSchema, podSchema, vmiSchema } from '../kubevirt/objects.ts';
import { compareText } from '../kubevirt/order.ts';
import { controllerOf } from '../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../kubevirt/time.ts';
import { ApiErrors } from './api-errors.ts';
import { type Difference, differences } from './compare.ts';
import { onlyFields, readList, readSettings } from './input.ts';
import { writeEvent } from './updater-output.ts';
import type { VectorDriver } from './vectors.ts';

const FIELDS = [
  'now',
  'key',
  'nodes',
  'vmis',
  'migrations',
  'pods',
  'pendingCreations',
  'clusterConfiguration',
  'apiErrors',
];

interface Call extends Creation {
  readonly key: string;
  readonly result: CreationResult;
}

/** Runs one pass over the node that the vector's key names; plays the caches and the API server. */
export const evacuationDriver: VectorDriver = {
  family: 'evacuation',
  run: ({ input, output }) => {
    onlyFields(input, FIELDS);
    const result = resultOf(evacuationPassTable, readPass(input));
    const errors = new ApiErrors(input.apiErrors);
    const calls = result.creations
      .map((creation) => answer(creation, errors))
      .sort((a, b) => compareText(a.key, b.key));
    const failed = calls.flatMap(({ result }) => ('error' in result ? [result.error] : []));
    const expectation = failed.reduce(creationObserved, result.expectation);
    const events = [...result.events, ...calls.map((call) => creationEvent(call.vmi, call.result))];
    return differencesOf(output, {
      apiErrorsHit: [...new Set(failed)].sort(compareText),
      error: failed[0] ?? null,
      events: events.map(writeEvent).sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b))),
      migrationsAttempted: calls.map(({ key }) => key),
      migrationsCreated: calls.flatMap((call) => ('created' in call.result ? [writtenMigration(call)] : [])),
      pendingCreationsAfter: expectation?.pending ?? null,
    });
  },
};

function readPass(input: Record<string, unknown>): PassInput {
  const now = parseInstant(String(input.now)) ?? Number.NaN;
  const nodeName = String(input.key);
  const pods = readList(podSchema, input.pods);
  const unfinished = unfinishedMigrations(readList(migrationSchema, input.migrations));
  return {
    nodeName,
    node: readList(nodeSchema, input.nodes).find((node) => node.metadata.name === nodeName),
    vmis: readList(vmiSchema, input.vmis)
      .filter((vmi) => vmi.status?.nodeName === nodeName)
      .map((vmi) => ({
        vmi,
        pods: pods.filter((pod) => controllerOf(pod.metadata)?.uid === vmi.metadata.uid),
        unfinishedMigrations: unfinished.filter((migration) => isMigrationOf(migration, vmi)),
      })),
    expectation: readExpectation(input.pendingCreations, now),
    unfinished: [],
    settings: readSettings(input.clusterConfiguration),
    now,
    behavior: 'exact',
  };
}

function readExpectation(raw: unknown, now: Instant): CreationExpectation | undefined {
  if (raw === undefined || raw === null) return undefined;
  const { count, ageSeconds } = raw as { count: number; ageSeconds: number };
  return { pending: count, setAt: now - ageSeconds * 1000 };
}

function answer(creation: Creation, errors: ApiErrors): Call {
  const { generateName, namespace, spec } = creation.migration;
  const key = `${namespace}/${spec.vmiName}`;
  const resource = 'virtualmachineinstancemigrations';
  const error = errors.textFor({ verb: 'create', resource, namespace, name: spec.vmiName });
  const result = error === undefined ? { created: `${generateName}${spec.vmiName}` } : { error };
  return { ...creation, key, result };
}

function writtenMigration({ migration }: Creation) {
  const { generateName, namespace, annotations, spec } = migration;
  const priority = spec.priority ?? '';
  return { annotations, generateName, labels: null, namespace, priority, spec, vmiName: spec.vmiName };
}

interface Outcome extends Record<string, unknown> {
  readonly apiErrorsHit: readonly string[];
  readonly error: string | null;
}

/** With several different failures, which one is reported first depends on chance. */
function differencesOf(real: Record<string, unknown>, ours: Outcome): Difference[] {
  const anyOf = ours.apiErrorsHit.includes(String(real.error)) ? real.error : ours.error;
  return differences(real, { ...ours, error: anyOf });
}
