import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Authority,
  type Certificate,
  createAuthority,
  createKeyPair,
} from '../../kubernetes/certificates.ts';
import { messageOf } from '../../kubevirt/thrown.ts';
import { LabError } from '../errors.ts';
import { kubeconfigOf } from './kubeconfig.ts';
import { FOLDER_PREFIX, writeOwner } from './remains.ts';

/** The folder of one lab: its data, certificates, logs and kubeconfigs. Gone when the lab stops. */
export interface LabFiles {
  readonly folder: string;
  readonly authority: Authority;
  path(name: string): string;
  read(name: string): string;
  write(name: string, text: string): string;
  remove(): void;
}

/** Users of the parts themselves; the API server knows their roles from its own defaults. */
const PARTS = {
  admin: { user: 'admin', groups: ['system:masters'] },
  'kube-controller-manager': { user: 'system:kube-controller-manager', groups: ['system:masters'] },
  'kube-scheduler': { user: 'system:kube-scheduler', groups: [] },
} as const;

/** Who is asked for each write; reads are too many to keep, and so are the Leases of nodes. */
const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    {
      level: 'None',
      resources: [{ group: 'coordination.k8s.io' }],
      users: ['system:apiserver', PARTS.admin.user],
    },
    { level: 'RequestResponse', verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] },
    { level: 'Metadata' },
  ],
};

/** Lays the folder of a lab whose API server will listen on `port`. Throws `LabFolderUnwritable`, and leaves nothing, where it cannot. */
export async function layFiles(port: number): Promise<LabFiles> {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
    writeOwner(folder);
    return await filled(folder, port);
  } catch (error) {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    throw new LabError('LabFolderUnwritable', `${folder ?? tmpdir()}: ${messageOf(error)}`);
  }
}

async function filled(folder: string, port: number): Promise<LabFiles> {
  const authority = await createAuthority('drover-lab');
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): string => {
    writeFileSync(path(name), text, { mode: 0o600 });
    return path(name);
  };
  const files: LabFiles = {
    folder,
    authority,
    path,
    read: (name) => readFileSync(path(name), 'utf8'),
    write,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  await layCertificates(files);
  write('audit-policy.json', JSON.stringify(AUDIT_POLICY));
  for (const [name, { user, groups }] of Object.entries(PARTS)) {
    const client = await authority.issue({ commonName: user, organizations: groups });
    write(`${name}.kubeconfig`, kubeconfigOf(urlOf(port), authority.certificate, client));
  }
  return files;
}

async function layCertificates({ authority, write }: LabFiles): Promise<void> {
  write('ca.crt', authority.certificate);
  const server = await authority.issue({
    commonName: 'kube-apiserver',
    hosts: ['127.0.0.1', '::1', 'localhost', 'kubernetes.default.svc', '10.0.0.1'],
  });
  const put = (name: string, { certificate, key }: Certificate): void => {
    write(`${name}.crt`, certificate);
    write(`${name}.key`, key);
  };
  put('apiserver', server);
  put('front-proxy', await authority.issue({ commonName: 'front-proxy' }));
  const { publicKey, privateKey } = await createKeyPair();
  write('service-account.pub', publicKey);
  write('service-account.key', privateKey);
}

export function urlOf(port: number): string {
  return `https://127.0.0.1:${port}`;
}
