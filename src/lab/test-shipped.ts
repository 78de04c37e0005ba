import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { type JsonObject, objectAt, objectsAt } from '../kubevirt/json.ts';
import type { Lab } from './lab.ts';

const OVERLAYS = join(import.meta.dirname, '..', '..', 'deploy', 'kustomize', 'overlays');
export type Overlay = 'check' | 'controller' | 'controller-by-cr' | 'guard' | 'webhook';

/** The two overlays of the controller are of one. */
const accountOf = (overlay: Overlay): string => `drover-system/drover-${overlay.replace('-by-cr', '')}`;

/** The objects that are shipped for a part of Drover, as kubectl makes them of its overlay. */
async function shippedObjects(lab: Lab, overlay: Overlay): Promise<JsonObject[]> {
  const { code, stdout, stderr } = await lab.kubectl(['kustomize', join(OVERLAYS, overlay)]);
  if (code !== 0) throw new Error(stderr);
  return loadAll(stdout) as JsonObject[];
}

/** Puts the namespace, account and rights of a part into the lab, and nothing else; gives the account. */
export async function grantShipped(lab: Lab, overlay: Overlay): Promise<string> {
  const isRight = ({ kind }: JsonObject): boolean =>
    /^(Namespace|ServiceAccount|(Cluster)?Role(Binding)?|ValidatingAdmissionPolicy(Binding)?)$/.test(
      String(kind),
    );
  const items = (await shippedObjects(lab, overlay)).filter(isRight);
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { code, stderr } = await lab.kubectl(['apply', '--server-side', '-f', '-'], { stdin: list });
  if (code !== 0) throw new Error(stderr);
  return accountOf(overlay);
}

/** The words with which the shipped container of a part starts `drover`, as the kubelet fills them in. */
export async function shippedArgs(lab: Lab, overlay: Overlay): Promise<string[]> {
  const [deployment = {}] = (await shippedObjects(lab, overlay)).filter(({ kind }) => kind === 'Deployment');
  const pod = objectAt(objectAt(objectAt(deployment, 'spec'), 'template'), 'spec');
  const [container = {}] = objectsAt(pod, 'containers');
  return (container.args as string[]).map((word) => word.replace('$(POD_NAMESPACE)', 'drover-system'));
}

/** What the API server refused to an account for want of a right: `verb path`. Throws where it never asked for anything. */
export function deniedTo(lab: Lab, account: string): string[] {
  return askedBy(lab, account)
    .filter((entry) => objectAt(entry, 'responseStatus').code === 403)
    .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
}

/** Rights that are shipped for a part, and that it has not used: `verb resource`. */
export async function unusedRights(lab: Lab, overlay: Overlay): Promise<string[]> {
  const asked = askedBy(lab, accountOf(overlay)).map((entry) => {
    const { resource, subresource } = objectAt(entry, 'objectRef');
    return `${entry.verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
  });
  const granted = (await shippedObjects(lab, overlay))
    .flatMap((object) => objectsAt(object, 'rules'))
    .flatMap(({ verbs, resources }) =>
      (verbs as string[]).flatMap((verb) => (resources as string[]).map((resource) => `${verb} ${resource}`)),
    );
  return granted.filter((right) => !asked.includes(right)).sort();
}

function askedBy(lab: Lab, account: string): readonly JsonObject[] {
  const user = `system:serviceaccount:${account.replace('/', ':')}`;
  const asked = lab.audit().filter((entry) => objectAt(entry, 'user').username === user);
  if (asked.length === 0) throw new Error(`${account} never asked for anything`);
  return asked;
}
