import { spawn } from 'node:child_process';
import { z } from 'zod';
import { messageOf } from '../../kubevirt/thrown.ts';
import type { Instant } from '../../kubevirt/time.ts';
import { KubernetesError } from '../errors.ts';
import type { ExecConfig } from './kubeconfig-shape.ts';

/** What a credential plugin gives. */
export interface PluginCredential {
  readonly token?: string | undefined;
  readonly clientCertificateData?: string | undefined;
  readonly clientKeyData?: string | undefined;
}

/** What a plugin is told of the cluster, when it asks for that. */
export interface PluginCluster {
  readonly server: string;
  readonly 'tls-server-name'?: string | undefined;
  readonly 'insecure-skip-tls-verify'?: boolean | undefined;
  readonly 'certificate-authority-data'?: string | undefined;
  readonly 'proxy-url'?: string | undefined;
  readonly config?: unknown;
}

const answerSchema = z.object({
  kind: z.literal('ExecCredential'),
  apiVersion: z.string(),
  status: z.object({
    token: z.string().nullish(),
    clientCertificateData: z.string().nullish(),
    clientKeyData: z.string().nullish(),
    expirationTimestamp: z.string().nullish(),
  }),
});
type Answer = z.infer<typeof answerSchema>['status'];

/**
 * A credential plugin (`users[].user.exec`), run as client-go runs it.
 *
 * Promise: an answer is used until its `expirationTimestamp`, one without until the API server refuses it. Requests that
 * ask while it runs wait for the same run. Failures are `KubernetesError`s and are not remembered.
 */
export class ExecPlugin {
  readonly #config: ExecConfig;
  readonly #cluster: PluginCluster;
  readonly #env: NodeJS.ProcessEnv;
  #answer: Answer | undefined;
  #running: Promise<Answer> | undefined;

  constructor(config: ExecConfig, cluster: PluginCluster, env: NodeJS.ProcessEnv = process.env) {
    this.#config = config;
    this.#cluster = cluster;
    this.#env = env;
  }

  async credential(now: Instant): Promise<PluginCredential> {
    const held = this.#answer;
    const answer = held && !isExpired(held, now) ? held : await this.#runOnce();
    return {
      token: answer.token ?? undefined,
      clientCertificateData: answer.clientCertificateData ?? undefined,
      clientKeyData: answer.clientKeyData ?? undefined,
    };
  }

  /** The API server refused what the plugin gave. */
  forget(): void {
    this.#answer = undefined;
  }

  #runOnce(): Promise<Answer> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<Answer> {
    try {
      this.#answer = readAnswer(await this.#output(), this.#config.apiVersion);
      return this.#answer;
    } catch (error) {
      const { command, installHint } = this.#config;
      const hint = installHint ? ` (${installHint.trim()})` : '';
      throw new KubernetesError('CredentialPluginFailed', `${command}: ${messageOf(error)}${hint}`);
    }
  }

  #output(): Promise<string> {
    const { command, args, interactiveMode } = this.#config;
    const interactive = interactiveMode !== 'Never' && Boolean(process.stdin.isTTY);
    const child = spawn(command, args ?? [], {
      env: this.#environment(interactive),
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    });
    return new Promise((resolve, reject) => {
      let said = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      child.once('error', reject);
      child.once('close', (code) => (code === 0 ? resolve(said) : reject(new Error(`ended with ${code}`))));
    });
  }

  #environment(interactive: boolean): NodeJS.ProcessEnv {
    const { apiVersion, env, provideClusterInfo } = this.#config;
    const spec = { interactive, ...(provideClusterInfo ? { cluster: this.#cluster } : {}) };
    const info = { kind: 'ExecCredential', apiVersion, spec };
    const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
    return { ...this.#env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  }
}

function readAnswer(text: string, apiVersion: string): Answer {
  const answer = answerSchema.parse(JSON.parse(text));
  if (answer.apiVersion !== apiVersion) {
    throw new Error(`answered in ${answer.apiVersion}, but the kubeconfig asks for ${apiVersion}`);
  }
  const { token, clientCertificateData, clientKeyData } = answer.status;
  if (!token && !(clientCertificateData && clientKeyData)) {
    throw new Error('gave neither a token nor a certificate with its key');
  }
  return answer.status;
}

function isExpired({ expirationTimestamp }: Answer, now: Instant): boolean {
  return Boolean(expirationTimestamp) && Date.parse(String(expirationTimestamp)) <= now;
}
