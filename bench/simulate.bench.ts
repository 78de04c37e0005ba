import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { SHIPPED } from '../scripts/bundle.ts';
import { SIMULATION_FLAGS } from '../src/main/compiler.ts';
import type { Bench, BenchOptions, Measurement, Report } from './measure.ts';

/**
 * A whole upgrade of a fleet in virtual time: every VM moves to another node, with wide limits on how many at once. In a process of
 * its own, of code as it is shipped.
 */
export const bench: Bench = { name: 'simulate', run: measurements, report };

const VMS = 2000;
const CHILD = fileURLToPath(new URL('simulate-child.ts', import.meta.url));
/** As the threads of `drover simulate` have them; for what is old, what keeps 100,000 VMs below 3 GiB. */
const NODE_OPTIONS = ['--max-semi-space-size=64', '--max-old-space-size=2600', ...SIMULATION_FLAGS];

export interface SimulationFacts {
  readonly vms: number;
  readonly nodes: number;
  /** From the scenario to the result. */
  readonly seconds: number;
  /** Changes of objects, which everybody hears of. */
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly peakMiB: number;
  readonly simulatedSeconds: number;
  readonly counts: object;
}

async function measurements(options: BenchOptions): Promise<Measurement[]> {
  const { vms, seconds, eventsPerSecond, peakMiB } = simulate(options);
  return [
    { name: `upgrade of ${vms} VMs`, value: seconds, unit: 's' },
    { name: 'changes of objects', value: eventsPerSecond, unit: '/s' },
    { name: 'peak of memory', value: peakMiB, unit: 'MiB' },
  ];
}

async function report(options: BenchOptions): Promise<Report> {
  const facts = simulate(options);
  const { vms, nodes, seconds, events, eventsPerSecond, peakMiB, simulatedSeconds } = facts;
  const text = [
    `upgrade of ${vms} VMs on ${nodes} nodes: ${seconds.toFixed(2)} s, ${peakMiB} MiB`,
    `${events} changes of objects, ${eventsPerSecond} per second; ${simulatedSeconds} s of virtual time`,
    JSON.stringify(facts.counts),
  ].join('\n');
  return { facts, text };
}

function simulate({ vms = VMS, full }: BenchOptions): SimulationFacts {
  const folder = mkdtempSync(join(tmpdir(), 'drover-bench-simulate-'));
  try {
    const outfile = join(folder, 'child.mjs');
    buildSync({ ...SHIPPED, entryPoints: [CHILD], outfile });
    const args = [...NODE_OPTIONS, outfile, String(full ? 10_000 : vms)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the simulation ended with ${status}\n${stderr}`);
    return JSON.parse(stdout) as SimulationFacts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
