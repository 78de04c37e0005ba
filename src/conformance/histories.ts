import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Forecast, VmVerdict } from '../forecast/forecast.ts';
import type { FileResult, VectorResult } from './vectors.ts';

/** Asks Drover as a user would: the words after the program's name, and the dump. */
export type Ask = (words: readonly string[], dump: string) => Promise<Forecast>;

interface Scenario {
  readonly ask?: readonly { readonly command: string; readonly vms: readonly string[] }[];
}

interface Outcomes {
  readonly vms: Readonly<Record<string, { readonly happened: string; readonly forecast: readonly string[] }>>;
}

/**
 * Every recording of a folder, by name: each question that its scenario asks is put to the dump that was taken before,
 * and each VM's outcome must be among those that are right for what then happened. A folder without its files fails.
 */
export async function runHistories(folder: string, ask: Ask): Promise<FileResult[]> {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const results: FileResult[] = [];
  for (const name of names) results.push(await runHistory(join(folder, name), name, ask));
  return results;
}

async function runHistory(folder: string, name: string, ask: Ask): Promise<FileResult> {
  const dump = join(folder, 'before.json.gz');
  const missing = ['scenario.json', 'outcomes.json', 'before.json.gz'].filter(
    (file) => !existsSync(join(folder, file)),
  );
  if (missing.length > 0) return { name, agree: 0, differing: [failed(name, `no ${missing.join(', ')}`)] };
  const scenario = JSON.parse(readFileSync(join(folder, 'scenario.json'), 'utf8')) as Scenario;
  const outcomes = JSON.parse(readFileSync(join(folder, 'outcomes.json'), 'utf8')) as Outcomes;
  const results: VectorResult[] = [];
  for (const { command, vms } of scenario.ask ?? []) {
    results.push(...(await runAsk(command, vms, dump, outcomes, ask)));
  }
  const differing = results.filter(({ differences }) => differences.length > 0);
  return { name, agree: results.length - differing.length, differing };
}

async function runAsk(
  command: string,
  vms: readonly string[],
  dump: string,
  outcomes: Outcomes,
  ask: Ask,
): Promise<VectorResult[]> {
  try {
    const verdicts = (await ask(command.split(/\s+/), dump)).status.vms;
    return vms.map((vm) => compareVm(vm, verdicts, outcomes));
  } catch (error) {
    return [failed(command, error instanceof Error ? (error.stack ?? error.message) : String(error))];
  }
}

function compareVm(vm: string, verdicts: readonly VmVerdict[], { vms }: Outcomes): VectorResult {
  const real = vms[vm];
  const ours = verdicts.filter(({ name }) => name === vm);
  const [verdict] = ours;
  if (!real || !verdict || ours.length > 1) {
    return failed(vm, real ? `${ours.length} verdicts instead of one` : 'no recorded outcome');
  }
  if (real.forecast.includes(verdict.outcome)) return { id: vm, differences: [] };
  const told = `${verdict.outcome} (${verdict.reason}): ${verdict.message}`;
  return { id: vm, differences: [{ path: real.happened, real: real.forecast, ours: told }] };
}

function failed(id: string, why: string): VectorResult {
  return { id, differences: [{ path: '', real: 'a forecast', ours: why }] };
}
