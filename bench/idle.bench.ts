import { type IdleMinute, type IdleOptions, measureIdle } from './idle.ts';
import type { Bench, Report } from './measure.ts';

/**
 * What the controller costs while nobody can move: 1,000 VMIs on a real API server, with the real process. Takes a quarter of an hour,
 * since refused VMIs are tried ever less often, so it runs only where it alone is asked for; `--full` watches for half an hour.
 */
export const bench: Bench = { name: 'idle', run: async () => [], report };

async function report({ full }: { readonly full: boolean }): Promise<Report> {
  const scenarios: readonly (IdleOptions & { readonly name: string })[] = [
    { name: 'evictions refused for ever', methods: ['LiveMigrate', 'Evict'], minutes: full ? 30 : 15 },
    { name: 'no method applies', methods: ['LiveMigrate'], minutes: 4 },
  ];
  const facts: Record<string, readonly IdleMinute[]> = {};
  for (const { name, ...options } of scenarios) facts[name] = await measureIdle({ ...options, vmis: 1_000 });
  return { facts, text: Object.entries(facts).map(textOf).join('\n\n') };
}

const COLUMNS = ['reconciles', 'evictions', 'requests', 'cpuSeconds', 'residentMiB'] as const;

function textOf([name, minutes]: readonly [string, readonly IdleMinute[]]): string {
  const row = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(12)).join('');
  const rows = minutes.map((minute, i) =>
    row([String(i + 1), ...COLUMNS.map((column) => numberText(minute[column]))]),
  );
  return [`1,000 VMIs, ${name}; each minute:`, row(['minute', ...COLUMNS]), ...rows].join('\n');
}

function numberText(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
