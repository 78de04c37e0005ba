import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../kubevirt/json.ts';
import { kubevirtCrds } from './crds.ts';
import { readCrds } from './load-crds.ts';

/**
 * Where KubeVirt's own definitions are, if they are: `DROVER_REAL_CRDS` (a file or folder, as `kubectl get crd -o yaml`
 * writes it), else a folder that may stand beside the repository.
 */
export function findRealCrds(): string | undefined {
  const given = process.env.DROVER_REAL_CRDS;
  if (given) return given;
  const beside = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'kubevirt-v1.9.0', 'crds');
  return existsSync(beside) ? beside : undefined;
}

/** The definitions to test with, by what they are: Drover's own, and KubeVirt's where they are to be had. */
export function crdSets(): readonly (readonly [string, readonly JsonObject[]])[] {
  const real = findRealCrds();
  return [
    ['Drover’s own definitions', kubevirtCrds()],
    ...(real ? [['KubeVirt’s definitions', readCrds(real)] as const] : []),
  ];
}
