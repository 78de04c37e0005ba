import { type Agent, request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Lab } from '../../lab/lab.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
  /** Of the certificate of the connection. */
  readonly serial: string;
}

export interface Posted {
  readonly path?: string;
  readonly method?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly agent?: Agent;
}

/** Sends bytes to the server itself, trusting the lab's authority; on a new connection unless an agent is given. */
export function post(lab: Lab, port: number, posted: Posted = {}): Promise<Answer> {
  const { path = '/pod-eviction-validate', method = 'POST', body = '', agent = false } = posted;
  const { contentType = 'application/json' } = posted;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent,
        ca: lab.authority,
        headers: { 'content-type': contentType },
      },
      async (response) => {
        const { serialNumber: serial } = (response.socket as TLSSocket).getPeerCertificate();
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), serial });
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** A review of the eviction of a pod, tried only. */
export const review = (name: string): string =>
  JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: `uid-${name}`,
      namespace: 'default',
      name,
      dryRun: true,
      object: { metadata: { name } },
    },
  });
