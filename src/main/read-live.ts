import { DroverError } from '../cli/errors.ts';
import type { ReadLive } from '../cli/ports.ts';
import { CodedError } from '../kubevirt/coded-error.ts';

/** Reads a live cluster for the command line; the client loads when it is needed first. */
export const readLive: ReadLive = async (source, onProgress) => {
  const { liveFleet } = await import('../kubernetes/live-fleet.ts');
  try {
    const { fleet, gaps, refused } = await liveFleet({
      ...source,
      progress: (kind, objects) => onProgress?.(`reading ${kind}: ${objects} …`),
    });
    const missing = gaps.map(({ kind, problem }) => `${kind} is missing from the picture: ${problem}`);
    return { fleet, warnings: [...missing, ...refused], takenAt: Date.now() };
  } catch (error) {
    if (error instanceof CodedError && error.code === 'NoKubeconfig')
      throw new DroverError('NoInput', `no input: ${error.message}`);
    throw error;
  }
};
