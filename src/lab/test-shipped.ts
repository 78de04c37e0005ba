import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { type JsonObject, objectAt, objectsAt } from '../kubevirt/json.ts';
import { runHelm } from './helm.ts';
import type { Lab } from './lab.ts';

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');
const NAMESPACE = 'drover-system';
export type Overlay = 'check' | 'controller' | 'controller-by-cr' | 'guard' | 'webhook';
/** A part of Drover as it is shipped: by an overlay of kustomize, or by values of the chart that enable one part alone. */
export type Part = Overlay | readonly string[];

/** The objects that are shipped for a part, as kubectl makes them of its overlay, or helm of the chart. */
async function shippedObjects(lab: Lab, part: Part): Promise<JsonObject[]> {
  const chart = ['template', 'drover', join(DEPLOY, 'helm', 'drover'), '-n', NAMESPACE];
  const { code, stdout, stderr } =
    typeof part === 'string'
      ? await lab.kubectl(['kustomize', join(DEPLOY, 'kustomize', 'overlays', part)])
      : await runHelm([...chart, ...part.map((value) => `--set=${value}`)]);
  if (code !== 0) throw new Error(stderr);
  return (loadAll(stdout) as (JsonObject | null)[]).filter((object) => object !== null);
}

/** Puts the namespace, account and rights of a part into the lab, and nothing else; gives the account. */
export async function grantShipped(lab: Lab, part: Part): Promise<string> {
  const isRight = ({ kind }: JsonObject): boolean =>
    /^(Namespace|ServiceAccount|(Cluster)?Role(Binding)?|ValidatingAdmissionPolicy(Binding)?)$/.test(
      String(kind),
    );
  const items = (await shippedObjects(lab, part)).filter(isRight);
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { code, stderr } = await lab.kubectl(['apply', '--server-side', '-f', '-'], { stdin: list });
  if (code !== 0) throw new Error(stderr);
  return accountIn(items);
}

function accountIn(objects: readonly JsonObject[]): string {
  const [account = {}, ...others] = objects.filter(({ kind }) => kind === 'ServiceAccount');
  if (others.length > 0) throw new Error('the chart was asked for several parts');
  return `${NAMESPACE}/${objectAt(account, 'metadata').name}`;
}

/** The words with which the shipped container of a part starts `drover`, as the kubelet fills them in. */
export async function shippedArgs(lab: Lab, part: Part): Promise<string[]> {
  const [deployment = {}] = (await shippedObjects(lab, part)).filter(({ kind }) => kind === 'Deployment');
  const pod = objectAt(objectAt(objectAt(deployment, 'spec'), 'template'), 'spec');
  const [container = {}] = objectsAt(pod, 'containers');
  return (container.args as string[]).map((word) => word.replace('$(POD_NAMESPACE)', NAMESPACE));
}

/** What the API server refused to an account for want of a right: `verb path`. Throws where it never asked for anything. */
export function deniedTo(lab: Lab, account: string): string[] {
  return askedBy(lab, account)
    .filter((entry) => objectAt(entry, 'responseStatus').code === 403)
    .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
}

/** Rights that are shipped for a part, and that it has not used: `verb resource`. */
export async function unusedRights(lab: Lab, part: Part): Promise<string[]> {
  const objects = await shippedObjects(lab, part);
  const asked = askedBy(lab, accountIn(objects)).map((entry) => {
    const { resource, subresource } = objectAt(entry, 'objectRef');
    return `${entry.verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
  });
  const granted = objects
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
