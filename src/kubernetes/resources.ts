import type { Kind } from '../fleet/fleet.ts';
import { isNamespaced, KINDS } from '../kubevirt/kinds.ts';

/** Where the API server keeps a kind. */
export interface Resource {
  readonly kind: Kind;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Versions by group, best first; the first that the server has is taken. Other groups have `v1`. */
const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  'migrations.kubevirt.io': ['v1alpha1'],
  'infrastructure.cluster.x-k8s.io': ['v1alpha1'],
  'cluster.x-k8s.io': ['v1beta1', 'v1beta2'],
};

/** The ways in which a server may serve a kind, best first; never empty. */
export function resourcesOf(kind: Kind): readonly [Resource, ...Resource[]] {
  const { group, plural } = KINDS[kind];
  const [best = 'v1', ...others] = VERSIONS[group] ?? [];
  const of = (version: string): Resource => ({
    kind,
    group,
    version,
    plural,
    namespaced: isNamespaced(kind),
  });
  return [of(best), ...others.map(of)];
}

/** `v1`, `kubevirt.io/v1`. */
export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The path of a kind's objects, of all namespaces where none is given. */
export function collectionPath(resource: Resource, namespace?: string | undefined): string {
  const { group, version, plural, namespaced } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced && namespace !== undefined
    ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`
    : `${root}/${plural}`;
}

/** The path of one object by its key, `namespace/name` or `name`, and maybe of a part of it. */
export function objectPath(resource: Resource, key: string, subresource?: string | undefined): string {
  const slash = key.indexOf('/');
  const namespace = slash < 0 ? undefined : key.slice(0, slash);
  const name = encodeURIComponent(key.slice(slash + 1));
  const path = `${collectionPath(resource, namespace)}/${name}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}
