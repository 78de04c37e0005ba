/** A VM that runs and is edited. */
import { objectAt, objectsAt } from '../../../kubevirt/json.ts';
import { VmWorld } from './test-world-of-vms.ts';

export async function aRunningVm(): Promise<VmWorld> {
  const world = new VmWorld();
  await world.boot('db');
  return world;
}

export const restartOf = (world: VmWorld) =>
  objectsAt(objectAt(world.vm() ?? {}, 'status'), 'conditions').find(({ type }) => type === 'RestartRequired')
    ?.message;
