import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { ApiClient } from '../kubernetes/api-client.ts';
import { connect } from '../kubernetes/connect.ts';
import { type Lab, startLab } from './lab.ts';

export interface Kubeconfig {
  clusters: { name: string; cluster: Record<string, unknown> }[];
  users: { name: string; user: Record<string, unknown> }[];
  contexts: { name: string; context: Record<string, unknown> }[];
  'current-context': string;
}

/** A lab with an account `bot`, and clients that log in in many ways. Sets itself up; to be called within a `describeLab`. */
export function credentialsLab() {
  let lab: Lab;
  let folder: string;
  let token: string;
  const clients: ApiClient[] = [];

  beforeAll(async () => {
    lab = await startLab();
    folder = mkdtempSync(join(tmpdir(), 'drover-credentials-'));
    await lab.kubectl(['create', 'serviceaccount', 'bot']);
    token = (await lab.kubectl(['create', 'token', 'bot'])).stdout.trim();
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await lab?.stop();
    if (folder) rmSync(folder, { recursive: true });
  });

  return {
    get lab() {
      return lab;
    },
    get folder() {
      return folder;
    },
    get token() {
      return token;
    },

    /** Writes the administrator's kubeconfig with changes, and gives the file. */
    write(change: (config: Kubeconfig) => void, name = 'config'): string {
      const config = JSON.parse(readFileSync(lab.kubeconfig, 'utf8')) as Kubeconfig;
      change(config);
      const file = join(folder, name);
      writeFileSync(file, JSON.stringify(config));
      return file;
    },

    client(...options: Parameters<typeof connect>): ApiClient {
      const made = connect(...options);
      clients.push(made);
      return made;
    },
  };
}

/** Who the API server takes the client for. */
export async function whoami(api: ApiClient): Promise<Record<string, unknown>> {
  const answer = await api.call({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  });
  if (!answer.ok) return { problem: answer.message, code: answer.code, error: answer.error?.code };
  return (answer.object.status as { userInfo: Record<string, unknown> }).userInfo;
}

export const withUser = (user: Record<string, unknown>) => (config: Kubeconfig) => {
  config.users = [{ name: 'user', user }];
};
