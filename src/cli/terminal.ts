import type { Terminal } from './context.ts';

/** What Drover asks of a stream of the process. */
interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const WIDTH_WITHOUT_TERMINAL = 100;
const NARROWEST = 60;
const WIDEST = 160;

/**
 * What is known of the terminal.
 *
 * Promise: colour only where stdout is a terminal that can, and NO_COLOR is not set; progress only where a person
 * watches stderr.
 */
export function terminalOf(
  stdout: Stream,
  stderr: Stream,
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  const columns = stdout.isTTY === true ? (stdout.columns ?? WIDTH_WITHOUT_TERMINAL) : WIDTH_WITHOUT_TERMINAL;
  const plain = Boolean(env.NO_COLOR) || env.TERM === 'dumb';
  return {
    width: Math.min(WIDEST, Math.max(NARROWEST, columns)),
    isTerminal: stdout.isTTY === true && env.TERM !== 'dumb',
    colour: stdout.isTTY === true && !plain,
    watched: stderr.isTTY === true && env.TERM !== 'dumb',
  };
}

/** How the user calls Drover, from the path of the program: a kubectl plugin shows kubectl in its help. */
export function programName(path: string | undefined): string {
  const file = (path ?? '').split(/[\\/]/).pop() ?? '';
  return file.startsWith('kubectl-') ? 'kubectl drover' : 'drover';
}
