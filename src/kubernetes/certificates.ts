import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A certificate with its private key, both PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateRequest {
  /** The user name of a client. */
  readonly commonName: string;
  /** The groups of a client. */
  readonly organizations?: readonly string[] | undefined;
  /** Names and addresses of a server; a certificate without any is for clients. */
  readonly hosts?: readonly string[] | undefined;
}

/** Signs certificates that end when its own does. */
export interface Authority {
  readonly certificate: string;
  issue(request: CertificateRequest): Promise<Certificate>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const WEEK_SECONDS = 7 * 24 * 3600;

/**
 * Makes a certificate authority of one's own: a real chain, so that nothing need skip the check of certificates. It is good
 * for a week unless told otherwise, which is longer than any lab lives. Its key is nowhere but in the result.
 */
export async function createAuthority(commonName: string, lifeSeconds = WEEK_SECONDS): Promise<Authority> {
  const keys = await generateKeys();
  const validity = validityOf(lifeSeconds);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: nameOf({ commonName }),
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    certificate: root.toString('pem'),
    issue: (request) => issue(request, { root, signingKey: keys.privateKey, validity }),
  };
}

/** A pair of PEM keys, as service account tokens are signed with. */
export async function createKeyPair(): Promise<{ publicKey: string; privateKey: string }> {
  const { publicKey, privateKey } = await generateKeys();
  return {
    publicKey: x509.PemConverter.encode(await webcrypto.subtle.exportKey('spki', publicKey), 'PUBLIC KEY'),
    privateKey: await pemOf(privateKey),
  };
}

interface Signer {
  readonly root: x509.X509Certificate;
  readonly signingKey: webcrypto.CryptoKey;
  readonly validity: Validity;
}

async function issue(
  request: CertificateRequest,
  { root, signingKey, validity }: Signer,
): Promise<Certificate> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    subject: nameOf(request),
    issuer: root.subjectName,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.clientAuth,
        x509.ExtendedKeyUsage.serverAuth,
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(root),
      ...namesOf(request.hosts ?? []),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await pemOf(keys.privateKey) };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

function nameOf({ commonName, organizations = [] }: CertificateRequest): x509.JsonName {
  return [{ CN: [commonName] }, ...organizations.map((organization) => ({ O: [organization] }))];
}

interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** From an hour ago, since clocks differ. */
function validityOf(lifeSeconds: number): Validity {
  const now = Date.now();
  return { notBefore: new Date(now - 3_600_000), notAfter: new Date(now + lifeSeconds * 1000) };
}

function namesOf(hosts: readonly string[]): x509.Extension[] {
  if (hosts.length === 0) return [];
  const names = hosts.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value }) as const);
  return [new x509.SubjectAlternativeNameExtension(names)];
}
