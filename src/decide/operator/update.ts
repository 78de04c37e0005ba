/**
 * What virt-operator writes while it rolls out another version. The phase stays Deployed throughout; that the two deployment ids
 * differ is what keeps the workload updater waiting. kubevirt v1.9.0 pkg/virt-operator/kubevirt.go, util/client.go.
 */
import { KUBEVIRT_DEPLOYED } from '../../kubevirt/names.ts';
import type { Condition, Container, Deployment, KubeVirt } from '../../kubevirt/objects.ts';
import { hashOf } from '../../kubevirt/text-hash.ts';

export interface Release {
  /** As in `v1.9.1`. */
  readonly version: string;
  /** What virt-controller starts launchers with. */
  readonly launcherImage: string;
  readonly deploymentId: string;
}

const LAUNCHER_IMAGE_FLAG = '--launcher-image';

type ConditionStatus = Readonly<Record<'Available' | 'Progressing' | 'Degraded', 'True' | 'False'>>;

/** The CR once the operator works towards a release; `undefined` where it does so already. */
export function updating(kubevirt: KubeVirt, release: Release): KubeVirt | undefined {
  const { status } = kubevirt;
  if (status?.targetDeploymentID === release.deploymentId) return undefined;
  const from = `previous version ${status?.observedKubeVirtVersion ?? ''}`;
  const message = `Transitioning from ${from} to target version ${release.version}`;
  const all: ConditionStatus = { Available: 'True', Progressing: 'True', Degraded: 'True' };
  return {
    ...kubevirt,
    status: {
      ...status,
      targetDeploymentID: release.deploymentId,
      targetKubeVirtVersion: release.version,
      conditions: conditionsOf(kubevirt, all, 'UpdateInProgress', message),
    },
  };
}

/** The CR once every component of the release is ready; one that has got another target meanwhile stays as it is. */
export function updated(kubevirt: KubeVirt, release: Release): KubeVirt | undefined {
  const { status } = kubevirt;
  if (status?.targetDeploymentID !== release.deploymentId) return undefined;
  const all: ConditionStatus = { Available: 'True', Progressing: 'False', Degraded: 'False' };
  return {
    ...kubevirt,
    status: {
      ...status,
      phase: KUBEVIRT_DEPLOYED,
      observedDeploymentID: release.deploymentId,
      observedKubeVirtVersion: release.version,
      conditions: conditionsOf(kubevirt, all, 'AllComponentsReady', 'All components are ready.'),
    },
  };
}

function conditionsOf(
  { status }: KubeVirt,
  statuses: ConditionStatus,
  reason: string,
  message: string,
): Condition[] {
  const others = (status?.conditions ?? []).filter(({ type }) => !Object.hasOwn(statuses, type));
  const made = Object.entries(statuses).map(([type, is]) => ({ type, status: is, reason, message }));
  return [...others, ...made];
}

/** The Deployment of virt-controller with another launcher image among its arguments, and its own of the same release; `undefined` where it has none, or that one. */
export function withLauncherImage(deployment: Deployment, image: string): Deployment | undefined {
  const { spec } = deployment;
  const containers = spec?.template?.spec?.containers ?? [];
  const changed = containers.map((container) => ({ ...container, ...releaseOf(container, image) }));
  const hasChanged = changed.some(({ args }, index) => String(args) !== String(containers[index]?.args));
  if (!hasChanged) return undefined;
  const template = { ...spec?.template, spec: { ...spec?.template?.spec, containers: changed } };
  return { ...deployment, spec: { ...spec, template } };
}

/** The name of KubeVirt's own launcher image, by which its other images are named. */
const LAUNCHER = '/virt-launcher:';

function releaseOf({ args, image: own }: Container, image: string): Pick<Container, 'args' | 'image'> {
  const at = args?.indexOf(LAUNCHER_IMAGE_FLAG) ?? -1;
  if (!args || at < 0) return {};
  return {
    args: args.map((arg, index) => (index === at + 1 ? image : arg)),
    ...(own !== undefined &&
      image.includes(LAUNCHER) && { image: image.replace(LAUNCHER, '/virt-controller:') }),
  };
}

/** One node first; then a tenth of them at a time, rounded up (pkg/virt-operator/resource/apply/apps.go processCanaryUpgrade). */
export function handlersAtOnce(nodes: number, done: number): number {
  return done === 0 ? 1 : Math.max(1, Math.ceil(nodes / 10));
}

/** A text that differs for releases that differ. KubeVirt hashes what it installs; this is no such hash, only as good a name. */
export function deploymentIdOf(version: string, launcherImage: string): string {
  return hashOf(`${version} ${launcherImage}`).toString(16).padStart(16, '0');
}
