/** What must never happen, looked for in the audit log of the API server and nowhere else. */
import { type JsonObject, objectAt, objectsAt } from '../kubevirt/json.ts';
import type { Lab } from '../lab/lab.ts';

/** A write as the API server noted it: when it came, and what was asked and answered. */
interface Entry {
  readonly from: number;
  readonly user: string;
  readonly verb: string;
  /** With its subresource. */
  readonly resource: string;
  readonly key: string;
  readonly code: number;
  readonly body: JsonObject;
  readonly answer: JsonObject;
}

/** Something that was done about one VMI, `namespace/name`. */
export interface Deed {
  readonly at: number;
  readonly vmi: string;
  /** The object that it was done to, or that it made. */
  readonly key: string;
  readonly user: string;
}

/** What was done to VMIs, oldest first, and by whom. */
export interface Deeds {
  readonly migrations: readonly (Deed & { readonly endedAt: number })[];
  /** Accepted ones. */
  readonly evictions: readonly Deed[];
  readonly refusals: readonly Deed[];
}

const MIGRATIONS = 'virtualmachineinstancemigrations';

export function deedsIn(lab: Lab): Deeds {
  const entries = writesIn(lab);
  const vmiOfPod = ownersOfPods(entries);
  const ends = endsOfMigrations(entries);
  const deed = ({ from, key, user }: Entry, vmi: string): Deed => ({ at: from, vmi, key, user });
  const evictions = entries.filter(({ resource }) => resource === 'pods/eviction');
  const ofPods = (chosen: readonly Entry[]) =>
    chosen.flatMap((entry) => deed(entry, vmiOfPod.get(entry.key) ?? entry.key));
  const created = entries.filter(
    ({ resource, verb, code }) => resource === MIGRATIONS && verb === 'create' && code === 201,
  );
  return {
    migrations: created.map((entry) => ({
      ...deed(entry, `${entry.key.split('/')[0]}/${objectAt(entry.body, 'spec').vmiName}`),
      endedAt: ends.get(entry.key) ?? Number.POSITIVE_INFINITY,
    })),
    evictions: ofPods(evictions.filter(({ code }) => code === 201)),
    refusals: ofPods(evictions.filter(({ code }) => code === 429)),
  };
}

/** VMIs for which a migration was made while another was not over; more than one is listed more than once. */
export function overlappingMigrations({ migrations }: Deeds): string[] {
  return migrations.flatMap((one, i) =>
    migrations
      .slice(i + 1)
      .filter((other) => other.vmi === one.vmi && other.at < one.endedAt)
      .map((other) => `${one.vmi}: ${one.key} and ${other.key}`),
  );
}

/** VMIs that were evicted while a migration of theirs was not over. */
export function evictedWhileMigrated({ migrations, evictions }: Deeds): string[] {
  return evictions
    .filter(({ vmi, at }) =>
      migrations.some((move) => move.vmi === vmi && move.at <= at && at < move.endedAt),
    )
    .map(({ vmi }) => vmi);
}

/** The most evictions that were accepted within an interval. */
export function fullestBatch(evictions: readonly Deed[], intervalSeconds: number): number {
  const until = (at: number) => at + intervalSeconds * 1000;
  const counts = evictions.map(
    ({ at }) => evictions.filter((other) => other.at >= at && other.at < until(at)).length,
  );
  return Math.max(0, ...counts);
}

/** In how many batches evictions were accepted: between two of them more than the interval passes. */
export function batches(evictions: readonly Deed[], intervalSeconds: number): number {
  const times = evictions.map(({ at }) => at).sort((a, b) => a - b);
  return times.filter((at, i) => at - (times[i - 1] ?? Number.NEGATIVE_INFINITY) > intervalSeconds * 1000)
    .length;
}

/** When the status of the CR was changed, so that gates may have opened or closed. */
export function gateChanges(lab: Lab): readonly { readonly at: number; readonly status: JsonObject }[] {
  return writesIn(lab)
    .filter(({ resource, verb, code, body }) => {
      const said = objectAt(body, 'status');
      const isGate = 'observedDeploymentID' in said || 'targetDeploymentID' in said;
      return resource === 'kubevirts/status' && verb === 'patch' && code === 200 && isGate;
    })
    .map(({ from, body }) => ({ at: from, status: objectAt(body, 'status') }));
}

/** Dry runs are none. */
function writesIn(lab: Lab): Entry[] {
  return lab.audit().flatMap((entry) => {
    const { resource, subresource, namespace, name } = objectAt(entry, 'objectRef');
    const uri = String(entry.requestURI);
    if (resource === undefined || uri.includes('dryRun')) return [];
    const answer = objectAt(entry, 'responseObject');
    const made = objectAt(answer, 'metadata').name;
    return {
      from: Date.parse(String(entry.requestReceivedTimestamp)),
      user: String(objectAt(entry, 'user').username),
      verb: String(entry.verb),
      resource: subresource === undefined ? String(resource) : `${resource}/${subresource}`,
      key: `${namespace}/${name ?? made}`,
      code: Number(objectAt(entry, 'responseStatus').code ?? 0),
      body: objectAt(entry, 'requestObject'),
      answer,
    };
  });
}

function ownersOfPods(entries: readonly Entry[]): Map<string, string> {
  const made = entries.filter(
    ({ resource, verb, code }) => `${resource} ${verb} ${code}` === 'pods create 201',
  );
  return new Map(
    made.map(({ key, answer }) => {
      const [owner] = objectsAt(objectAt(answer, 'metadata'), 'ownerReferences');
      return [key, `${key.split('/')[0]}/${owner?.name}`];
    }),
  );
}

/** When each was first said to be over, or was gone. */
function endsOfMigrations(entries: readonly Entry[]): Map<string, number> {
  const ends = new Map<string, number>();
  for (const { resource, verb, code, from, key, body, answer } of entries) {
    if (code !== 200 || ends.has(key)) continue;
    const phase = String(objectAt(body, 'status').phase);
    const isFinal = resource === `${MIGRATIONS}/status` && /^(Succeeded|Failed)$/.test(phase);
    const isGone = resource === MIGRATIONS && verb === 'delete' && answer.kind === 'Status';
    if (isFinal || isGone) ends.set(key, from);
  }
  return ends;
}
