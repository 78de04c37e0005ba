import { benchLoad } from './load.ts';
import type { Bench } from './measure.ts';

/** Reading dumps; the 100,000 VMs of JSON lines take a minute and come with `--full` only. */
export const bench: Bench = { name: 'load', run: benchLoad };
