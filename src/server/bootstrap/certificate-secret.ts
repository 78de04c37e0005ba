import type { CallFailure } from '../../kubernetes/answer.ts';
import type { ApiClient } from '../../kubernetes/api-client.ts';
import { type JsonObject, objectAt } from '../../kubevirt/json.ts';

/** What the replicas share: a certificate with its key, and the authorities that clients are to trust. All PEM. */
export interface SharedCertificate {
  /** The authorities, oldest first: that of the certificate, and the one before it. */
  readonly bundle: string;
  readonly certificate: string;
  readonly key: string;
}

export interface HeldCertificate extends SharedCertificate {
  readonly resourceVersion: string;
}

export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** The keys that cert-manager and kubectl give to such Secrets. */
const KEY = { bundle: 'ca.crt', certificate: 'tls.crt', key: 'tls.key' } as const;

/** The Secret in which the replicas share a certificate. */
export class CertificateSecret {
  readonly #api: ApiClient;
  readonly #name: SecretName;

  constructor(api: ApiClient, name: SecretName) {
    this.#api = api;
    this.#name = name;
  }

  /** Undefined where there is none yet; an empty text for what is missing in it. */
  async read(): Promise<HeldCertificate | undefined | CallFailure> {
    const answer = await this.#api.call({ method: 'GET', path: this.#path(), verb: 'get' });
    if (!answer.ok) return answer.code === 404 ? undefined : answer;
    const { resourceVersion } = objectAt(answer.object, 'metadata');
    const content = objectAt(answer.object, 'data');
    return {
      bundle: fromBase64(content[KEY.bundle]),
      certificate: fromBase64(content[KEY.certificate]),
      key: fromBase64(content[KEY.key]),
      resourceVersion: String(resourceVersion),
    };
  }

  /**
   * Writes what replaces `before`, or the first. True if it is the one that counts now; false if another replica was
   * quicker, whose is there then.
   */
  async write(
    shared: SharedCertificate,
    before: HeldCertificate | undefined,
  ): Promise<boolean | CallFailure> {
    const body = this.#secret(shared, before?.resourceVersion);
    const { namespace } = this.#name;
    const answer = await this.#api.call(
      before
        ? { method: 'PUT', path: this.#path(), body, verb: 'update' }
        : { method: 'POST', path: `/api/v1/namespaces/${namespace}/secrets`, body, verb: 'create' },
    );
    if (answer.ok) return true;
    return answer.code === 409 ? false : answer;
  }

  #path(): string {
    const { namespace, name } = this.#name;
    return `/api/v1/namespaces/${namespace}/secrets/${name}`;
  }

  #secret(shared: SharedCertificate, resourceVersion: string | undefined): JsonObject {
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { ...this.#name, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
      data: {
        [KEY.bundle]: toBase64(shared.bundle),
        [KEY.certificate]: toBase64(shared.certificate),
        [KEY.key]: toBase64(shared.key),
      },
    };
  }
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function fromBase64(value: unknown): string {
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '';
}
