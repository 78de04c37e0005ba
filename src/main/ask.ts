import type { CliContext } from '../cli/context.ts';
import { main } from '../cli/main.ts';
import type { Forecast } from '../forecast/forecast.ts';
import { answers } from './answers.ts';
import { readInput } from './read-input.ts';
import { readLive } from './read-live.ts';
import { services } from './services.ts';

/** Runs a command line in this process, without a terminal and without environment variables. */
export async function runDrover(
  words: readonly string[],
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const context: CliContext = {
    process: {
      stdout: { write: (text) => out.push(text) },
      stderr: { write: (text) => err.push(text) },
      env: {},
    },
    program: 'drover',
    version: '',
    terminal: { width: 100, colour: false, watched: false },
    now: Date.now,
    readInput,
    readLive,
    answers,
    services,
  };
  const code = await main(words, context);
  return { code, out: out.join(''), err: err.join('') };
}

/** Asks Drover in this process what a user would type, and gives the forecast. Throws with what it said on stderr. */
export async function askDrover(words: readonly string[], dump: string): Promise<Forecast> {
  const { code, out, err } = await runDrover([...words, '-f', dump, '-o', 'json', '--fail-on', 'never']);
  if (code !== 0) throw new Error(err.trim());
  return JSON.parse(out) as Forecast;
}
