/** How few moves a VM may have at best: what no order can beat. */
import type { Ground, GroundVm } from './ground.ts';

/**
 * `NothingGoes`: 0. `EachOnce`: every VM that goes moves at least once. `NoRoomBeforeTheFirst`: whichever node is drained
 * first, its VMs do not all find room on nodes that need no draining, so some move again.
 */
export interface MovesBound {
  readonly moves: number;
  readonly reason: 'NothingGoes' | 'EachOnce' | 'NoRoomBeforeTheFirst';
}

/** Promise: no round in which every VM that goes finds a place has a smaller greatest number of moves. */
export function movesBound(ground: Ground): MovesBound {
  const going = ground.due.map((node) => goingFrom(ground, node)).filter((vms) => vms.length > 0);
  if (going.length === 0) return { moves: 0, reason: 'NothingGoes' };
  const open = openNodes(ground);
  if (going.some((vms) => mayFit(vms, open))) return { moves: 1, reason: 'EachOnce' };
  return { moves: 2, reason: 'NoRoomBeforeTheFirst' };
}

function goingFrom({ vms }: Ground, node: number): GroundVm[] {
  return vms.filter(({ home, vm }) => home === node && vm.fate === 'Goes');
}

/** What is free on the nodes that are not due, or that no VM has to go from: they can be done before any VM moves. */
function openNodes(ground: Ground): Map<number, number[]> {
  const open = new Map<number, number[]>();
  for (const node of ground.nodes.keys()) {
    const isDue = ground.nodes[node]?.isDue === true;
    if (isDue && goingFrom(ground, node).length > 0) continue;
    const gone = isDue ? ground.vms.filter(({ home, vm }) => home === node && vm.fate === 'Leaves') : [];
    const room = (ground.room[node] ?? []).map((amount, resource) =>
      gone.reduce((sum, { asks }) => sum + (asks[resource] ?? 0), amount),
    );
    open.set(node, room);
  }
  return open;
}

/** Not refuted by any single VM, nor by the sums. */
function mayFit(vms: readonly GroundVm[], open: ReadonlyMap<number, readonly number[]>): boolean {
  const fits = ({ asks, mayGoTo }: GroundVm) =>
    mayGoTo.some((node) => {
      const room = open.get(node);
      return (
        room !== undefined &&
        asks.every((amount, resource) => amount === 0 || amount <= (room[resource] ?? 0))
      );
    });
  if (!vms.every(fits)) return false;
  const rooms = [...open.values()];
  return (vms[0]?.asks ?? []).every((_, resource) => {
    const asked = vms.reduce((sum, { asks }) => sum + (asks[resource] ?? 0), 0);
    return asked <= rooms.reduce((sum, room) => sum + Math.max(0, room[resource] ?? 0), 0);
  });
}
