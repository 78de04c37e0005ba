import { type KubeVirt, kubeVirtSchema } from '../../../kubevirt/objects.ts';
import { parseDurationSeconds } from '../../../kubevirt/time.ts';
import { QuestionError } from '../../question-error.ts';
import type { ConfigQuestion, Setting } from '../../questions.ts';

type Kind = 'text' | 'list' | 'integer' | 'count' | 'duration' | 'flag';

/** Fields of the KubeVirt CR's spec that change what happens to VMs, by the last word of their path. */
const FIELDS: Readonly<Record<string, { readonly path: string; readonly kind: Kind }>> = {
  evictionStrategy: { path: 'configuration.evictionStrategy', kind: 'text' },
  vmRolloutStrategy: { path: 'configuration.vmRolloutStrategy', kind: 'text' },
  workloadUpdateMethods: { path: 'workloadUpdateStrategy.workloadUpdateMethods', kind: 'list' },
  batchEvictionSize: { path: 'workloadUpdateStrategy.batchEvictionSize', kind: 'integer' },
  batchEvictionInterval: { path: 'workloadUpdateStrategy.batchEvictionInterval', kind: 'duration' },
  parallelMigrationsPerCluster: {
    path: 'configuration.migrations.parallelMigrationsPerCluster',
    kind: 'count',
  },
  parallelOutboundMigrationsPerNode: {
    path: 'configuration.migrations.parallelOutboundMigrationsPerNode',
    kind: 'count',
  },
  completionTimeoutPerGiB: { path: 'configuration.migrations.completionTimeoutPerGiB', kind: 'integer' },
  progressTimeout: { path: 'configuration.migrations.progressTimeout', kind: 'integer' },
  allowPostCopy: { path: 'configuration.migrations.allowPostCopy', kind: 'flag' },
  allowWorkloadDisruption: { path: 'configuration.migrations.allowWorkloadDisruption', kind: 'flag' },
  nodeDrainTaintKey: { path: 'configuration.migrations.nodeDrainTaintKey', kind: 'text' },
};

/** Settings that say how fast something goes, by the last word of their path. */
export const PACE_SETTINGS: readonly string[] = [
  'parallelMigrationsPerCluster',
  'parallelOutboundMigrationsPerNode',
  'batchEvictionSize',
  'batchEvictionInterval',
  'completionTimeoutPerGiB',
  'progressTimeout',
];

/** Throws a `QuestionError` for an unknown field, or a value that it cannot have. */
export function requireSetting(setting: Setting): void {
  setAt({}, setting);
}

/**
 * The KubeVirt CR as the question changes it: single fields of its spec, or another CR's whole spec. The status stays.
 *
 * Promise: the given CR is not changed. A field may be named by its last word or by its path below `spec`; an empty value
 * removes it. An unknown field or a value of the wrong kind throws a `QuestionError`.
 */
export function changedKubevirt(kubevirt: KubeVirt, question: ConfigQuestion): KubeVirt {
  if ('kubevirt' in question) return { ...kubevirt, spec: question.kubevirt.spec };
  const changed = structuredClone(kubevirt) as KubeVirt & Record<string, unknown>;
  for (const setting of question.set) setAt(changed, setting);
  return kubeVirtSchema.parse(changed);
}

function setAt(kubevirt: Record<string, unknown>, { path, value }: Setting): void {
  const short =
    path
      .replace(/^spec\./, '')
      .split('.')
      .at(-1) ?? '';
  const field = Object.hasOwn(FIELDS, short) ? FIELDS[short] : undefined;
  const isNamed = field && (path === short || path.replace(/^spec\./, '') === field.path);
  if (!field || !isNamed) {
    const known = Object.keys(FIELDS).join(', ');
    throw new QuestionError('WrongSetting', `cannot judge a change of "${path}"`, `Known are ${known}.`);
  }
  const segments = ['spec', ...field.path.split('.')];
  const last = segments.pop() ?? '';
  const holder = segments.reduce<Record<string, unknown>>((object, key) => {
    object[key] ??= {};
    return object[key] as Record<string, unknown>;
  }, kubevirt);
  if (value === '') delete holder[last];
  else holder[last] = READ[field.kind](value, path);
}

const READ: Record<Kind, (value: string, path: string) => unknown> = {
  text: (value) => value,
  list: (value) =>
    value
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  integer: (value, path) => (/^-?\d+$/.test(value) ? Number(value) : wrong(path, value, 'a whole number')),
  count: (value, path) => (/^\d+$/.test(value) ? Number(value) : wrong(path, value, 'a whole number from 0')),
  flag: (value, path) =>
    /^(true|false)$/.test(value) ? value === 'true' : wrong(path, value, 'true or false'),
  duration: (value, path) =>
    (parseDurationSeconds(value) ?? -1) < 0 ? wrong(path, value, 'a duration such as 1m30s') : value,
};

function wrong(path: string, value: string, wanted: string): never {
  throw new QuestionError('WrongSetting', `"${value}" is no value for ${path}`, `Write ${wanted}.`);
}
