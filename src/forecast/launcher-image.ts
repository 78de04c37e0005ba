import type { Fleet } from '../fleet/fleet.ts';
import { COMPUTE_CONTAINER, LABEL } from '../kubevirt/names.ts';
import type { Pod, Vmi } from '../kubevirt/objects.ts';

/** Stands for "an image that no launcher runs yet", where nothing names it. */
export const NEW_LAUNCHER = '(the new launcher image)';

/** The image that virt-controller starts launchers with now, by the arguments of its Deployment, where the input has it. */
export function deployedLauncherImage(fleet: Fleet): string | undefined {
  for (const deployment of fleet.all('Deployment')) {
    if (deployment.metadata.name !== 'virt-controller') continue;
    const containers = deployment.spec?.template?.spec?.containers ?? [];
    const image = containers.map((container) => imageAmong(container.args ?? [])).find(Boolean);
    if (image) return image;
  }
  return undefined;
}

function imageAmong(args: readonly string[]): string | undefined {
  const at = args.indexOf('--launcher-image');
  return at >= 0 ? args[at + 1] : args.find((arg) => arg.startsWith('--launcher-image='))?.split('=')[1];
}

/** The image that a launcher runs, where its pod tells. */
export function launcherImageOf(pod: Pod | undefined): string | undefined {
  return pod?.spec?.containers?.find(({ name }) => name === COMPUTE_CONTAINER)?.image;
}

/**
 * The image that a VMI's launcher is measured by today: the Deployment's where known, else what the label says that
 * virt-controller keeps on the VMI (`kubevirt.io/outdatedLauncherImage`).
 */
export function launcherImageToday(fleet: Fleet, vmi: Vmi): string {
  const deployed = deployedLauncherImage(fleet);
  if (deployed) return deployed;
  const isOutdated = vmi.metadata.labels?.[LABEL.outdatedLauncherImage] !== undefined;
  return isOutdated ? NEW_LAUNCHER : (vmi.status?.launcherContainerImageVersion ?? NEW_LAUNCHER);
}
