import { beginCopy } from '../../decide/transfer/copy.ts';
import type { NewFlow } from '../../decide/transfer/fluid-network.ts';
import { GOODPUT } from '../../decide/transfer/wiring.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { parseQuantity } from '../../kubevirt/quantity.ts';
import type { DirtyBehavior } from './behavior.ts';

const MEGABYTE = 1e6;
const DOWNTIME_MILLISECONDS = 900;

/** The copy of a VMI's memory from source to target, as its migration asks for it. Undefined: nothing says from where to where. */
export function flowOf(vmi: Vmi, dirty: DirtyBehavior): NewFlow | undefined {
  const state = vmi.status?.migrationState;
  const { migrationUid: key, sourceNode: from, targetNode: to, migrationConfiguration } = state ?? {};
  if (key === undefined || from === undefined || to === undefined) return undefined;
  const memory = {
    memoryMB: dirty.memoryMB ?? guestMemoryMB(vmi),
    hotSetMB: dirty.hotSetMB,
    hotSetSeconds: dirty.hotSetSeconds,
    coldDirtyMBps: dirty.coldDirtyMBps,
  };
  const downtimeSeconds = (migrationConfiguration?.maxDowntimeMs ?? DOWNTIME_MILLISECONDS) / 1000;
  const capMbps = capOf(migrationConfiguration?.bandwidthPerMigration);
  return { key, from, to, capMbps, copy: beginCopy(memory, downtimeSeconds) };
}

function guestMemoryMB(vmi: Vmi): number {
  const { memory, resources } = vmi.spec?.domain ?? {};
  return (parseQuantity(memory?.guest) ?? parseQuantity(resources?.requests?.memory) ?? 0) / MEGABYTE;
}

/** Bytes of memory a second as the Mbit/s on the wire that carry them; zero means no limit. */
function capOf(bandwidthPerMigration: string | number | undefined): number | undefined {
  const bytes = parseQuantity(bandwidthPerMigration) ?? 0;
  return bytes > 0 ? (bytes * 8) / MEGABYTE / GOODPUT : undefined;
}
