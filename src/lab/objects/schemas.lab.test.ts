import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kind } from '../../fleet/fleet.ts';
import { apiVersionOf, resourcesOf } from '../../kubernetes/resources.ts';
import { KINDS, KNOWN_KINDS } from '../../kubevirt/kinds.ts';
import { describeLab } from '../describe-lab.ts';
import { type Lab, startLab } from '../lab.ts';
import { kubevirtCrds } from './crds.ts';
import { loadCrds, readCrds } from './load-crds.ts';
import { findRealCrds } from './test-real-crds.ts';
import { walkSchema } from './test-schema-walk.ts';

const real = findRealCrds();
const OF_KUBEVIRT = KNOWN_KINDS.filter((kind) => KINDS[kind].group.endsWith('kubevirt.io'));
const OF_KUBERNETES = KNOWN_KINDS.filter((kind) => !/kubevirt\.io|x-k8s\.io/.test(KINDS[kind].group));

async function problemsOf(lab: Lab, kind: Kind): Promise<readonly string[]> {
  const [resource] = resourcesOf(kind);
  const version = apiVersionOf(resource);
  const path = `/openapi/v3/${resource.group === '' ? 'api' : 'apis'}/${version}`;
  const answer = await lab.admin.call({ method: 'GET', path });
  if (!answer.ok) throw new Error(`${path}: ${answer.message}`);
  return walkSchema(KINDS[kind].schema, answer.object, kind);
}

describeLab('every field that Drover reads', () => {
  let lab: Lab;

  beforeAll(async () => {
    lab = await startLab();
    await loadCrds(lab.admin, real ? readCrds(real) : kubevirtCrds());
  }, 90_000);
  afterAll(() => lab?.stop());

  it.each(OF_KUBERNETES)('is one of Kubernetes: %s', async (kind) => {
    expect(await problemsOf(lab, kind)).toEqual([]);
  });

  describe.skipIf(real === undefined)('with KubeVirt’s own definitions', () => {
    it.each(OF_KUBEVIRT)('is one of KubeVirt: %s', async (kind) => {
      expect(await problemsOf(lab, kind)).toEqual([]);
    });
  });
});
