import type { Cluster, Log } from '../../controllers/ports.ts';
import type { ApiResult } from '../../decide/api-result.ts';

interface Told {
  readonly verb: 'create' | 'patch' | 'modify' | 'delete' | 'evict';
  readonly kind: string;
  readonly key: string;
}

const DONE: Readonly<Record<Told['verb'], string>> = {
  create: 'created',
  patch: 'patched',
  modify: 'changed',
  delete: 'deleted',
  evict: 'evicted',
};

/**
 * A cluster whose writes are told to the log: what was done as info, a refusal as debug, since events, metrics and the journal
 * tell of those and there may be many; anything else that failed as a warning. On a dry run it says what would have been done.
 */
export function toldCluster(cluster: Cluster, log: Log, dryRun: boolean): Cluster {
  const tell = async (told: Told, sent: Promise<ApiResult>): Promise<ApiResult> => {
    const result = await sent;
    writeLine(log, told, result, dryRun);
    return result;
  };
  return {
    fleet: cluster.fleet,
    isSynced: () => cluster.isSynced(),
    subscribe: (listener) => cluster.subscribe(listener),
    recordEvent: (event, component) => cluster.recordEvent(event, component),
    create: (kind, namespace, object) =>
      tell({ verb: 'create', kind, key: namespace ?? '' }, cluster.create(kind, namespace, object)),
    patch: (kind, key, ...rest) => tell({ verb: 'patch', kind, key }, cluster.patch(kind, key, ...rest)),
    modify: (kind, key, ...rest) => tell({ verb: 'modify', kind, key }, cluster.modify(kind, key, ...rest)),
    delete: (kind, key, ...rest) => tell({ verb: 'delete', kind, key }, cluster.delete(kind, key, ...rest)),
    evict: (call) => {
      const key = `${call.namespace}/${call.pod}`;
      return tell({ verb: 'evict', kind: 'Pod', key }, cluster.evict(call));
    },
  };
}

function writeLine(log: Log, { verb, kind, key }: Told, result: ApiResult, dryRun: boolean): void {
  const asked = dryRun ? { dryRun } : {};
  if (result.ok) {
    const object = verb === 'create' ? `${key}/${result.name}` : key;
    log.write('info', dryRun ? `would have ${DONE[verb]}` : DONE[verb], { kind, object, ...asked });
    return;
  }
  const { code, message: problem } = result;
  const level = code !== undefined && code < 500 ? 'debug' : 'warn';
  log.write(level, `could not ${verb}`, { kind, object: key, code, problem, ...asked });
}
