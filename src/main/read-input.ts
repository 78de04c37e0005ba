import type { ReadInput } from '../cli/ports.ts';
import { parseInstant } from '../kubevirt/time.ts';

const MIB = 1024 * 1024;

/** Reads dumps for the command line; the reader loads when it is needed first. */
export const readInput: ReadInput = async (sources, onProgress) => {
  const { loadFleet } = await import('../dump/load.ts');
  const { fleet, hints, notes } = await loadFleet(sources, {
    progress: ({ file, bytes, objects }) =>
      onProgress?.(`reading ${file}: ${Math.round(bytes / MIB)} MiB, ${objects} objects …`),
  });
  return { fleet, warnings: notes, takenAt: parseInstant(hints.now), launcherImage: hints.launcherImage };
};
