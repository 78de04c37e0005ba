/** As which user the guest runs on its target. kubevirt v1.9.0 pkg/virt-controller/watch/migration/migration.go (setupVMIRuntimeUser). */
import { ANNOTATION, FEATURE_GATE } from '../../../kubevirt/names.ts';
import type { Vmi } from '../../../kubevirt/objects.ts';
import { annotationOf } from '../../../kubevirt/predicates.ts';
import { extended } from '../../../kubevirt/shapes.ts';
import { isGateOn, type Settings } from '../../settings.ts';

/** Guests run as user 107 (qemu), or as root where the gate `Root` is on. */
const NON_ROOT_USER = 107;
const ROOT_USER = 0;

/**
 * The VMI as it must be before a target pod is rendered from it: the move also takes a guest from the one user to the
 * other where the cluster's setting has changed since its start.
 *
 * Promise: the very VMI where nothing is to be changed; the given one is left alone.
 */
export function withRuntimeUser(
  vmi: Vmi,
  settings: Pick<Settings, 'featureGates' | 'disabledFeatureGates'>,
): Vmi {
  const isRoot = isGateOn(settings, FEATURE_GATE.root);
  const user = isRoot ? ROOT_USER : NON_ROOT_USER;
  const hasUser = (vmi.status?.runtimeUser ?? ROOT_USER) === user;
  const isMarked = annotationOf(vmi, ANNOTATION.nonRoot) !== undefined;
  if (hasUser && isMarked === !isRoot) return vmi;
  const { [ANNOTATION.nonRoot]: mark = 'true', ...annotations } = vmi.metadata.annotations ?? {};
  return {
    ...vmi,
    metadata: extended(vmi.metadata, {
      annotations: isRoot ? annotations : extended(annotations, { [ANNOTATION.nonRoot]: mark }),
    }),
    status: extended(vmi.status ?? {}, { runtimeUser: user }),
  };
}
