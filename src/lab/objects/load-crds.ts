import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JSON_SCHEMA, loadAll } from 'js-yaml';
import type { ApiClient } from '../../kubernetes/api-client.ts';
import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { waitFor } from '../wait.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Reads CustomResourceDefinitions from a file or from all files of a folder, JSON or YAML, single, several, or a list, as
 * `kubectl get crd -o yaml` writes them. Everything else in the files is passed over. Throws an Error when there are none.
 */
export function readCrds(path: string): readonly JsonObject[] {
  const files = statSync(path).isDirectory() ? filesIn(path) : [path];
  const crds = files.flatMap((file) => crdsIn(readFileSync(file, 'utf8')));
  if (crds.length === 0) throw new Error(`${path} holds no CustomResourceDefinition`);
  return crds;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function crdsIn(text: string): readonly JsonObject[] {
  const documents = loadAll(text, { schema: JSON_SCHEMA }) as readonly (JsonObject | undefined)[];
  return documents
    .flatMap((document) => (Array.isArray(document?.items) ? objectsAt(document, 'items') : (document ?? [])))
    .filter(({ kind }) => kind === 'CustomResourceDefinition');
}

/** Creates the definitions and waits until their kinds are served. Status, versions of storage and the like are left behind. */
export async function loadCrds(api: ApiClient, crds: readonly JsonObject[]): Promise<void> {
  for (const crd of crds) {
    const { name, labels, annotations } = objectAt(crd, 'metadata');
    const body = {
      apiVersion: crd.apiVersion,
      kind: crd.kind,
      metadata: { name, labels, annotations },
      spec: crd.spec,
    };
    const answer = await api.call({ method: 'POST', path: CRDS, body });
    if (!answer.ok && answer.code !== 409) throw new Error(`cannot create ${name}: ${answer.message}`);
  }
  for (const crd of crds) {
    await waitFor(() => isServed(api, crd), { what: `${objectAt(crd, 'metadata').name} to be served` });
  }
}

async function isServed(api: ApiClient, crd: JsonObject): Promise<boolean> {
  const spec = objectAt(crd, 'spec');
  const served = objectsAt(spec, 'versions').filter((version) => version.served);
  const paths = served.map(
    ({ name }) => `/apis/${spec.group}/${name}/${objectAt(spec, 'names').plural}?limit=1`,
  );
  const answers = await Promise.all(paths.map((path) => api.call({ method: 'GET', path })));
  return answers.every(({ ok }) => ok);
}
