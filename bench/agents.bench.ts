import { type AgentsCost, measureAgents } from './agents.ts';
import type { Bench, Report } from './measure.ts';

/**
 * What node agents cost on a real API server: 100 VMIs on 10 nodes boot and then all move; with `--full` 1,000 on 100. It takes
 * minutes, so it runs only where it alone is asked for.
 */
export const bench: Bench = { name: 'agents', run: async () => [], report };

async function report({ full }: { readonly full: boolean }): Promise<Report> {
  const size = full ? { nodes: 100, vmis: 1_000, parallel: 50 } : { nodes: 10, vmis: 100, parallel: 10 };
  const facts = await measureAgents(size);
  const { nodes, vmis, parallel, boot, move, agentsPeakMiB, vmiWritesEach, vmiWritesRefused } = facts;
  const text = [
    `${vmis} VMIs on ${nodes} nodes, ${parallel} moves at once; seconds:`,
    row('', 'wall', 'agents CPU', 'API server CPU'),
    row('boot', ...costs(boot)),
    row('move', ...costs(move)),
    `agents: ${agentsPeakMiB.toFixed(0)} MiB at their peak; ${vmiWritesEach.toFixed(1)} writes a VMI, ${vmiWritesRefused} of all refused`,
  ].join('\n');
  return { facts, text };
}

function costs({ seconds, agentsCpuSeconds, apiServerCpuSeconds }: AgentsCost): string[] {
  return [seconds, agentsCpuSeconds, apiServerCpuSeconds].map((value) => value.toFixed(1));
}

function row(...cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(6) : cell.padStart(16))).join('');
}
