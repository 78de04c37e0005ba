import type { Metrics } from '../controllers/ports.ts';
import { ApiClient } from './api-client.ts';
import { Credentials } from './credentials/credentials.ts';
import { type KubeconfigChoice, loadLogin } from './credentials/kubeconfig.ts';

export interface ConnectOptions extends KubeconfigChoice {
  /** Limit of one request; 30 s where none is given. A watch may go on for longer. */
  readonly requestTimeoutSeconds?: number | undefined;
  readonly userAgent?: string | undefined;
  readonly metrics?: Metrics | undefined;
}

/** A client with the credentials that kubectl would take. Sends nothing yet. Throws a `KubernetesError`. */
export function connect(options: ConnectOptions = {}): ApiClient {
  return new ApiClient({
    credentials: new Credentials(loadLogin(options), Date.now, options.env),
    userAgent: options.userAgent ?? 'drover',
    requestTimeoutSeconds: options.requestTimeoutSeconds ?? 30,
    metrics: options.metrics,
  });
}
