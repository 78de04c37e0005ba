import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Log, Metrics } from '../../controllers/ports.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';
import { type Certificate, createAuthority } from '../../kubernetes/certificates.ts';
import { messageOf } from '../../kubevirt/thrown.ts';
import { type CertificateSource, endOf, problemOf, startOf } from '../certificate.ts';
import { type ConfigurationName, injectAuthorities } from './ca-injection.ts';
import {
  CertificateSecret,
  type HeldCertificate,
  type SecretName,
  type SharedCertificate,
} from './certificate-secret.ts';

export interface BootstrapOptions {
  readonly api: ApiClient;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly secret: SecretName;
  /** Names and addresses under which the API server calls; one at least. */
  readonly hosts: readonly string[];
  readonly configurations: readonly ConfigurationName[];
  /** How long a certificate is good for; it is renewed when a third of that is left. */
  readonly lifeSeconds?: number | undefined;
  /** How often everything is looked at. */
  readonly everySeconds?: number | undefined;
}

const YEAR_SECONDS = 365 * 24 * 3600;
const EVERY_SECONDS = 10;

/**
 * A certificate that the replicas make themselves and share in a Secret, with its authority put into the webhook
 * configurations. The authority's key is thrown away at once: with each certificate comes an authority of its own, and the
 * one before stays trusted until the next.
 *
 * Promise: whoever writes the Secret first wins, the others take what is there. A certificate is served only after the
 * round that told the API server of its authority, except for the very first, since nothing else could be served. A
 * configuration that is made or overwritten later gets the authorities in the next round. Resolves with the first
 * certificate; what keeps it from that is logged and tried again until `signal` aborts, which rejects.
 */
export async function bootstrapCertificate(
  options: BootstrapOptions,
  signal: AbortSignal,
): Promise<CertificateSource> {
  const bootstrap = new Bootstrap(options);
  for (;;) {
    signal.throwIfAborted();
    const first = await bootstrap.round();
    if (first) return bootstrap.start(first);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

class Bootstrap {
  readonly #options: BootstrapOptions;
  readonly #secret: CertificateSecret;
  readonly #told = new Map<string, string>();
  /** What an earlier round told the API server to trust. */
  #trusted = '';
  #served: HeldCertificate | undefined;

  constructor(options: BootstrapOptions) {
    this.#options = options;
    this.#secret = new CertificateSecret(options.api, options.secret);
  }

  /** Goes on from the first certificate, a round after another. */
  start(first: HeldCertificate): CertificateSource {
    let served = this.#serve(first);
    const listeners = new Set<(certificate: Certificate) => void>();
    const go = async (): Promise<void> => {
      const trusted = this.#trusted;
      const held = await this.round();
      if (!held || held.certificate === served.certificate || held.bundle !== trusted) return;
      served = this.#serve(held);
      this.#options.log.write('info', 'the certificate has changed');
      for (const listener of listeners) listener(held);
    };
    const stop = every(this.#options.everySeconds ?? EVERY_SECONDS, async () => {
      await go().catch((error: unknown) => this.#tell('round', messageOf(error)));
    });
    return {
      current: () => served,
      onChange: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      stop,
    };
  }

  #serve(held: HeldCertificate): HeldCertificate {
    this.#served = held;
    return held;
  }

  /** Looks at everything once, and mends it. Gives the certificate in the Secret, if one could be had. */
  async round(): Promise<HeldCertificate | undefined> {
    const found = await this.#read();
    if (found === 'failed') return undefined;
    const reason = this.#renewalReason(found);
    if (reason === undefined) return found && (await this.#trust(found));
    if (!(await this.#renew(found, reason))) return undefined;
    const renewed = await this.#read();
    return renewed && renewed !== 'failed' ? this.#trust(renewed) : undefined;
  }

  async #read(): Promise<HeldCertificate | undefined | 'failed'> {
    const found = await this.#secret.read();
    const failure = found && 'ok' in found ? found : undefined;
    this.#tell('secret', failure?.message);
    return found && 'ok' in found ? 'failed' : found;
  }

  async #trust(held: HeldCertificate): Promise<HeldCertificate> {
    const { api, configurations, metrics } = this.#options;
    metrics.gauge('drover_certificate_ends_at_seconds', endOf(held.certificate) / 1000);
    const failures = await Promise.all(
      configurations.map((configuration) => injectAuthorities(api, configuration, held.bundle)),
    );
    for (const [i, { kind, name }] of configurations.entries())
      this.#tell(`${kind} ${name}`, failures[i]?.message);
    // One that is not there asks for nothing, and gets the authorities when it comes.
    if (failures.every((failure) => !failure || failure.code === 404)) this.#trusted = held.bundle;
    return held;
  }

  #renewalReason(held: HeldCertificate | undefined): string | undefined {
    if (!held) return 'there is none';
    if (problemOf(held) !== undefined || held.bundle === '') return 'it cannot be served';
    const certificate = new X509Certificate(held.certificate);
    const missing = this.#options.hosts.find((host) => !isFor(certificate, host));
    if (missing !== undefined) return `it is not for ${missing}`;
    const end = endOf(held.certificate);
    const leftMs = end - Date.now();
    return leftMs < (end - startOf(held.certificate)) / 3 ? 'it ends soon' : undefined;
  }

  /** Whether there is a new one now, be it another replica's. */
  async #renew(before: HeldCertificate | undefined, reason: string): Promise<boolean> {
    const written = await this.#secret.write(await this.#make(before), before);
    if (typeof written !== 'boolean') {
      this.#tell('secret', written.message);
      return false;
    }
    if (written) this.#options.log.write('info', 'a certificate was made', { reason });
    return true;
  }

  /** The authority of what is served now stays trusted, whatever became of the Secret. */
  async #make(before: HeldCertificate | undefined): Promise<SharedCertificate> {
    const { hosts, lifeSeconds = YEAR_SECONDS } = this.#options;
    const authority = await createAuthority('drover-webhook-ca', lifeSeconds);
    const { certificate, key } = await authority.issue({ commonName: hosts[0] ?? 'drover', hosts });
    const last = blocksOf(this.#served?.bundle ?? before?.bundle ?? '').slice(-1);
    return { bundle: [...last, authority.certificate.trim(), ''].join('\n'), certificate, key };
  }

  /** Once for each problem of a thing, since it is looked at again and again. */
  #tell(what: string, problem: string | undefined): void {
    if (this.#told.get(what) === problem) return;
    if (problem === undefined) this.#told.delete(what);
    else this.#told.set(what, problem);
    const { log } = this.#options;
    if (problem === undefined) log.write('info', 'the way to a certificate is free again', { what });
    else log.write('error', 'on the way to a certificate', { what, problem });
  }
}

/** Runs again and again, so many seconds after each end. The result stops it. */
function every(seconds: number, run: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout;
  let stopped = false;
  const wait = (): void => {
    if (stopped) return;
    timer = setTimeout(() => void run().finally(wait), seconds * 1000);
    timer.unref();
  };
  wait();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

function isFor(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) > 0 ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
}

function blocksOf(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
}
