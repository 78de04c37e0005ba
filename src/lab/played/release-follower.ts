import type { Change } from '../../controllers/ports.ts';
import { deploymentIdOf } from '../../decide/operator/update.ts';
import type { KubeVirt } from '../../kubevirt/objects.ts';
import type { Actor, ActorContext } from '../../simulation/actors/actor.ts';
import type { VirtOperator } from '../../simulation/actors/operator/virt-operator.ts';
import { launcherImageOf, registryOf } from '../objects/first-objects.ts';

/**
 * virt-operator's eye on the CR: another `spec.imageTag` or `spec.imageRegistry` is a release to roll out, as
 * `kubectl edit kubevirt` does it. What the CR says at first is what runs, and a CR that names no tag stays with it; where it names
 * no registry, images come from where the first launchers came from, as virt-operator takes them from its own.
 */
export function releaseFollower(
  { cluster }: ActorContext,
  operator: VirtOperator,
  firstLauncherImage: string,
): Actor {
  const registry = registryOf(firstLauncherImage);
  let underWay: ReturnType<VirtOperator['startUpgrade']> | undefined;
  let wanted: string | undefined;
  let isKnown = false;
  let leave = (): void => {};
  const look = (kubevirt: KubeVirt | undefined): void => {
    if (!kubevirt) return;
    const isFirst = !isKnown;
    isKnown = true;
    const { imageTag: version, imageRegistry } = kubevirt.spec ?? {};
    if (!version) return;
    const image = launcherImageOf(version, imageRegistry ?? registry);
    const id = deploymentIdOf(version, image);
    if (id === wanted) return;
    wanted = id;
    if (!isFirst) underWay = operator.startUpgrade(version, image);
  };
  return {
    start() {
      leave = cluster.subscribe(({ kind, after }: Change) => {
        if (kind === 'KubeVirt') look(after as KubeVirt | undefined);
      });
      look(cluster.fleet.kubevirt());
    },
    async stop() {
      leave();
      underWay?.cancel();
      await underWay?.done;
    },
  };
}
