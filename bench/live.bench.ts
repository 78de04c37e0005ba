import { type LiveFacts, measureLive } from './live.ts';
import type { Bench, BenchOptions, Report } from './measure.ts';

/**
 * What `drover controller` costs on a real API server with 10,000 VMs, or as many as `--vms` says, of which none is moved for a minute, and
 * then all are to be. Takes some minutes, so it runs only where it alone is asked for.
 */
export const bench: Bench = { name: 'live', run: async () => [], report };

async function report({ vms = 10_000 }: BenchOptions): Promise<Report> {
  const facts = await measureLive(vms);
  return { facts, text: textOf(facts) };
}

function textOf({ writesByVmMoved, ...facts }: LiveFacts): string {
  const writes = Object.entries(writesByVmMoved).map(
    ([verb, count]) => [`${verb} for each VM moved`, count] as const,
  );
  return [...Object.entries(facts), ...writes]
    .map(([name, value]) => `${name.padEnd(26)} ${Number(value.toFixed(2))}`)
    .join('\n');
}
