import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import {
  type Cluster,
  type Context,
  newClusters,
  newContexts,
  newUsers,
  type User,
} from '@kubernetes/client-node/dist/config_types.js';
import { whyUnread } from '../../kubevirt/thrown.ts';
import { KubernetesError } from '../errors.ts';
import { type ClusterExtras, readKubeconfig, type UserExtras } from './kubeconfig-shape.ts';

/** Which credentials to take; as kubectl's flags of the same names. */
export interface KubeconfigChoice {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Where a pod finds its account; kubelet's usual place where none is given. */
  readonly podSecrets?: string | undefined;
}

/** One cluster and one user of it, settled. Paths are resolved against the folder of the kubeconfig that names them. */
export interface Login {
  readonly cluster: Cluster;
  readonly user: User;
  readonly namespace: string;
  readonly clusterExtras: ClusterExtras;
  readonly userExtras: UserExtras;
}

interface Entry<Known, Extras> {
  readonly known: Known;
  readonly extras: Extras;
  readonly folder: string;
}

interface Merged {
  readonly clusters: Map<string, Entry<Cluster, ClusterExtras>>;
  readonly users: Map<string, Entry<User, UserExtras>>;
  readonly contexts: Map<string, Context>;
  currentContext: string | undefined;
}

const POD_SECRETS = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Finds cluster and user as kubectl does: `--kubeconfig`, else the files of `KUBECONFIG` (those that are not there are
 * passed over; of two entries with one name the first counts), else `~/.kube/config`, else the pod's own account.
 * Throws a `KubernetesError`.
 */
export function loadLogin(choice: KubeconfigChoice = {}): Login {
  const env = choice.env ?? process.env;
  const files = filesOf(choice, env);
  const secrets = choice.podSecrets ?? POD_SECRETS;
  if (files.length === 0 && choice.context === undefined && existsSync(join(secrets, 'token'))) {
    return podLogin(secrets, env);
  }
  if (files.length === 0) {
    throw new KubernetesError('NoKubeconfig', 'no file was named with -f, and there is no kubeconfig');
  }
  return settle(mergeFiles(files), choice.context);
}

function filesOf({ kubeconfig }: KubeconfigChoice, env: NodeJS.ProcessEnv): readonly string[] {
  if (kubeconfig !== undefined) return [kubeconfig];
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  const candidates = listed.length > 0 ? listed : [join(env.HOME || homedir(), '.kube', 'config')];
  return candidates.filter((file) => existsSync(file));
}

function mergeFiles(files: readonly string[]): Merged {
  const merged: Merged = {
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
    currentContext: undefined,
  };
  for (const file of files) {
    try {
      mergeFile(merged, file);
    } catch (error) {
      throw new KubernetesError('KubeconfigUnreadable', `kubeconfig ${file}: ${whyUnread(error)}`);
    }
  }
  return merged;
}

function mergeFile(merged: Merged, file: string): void {
  const raw = readKubeconfig(readFileSync(file, 'utf8'));
  const folder = dirname(file);
  merged.currentContext ||= raw['current-context'] ?? undefined;
  for (const known of newClusters(raw.clusters)) {
    const extras = raw.clusters?.find(({ name }) => name === known.name)?.cluster ?? {};
    addFirst(merged.clusters, known.name, { known, extras, folder });
  }
  for (const known of newUsers(raw.users)) {
    const extras = raw.users?.find(({ name }) => name === known.name)?.user ?? {};
    addFirst(merged.users, known.name, { known, extras, folder });
  }
  for (const context of newContexts(raw.contexts)) addFirst(merged.contexts, context.name, context);
}

function addFirst<T>(map: Map<string, T>, name: string, value: T): void {
  if (!map.has(name)) map.set(name, value);
}

function settle(merged: Merged, chosen: string | undefined): Login {
  const name = chosen ?? merged.currentContext;
  const context = name === undefined ? undefined : merged.contexts.get(name);
  if (!context) throw new KubernetesError('UnknownContext', `there is no context "${name ?? ''}"`);
  const cluster = merged.clusters.get(context.cluster);
  if (!cluster) throw new KubernetesError('UnknownContext', `context "${name}" names no known cluster`);
  const user = context.user === undefined ? NOBODY : merged.users.get(context.user);
  if (!user) throw new KubernetesError('UnknownContext', `context "${name}" names no known user`);
  return loginOf(cluster, user, context.namespace);
}

const NOBODY: Entry<User, UserExtras> = { known: { name: 'nobody' }, extras: {}, folder: '.' };

function loginOf(
  cluster: Entry<Cluster, ClusterExtras>,
  user: Entry<User, UserExtras>,
  namespace = 'default',
): Login {
  const { exec, tokenFile } = user.extras;
  const from = (file: string | undefined, folder: string): string | undefined =>
    file ? resolveFile(file, folder) : undefined;
  return {
    cluster: { ...cluster.known, ...definedOnly({ caFile: from(cluster.known.caFile, cluster.folder) }) },
    user: {
      ...user.known,
      ...definedOnly({
        certFile: from(user.known.certFile, user.folder),
        keyFile: from(user.known.keyFile, user.folder),
      }),
    },
    namespace,
    clusterExtras: cluster.extras,
    userExtras: {
      ...user.extras,
      tokenFile: from(tokenFile ?? undefined, user.folder),
      exec: exec && { ...exec, command: resolveCommand(exec.command, user.folder) },
    },
  };
}

function definedOnly<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

function resolveFile(file: string, folder: string): string {
  return isAbsolute(file) ? file : join(folder, file);
}

/** A bare name is looked up in PATH; anything with a separator is a path from the kubeconfig. */
function resolveCommand(command: string, folder: string): string {
  return command.includes('/') || command.includes(sep) ? resolveFile(command, folder) : command;
}

function podLogin(secrets: string, env: NodeJS.ProcessEnv): Login {
  const host = env.KUBERNETES_SERVICE_HOST ?? '';
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${env.KUBERNETES_SERVICE_PORT ?? '443'}`;
  return {
    cluster: { name: 'pod', server, caFile: join(secrets, 'ca.crt'), skipTLSVerify: false },
    user: { name: 'pod' },
    namespace: readFileSync(join(secrets, 'namespace'), 'utf8').trim(),
    clusterExtras: {},
    userExtras: { tokenFile: join(secrets, 'token') },
  };
}
