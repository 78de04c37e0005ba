import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface ProgramResult {
  /** -1 where the program did not end by itself, or did not start. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  /** Absent: that of this process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly stdin?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
}

/** Lists of a large cluster are longer than what Node.js keeps by default. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Runs a program to its end. Promise: what it ends with is in the result, whatever that is; where it says nothing, why it did not run. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { env, stdin = '', timeoutSeconds }: ProgramOptions = {},
): Promise<ProgramResult> {
  const timeout = timeoutSeconds === undefined ? 0 : timeoutSeconds * 1000;
  const running = promisify(execFile)(command, args, { env, timeout, maxBuffer: MOST_BYTES });
  running.child.stdin?.on('error', () => {}).end(stdin);
  try {
    return { code: 0, ...(await running) };
  } catch (error) {
    const { code, stdout = '', stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : -1, stdout, stderr: stderr || String(error) };
  }
}
