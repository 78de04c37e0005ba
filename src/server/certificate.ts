import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Certificate } from '../kubernetes/certificates.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import type { Instant } from '../kubevirt/time.ts';

/** Where a server has its certificate from. It may change at any time. */
export interface CertificateSource {
  current(): Certificate;
  /** Calls back with each new certificate until the returned function is called. */
  onChange(listener: (certificate: Certificate) => void): () => void;
  stop(): void;
}

/** What is wrong with a certificate and its key; undefined where they can be served. */
export function problemOf({ certificate, key }: Certificate): string | undefined {
  try {
    createSecureContext({ cert: certificate, key });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** When the first certificate of a chain ends. */
export function endOf(certificate: string): Instant {
  return Date.parse(new X509Certificate(certificate).validTo);
}

/** From when on a certificate, PEM, is valid. */
export function startOf(certificate: string): Instant {
  return Date.parse(new X509Certificate(certificate).validFrom);
}
