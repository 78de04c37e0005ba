/** Reads one file in one way and prints what it took; `bench/load.ts` starts it. */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { load } from 'js-yaml';
import { loadFleet } from '../src/dump/load.ts';

const WAYS: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  load: (file) => loadFleet([file]),
  'json-parse': async (file) => JSON.parse(readFileSync(file, 'utf8')),
  'js-yaml': async (file) => load(readFileSync(file, 'utf8')),
};

const [, , way = '', file = ''] = process.argv;
const heapBefore = heapBytes();
const cpuBefore = process.cpuUsage();
const start = performance.now();
const result = await WAYS[way]?.(file);
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
const cpuSeconds = (user + system) / 1e6;
const peakMebibytes = process.resourceUsage().maxRSS / 1024;
const heapAfter = heapBytes();
const { objects = 0 } = result as { objects?: number };
console.log(
  JSON.stringify({ seconds, cpuSeconds, peakMebibytes, heapBytes: heapAfter - heapBefore, objects }),
);

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
