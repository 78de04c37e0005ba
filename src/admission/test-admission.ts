import type { Log, Metrics } from '../controllers/ports.ts';
import type { ApiResult } from '../decide/api-result.ts';
import type { Lookup } from '../decide/eviction/lookup.ts';
import type { Kind, KindMap } from '../fleet/fleet.ts';
import type { AdmissionCluster, AdmissionWebhook } from './ports.ts';

export interface FakeCluster extends AdmissionCluster {
  /** What was asked and sent, in order. */
  readonly calls: readonly string[];
}

/** A cluster that has these objects, by `Kind key`; an Error stands for a read that fails with its message. */
export function aCluster(
  objects: Readonly<Record<string, object | Error>>,
  patched: ApiResult = { ok: true, name: '' },
): FakeCluster {
  const calls: string[] = [];
  return {
    calls,
    get: async <K extends Kind>(kind: K, key: string): Promise<Lookup<KindMap[K]>> => {
      calls.push(`get ${kind} ${key}`);
      const held = objects[`${kind} ${key}`];
      if (held instanceof Error) return { error: held.message };
      return held ? { found: held as KindMap[K] } : { missing: true, message: `${key} not found` };
    },
    patch: async (kind, key, operations, options) => {
      calls.push(`patch ${kind} ${key} ${JSON.stringify(operations)}${options?.dryRun ? ' dry run' : ''}`);
      return patched;
    },
  };
}

/** Decides over one request. */
export function ask(
  webhook: AdmissionWebhook,
  request: { name?: string; namespace?: string; dryRun?: boolean; object?: unknown } = {},
): ReturnType<AdmissionWebhook['decide']> {
  const { name = 'virt-launcher-db-1', namespace = 'shop', dryRun, object = {} } = request;
  return webhook.decide({
    apiVersion: 'admission.k8s.io/v1',
    uid: 'u',
    request: { name, namespace, dryRun, object },
  });
}

/** Notes what is logged and counted. */
export function aRecord(): { log: Log; metrics: Metrics; lines: unknown[][] } {
  const lines: unknown[][] = [];
  return {
    lines,
    log: { write: (level, message, fields) => void lines.push([level, message, fields]) },
    metrics: {
      count: (name, labels) => void lines.push(['count', name, labels]),
      gauge: (name, value, labels) => void lines.push(['gauge', name, value, labels]),
      observe: (name, value, labels) => void lines.push(['observe', name, value, labels]),
    },
  };
}
