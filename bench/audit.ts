import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type JsonObject, objectAt } from '../src/kubevirt/json.ts';
import type { Lab } from '../src/lab/lab.ts';

/** A write that a lab's API server was asked for; dry runs are none. */
export interface AuditedWrite {
  readonly at: number;
  /** Its user agent, without a version. */
  readonly who: string;
  /** In the name of a virt-handler. */
  readonly asHandler: boolean;
  readonly verb: string;
  /** With its subresource. */
  readonly resource: string;
  readonly code: number;
}

/** How often somebody wrote something, and how often of these was refused. */
export interface WriteCount {
  readonly who: string;
  readonly verb: string;
  readonly resource: string;
  readonly count: number;
  readonly refused: number;
}

const WRITES: ReadonlySet<unknown> = new Set(['create', 'update', 'patch', 'delete']);

/** Oldest first. Line by line: an audit of many VMIs is longer than a text can be. */
export async function writesIn(lab: Lab): Promise<AuditedWrite[]> {
  const writes: AuditedWrite[] = [];
  for await (const line of createInterface({ input: createReadStream(join(lab.folder, 'audit.log')) })) {
    const entry = JSON.parse(line) as JsonObject;
    if (WRITES.has(entry.verb) && !String(entry.requestURI).includes('dryRun')) writes.push(writeOf(entry));
  }
  return writes;
}

function writeOf(entry: JsonObject): AuditedWrite {
  const { resource, subresource } = objectAt(entry, 'objectRef');
  return {
    at: Date.parse(String(entry.requestReceivedTimestamp)),
    who: String(entry.userAgent).replace(/[/ ].*/, ''),
    asHandler: entry.impersonatedUser !== undefined,
    verb: String(entry.verb),
    resource: subresource === undefined ? String(resource) : `${resource}/${subresource}`,
    code: Number(objectAt(entry, 'responseStatus').code ?? 0),
  };
}

export function isRefused({ code }: AuditedWrite): boolean {
  return code >= 400;
}

/** By whom and what; who writes most comes first. */
export function countsOf(writes: readonly AuditedWrite[]): WriteCount[] {
  const counts = new Map<string, { count: number; refused: number } & AuditedWrite>();
  for (const write of writes) {
    const key = [write.who, write.verb, write.resource].join(' ');
    const held = counts.get(key) ?? { ...write, count: 0, refused: 0 };
    held.count += 1;
    if (isRefused(write)) held.refused += 1;
    counts.set(key, held);
  }
  return [...counts.values()]
    .map(({ who, verb, resource, count, refused }) => ({ who, verb, resource, count, refused }))
    .sort((a, b) => a.who.localeCompare(b.who) || b.count - a.count);
}
