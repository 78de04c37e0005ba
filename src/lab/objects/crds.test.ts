import { describe, expect, it } from 'vitest';
import { type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { clusterApiCrds, kubevirtCrds } from './crds.ts';
import { readCrds } from './load-crds.ts';
import { findRealCrds } from './test-real-crds.ts';

const own = kubevirtCrds();
const real = findRealCrds();

/** All that a client sees of a definition, without the schema. */
function seenOf(crd: JsonObject): object {
  const spec = objectAt(crd, 'spec');
  const { kind, plural, singular, shortNames = [], categories = [] } = objectAt(spec, 'names');
  return {
    group: spec.group,
    scope: spec.scope,
    names: { kind, plural, singular, shortNames, categories },
    versions: objectsAt(spec, 'versions').map((version) => ({
      name: version.name,
      served: version.served,
      storage: version.storage,
      deprecated: version.deprecated ?? false,
      subresources: version.subresources ?? {},
      columns: version.additionalPrinterColumns ?? [],
    })),
  };
}

describe('the definitions of KubeVirt’s kinds', () => {
  it('are those of the kinds that Drover reads', () => {
    expect(own.map((crd) => objectAt(crd, 'metadata').name)).toEqual([
      'kubevirts.kubevirt.io',
      'virtualmachines.kubevirt.io',
      'virtualmachineinstances.kubevirt.io',
      'virtualmachineinstancemigrations.kubevirt.io',
      'virtualmachineinstancereplicasets.kubevirt.io',
      'migrationpolicies.migrations.kubevirt.io',
    ]);
    expect(clusterApiCrds().map((crd) => objectAt(crd, 'metadata').name)).toEqual([
      'kubevirtmachines.infrastructure.cluster.x-k8s.io',
      'machines.cluster.x-k8s.io',
      'machinesets.cluster.x-k8s.io',
      'machinehealthchecks.cluster.x-k8s.io',
    ]);
  });

  it('have one stored version each', () => {
    for (const crd of [...own, ...clusterApiCrds()]) {
      expect(objectsAt(objectAt(crd, 'spec'), 'versions').filter(({ storage }) => storage)).toHaveLength(1);
    }
  });

  it
    .skipIf(real === undefined)
    .each(own.map((crd) => [String(objectAt(crd, 'metadata').name), crd] as const))(
    'look as KubeVirt’s own to a client: %s',
    (name, crd) => {
      const theirs = readCrds(real ?? '').find((candidate) => objectAt(candidate, 'metadata').name === name);
      expect(seenOf(crd)).toEqual(seenOf(theirs ?? {}));
    },
  );
});
