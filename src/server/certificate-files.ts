import { readFile } from 'node:fs/promises';
import type { Log, Metrics } from '../controllers/ports.ts';
import type { Certificate } from '../kubernetes/certificates.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import { type CertificateSource, endOf, problemOf } from './certificate.ts';
import { ServerError } from './errors.ts';

export interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

export interface CertificateFilesOptions extends CertificateFiles {
  readonly log: Log;
  readonly metrics: Metrics;
  /** How often the files are looked at. */
  readonly everySeconds?: number | undefined;
}

const EVERY_SECONDS = 2;

/**
 * A certificate in two files, which may be written anew at any time, by cert-manager, say. They are read again and again
 * instead of watched: a mounted Secret is swapped by links, of which a watch on the file hears nothing.
 *
 * Promise: a pair that cannot be served, such as the new certificate with the old key for a moment, is told and passed
 * over. Rejects with a `ServerError` when the first pair cannot be served.
 */
export async function certificateFromFiles(options: CertificateFilesOptions): Promise<CertificateSource> {
  const first = await readPair(options);
  const problem = typeof first === 'string' ? first : problemOf(first);
  if (typeof first === 'string' || problem !== undefined)
    throw new ServerError('CertificateUnreadable', `${options.certificateFile}: ${problem}`);
  return new FileSource(first, options);
}

async function readPair({ certificateFile, keyFile }: CertificateFiles): Promise<Certificate | string> {
  try {
    const [certificate, key] = await Promise.all([
      readFile(certificateFile, 'utf8'),
      readFile(keyFile, 'utf8'),
    ]);
    return { certificate, key };
  } catch (error) {
    return messageOf(error);
  }
}

class FileSource implements CertificateSource {
  readonly #options: CertificateFilesOptions;
  readonly #listeners = new Set<(certificate: Certificate) => void>();
  readonly #timer: NodeJS.Timeout;
  #current: Certificate;
  #told: string | undefined;

  constructor(first: Certificate, options: CertificateFilesOptions) {
    this.#options = options;
    this.#current = first;
    this.#tellEnd();
    this.#timer = setInterval(() => void this.#look(), (options.everySeconds ?? EVERY_SECONDS) * 1000);
    this.#timer.unref();
  }

  current(): Certificate {
    return this.#current;
  }

  onChange(listener: (certificate: Certificate) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const pair = await readPair(this.#options);
    const problem = typeof pair === 'string' ? pair : problemOf(pair);
    if (typeof pair === 'string' || problem !== undefined) return this.#tellProblem(problem);
    this.#told = undefined;
    if (pair.certificate === this.#current.certificate && pair.key === this.#current.key) return;
    this.#current = pair;
    this.#tellEnd();
    this.#options.log.write('info', 'the certificate has changed');
    for (const listener of this.#listeners) listener(pair);
  }

  #tellEnd(): void {
    const end = endOf(this.#current.certificate);
    this.#options.metrics.gauge('drover_certificate_ends_at_seconds', end / 1000);
  }

  /** Once for each problem, since it is looked at again and again. */
  #tellProblem(problem: string | undefined): void {
    if (problem === this.#told) return;
    this.#told = problem;
    const { log, metrics, certificateFile } = this.#options;
    metrics.count('drover_certificate_problems_total');
    log.write('error', 'the new certificate cannot be served, the old one goes on', {
      file: certificateFile,
      problem,
    });
  }
}
