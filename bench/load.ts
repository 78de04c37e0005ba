import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FleetRecipe } from './fleet-generator.ts';
import { type FleetFormat, fleetText } from './fleet-text.ts';
import type { BenchOptions, Measurement } from './measure.ts';

/** What a child process says of one way to read a file. */
interface Reading {
  readonly seconds: number;
  /** Of all threads; steadier than the time of day on a busy machine, so ratios are of it. */
  readonly cpuSeconds: number;
  readonly peakMebibytes: number;
  readonly heapBytes: number;
  readonly objects: number;
}

/**
 * How long it takes to read dumps and how much memory at its peak, each in a process of its own: 6,000 VMs of JSON
 * against `JSON.parse` alone, 1,000 VMs of YAML against js-yaml alone, and with `full` 100,000 VMs of JSON lines.
 */
export async function benchLoad({ full }: BenchOptions): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'drover-bench-'));
  try {
    const measured = [...json(folder), ...yaml(folder)];
    return full ? [...measured, ...jsonLines(folder)] : measured;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function json(folder: string): Measurement[] {
  const file = write(folder, 'list', { vms: 6_000 });
  const ours = read('load', file);
  return [
    ...both('6,000 VMs of JSON', ours),
    {
      name: '6,000 VMs of JSON to JSON.parse',
      unit: 'times',
      value: ours.cpuSeconds / read('json-parse', file).cpuSeconds,
    },
  ];
}

function yaml(folder: string): Measurement[] {
  const file = write(folder, 'yaml', { vms: 1_000 });
  const ours = read('load', file);
  return [
    ...both('1,000 VMs of YAML', ours),
    {
      name: '1,000 VMs of YAML to js-yaml',
      unit: 'times',
      value: ours.cpuSeconds / read('js-yaml', file).cpuSeconds,
    },
  ];
}

function jsonLines(folder: string): Measurement[] {
  const ours = read('load', write(folder, 'jsonl', { vms: 100_000 }));
  return [
    ...both('100,000 VMs of JSON lines', ours),
    {
      name: '100,000 VMs of JSON lines, heap kept per object',
      unit: 'bytes',
      value: ours.heapBytes / ours.objects,
    },
  ];
}

function both(name: string, { seconds, peakMebibytes }: Reading): Measurement[] {
  return [
    { name, unit: 's', value: seconds },
    { name: `${name}, peak memory`, unit: 'MiB', value: peakMebibytes },
  ];
}

function write(folder: string, format: FleetFormat, recipe: FleetRecipe): string {
  const path = join(folder, `fleet.${format}`);
  const file = openSync(path, 'w');
  for (const text of fleetText(recipe, format)) writeSync(file, text);
  closeSync(file);
  return path;
}

const CHILD = fileURLToPath(new URL('load-child.ts', import.meta.url));

function read(way: string, file: string): Reading {
  const args = ['--expose-gc', '--import', 'tsx', CHILD, way, file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`reading ended with ${status}\n${stderr}`);
  return JSON.parse(stdout) as Reading;
}
