import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import type { Cluster, Context, User } from '@kubernetes/client-node/dist/config_types.js';
import { KubernetesError, messageOf } from '../errors.ts';
import { type ClusterExtras, type ExecConfig, readExtras, type UserExtras } from './kubeconfig-shape.ts';

/** Which credentials to take; as kubectl's flags of the same names. */
export interface KubeconfigChoice {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** One cluster and one user of it, settled. */
export interface Login {
  /** The official client's view: certificates, tokens and identity providers are its affair. */
  readonly config: KubeConfig;
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly clusterExtras: ClusterExtras;
  readonly userExtras: UserExtras;
  /** The credential plugin, its command resolved against the kubeconfig's folder. */
  readonly exec: ExecConfig | undefined;
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

const IN_CLUSTER_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * Finds cluster and user as kubectl does: `--kubeconfig`, else the files of `KUBECONFIG` (those that are not there are
 * passed over; of two entries with one name the first counts), else `~/.kube/config`, else the pod's own account.
 * Throws a `KubernetesError`.
 */
export function loadLogin(choice: KubeconfigChoice = {}): Login {
  const env = choice.env ?? process.env;
  const files = filesOf(choice, env);
  if (files.length === 0 && choice.context === undefined && existsSync(IN_CLUSTER_TOKEN)) return podLogin();
  if (files.length === 0) {
    throw new KubernetesError(
      'KubeconfigUnreadable',
      'there is no kubeconfig, and this is no pod of a cluster',
    );
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
      throw new KubernetesError('KubeconfigUnreadable', `kubeconfig ${file}: ${messageOf(error)}`);
    }
  }
  return merged;
}

function mergeFile(merged: Merged, file: string): void {
  const text = readFileSync(file, 'utf8');
  if (text.trim() === '') return;
  const extras = readExtras(text);
  const config = new KubeConfig();
  config.loadFromFile(file);
  const folder = dirname(file);
  merged.currentContext ||= extras['current-context'] ?? undefined;
  for (const known of config.clusters) {
    const extra = extras.clusters?.find(({ name }) => name === known.name)?.cluster ?? {};
    addFirst(merged.clusters, known.name, { known, extras: extra, folder });
  }
  for (const known of config.users) {
    const extra = extras.users?.find(({ name }) => name === known.name)?.user ?? {};
    addFirst(merged.users, known.name, { known, extras: extra, folder });
  }
  for (const context of config.contexts) addFirst(merged.contexts, context.name, context);
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
  const known = knownCluster(cluster.known);
  const config = new KubeConfig();
  config.loadFromClusterAndUser(known, knownUser(user));
  const { exec } = user.extras;
  return {
    config,
    cluster: known,
    namespace,
    clusterExtras: cluster.extras,
    userExtras: user.extras,
    exec: exec ? { ...exec, command: resolveCommand(exec.command, user.folder) } : undefined,
  };
}

/** Inline data wins over a file; an unencrypted server is allowed, which the client otherwise forbids. */
function knownCluster(cluster: Cluster): Cluster {
  const unencrypted = cluster.server.startsWith('http://');
  return {
    ...cluster,
    ...(cluster.caData ? { caFile: undefined } : {}),
    ...(unencrypted ? { skipTLSVerify: true } : {}),
  } as Cluster;
}

/** The plugin is run by Drover itself, since the client would run it anew for each request; a token's file is read again and again. */
function knownUser({ known, extras, folder }: Entry<User, UserExtras>): User {
  const { tokenFile } = extras;
  return {
    ...known,
    exec: undefined,
    ...(known.certData ? { certFile: undefined } : {}),
    ...(known.keyData ? { keyFile: undefined } : {}),
    ...(tokenFile ? { token: undefined, authProvider: fromFile(resolveFile(tokenFile, folder)) } : {}),
  } as User;
}

function fromFile(tokenFile: string): object {
  return { name: 'tokenFile', config: { tokenFile } };
}

function resolveFile(file: string, folder: string): string {
  return isAbsolute(file) ? file : join(folder, file);
}

/** A bare name is looked up in PATH; anything with a separator is a path from the kubeconfig. */
function resolveCommand(command: string, folder: string): string {
  return command.includes('/') || command.includes(sep) ? resolveFile(command, folder) : command;
}

function podLogin(): Login {
  const config = new KubeConfig();
  config.loadFromCluster();
  const [cluster] = config.clusters;
  if (!cluster) throw new KubernetesError('KubeconfigUnreadable', 'the pod has no cluster');
  const namespace = config.contexts[0]?.namespace?.trim() ?? 'default';
  return { config, cluster, namespace, clusterExtras: {}, userExtras: {}, exec: undefined };
}
