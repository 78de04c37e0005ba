import type { GuestMemory } from '../src/decide/transfer/copy.ts';

/** Of each Mbit/s a ninth of a megabyte a second: the authors' allowance for what headers and the like take. In whole ones. */
const MBPS_PER_MEGABYTE = 9;

/**
 * The seconds, in whole ones, for which the authors of mVM planned a move (their "duration of a migration", for guests
 * whose first round takes longer than their hot set): all memory once, the pages that got dirty meanwhile, and the hot
 * set over and over until nothing of it is left.
 */
export function mvmSeconds(memory: GuestMemory, mbps: number): number {
  const { memoryMB, hotSetMB, hotSetSeconds, coldDirtyMBps } = memory;
  const rate = Math.floor(mbps / MBPS_PER_MEGABYTE);
  const hotRate = hotSetMB / hotSetSeconds;
  const firstRound = memoryMB / rate;
  const coldRounds = (hotSetMB + (firstRound - hotSetSeconds) * coldDirtyMBps) / (rate - coldDirtyMBps);
  const hotRounds = (hotSetMB / rate) * (hotRate / (rate - hotRate));
  return Math.round(firstRound + coldRounds + hotRounds);
}
