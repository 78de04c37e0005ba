/** Other processes of this machine, as far as they can be told apart. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of somebody else, but there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** `SIGKILL`; nothing where it has just ended. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export interface CommandLine {
  readonly pid: number;
  readonly text: string;
}

/** Where a system tells of its processes. */
export interface ProcessTable {
  /** When a process began, in the words of the system, so that another one with its number is not taken for it; empty where unknown. */
  beginningOf(pid: number): string;
  /** Of all processes that may be seen. */
  commandLines(): CommandLine[];
}

/** Linux. */
const PROC: ProcessTable = {
  beginningOf(pid) {
    const stat = textOf(`/proc/${pid}/stat`);
    // Names may have spaces and brackets; the beginning is the 20th field after the name.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  },
  commandLines: () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({
        pid: Number(name),
        text: textOf(`/proc/${name}/cmdline`).replaceAll('\0', ' '),
      })),
};

/** macOS, and whatever else has no `/proc`. */
export const PS: ProcessTable = {
  beginningOf: (pid) => ps('-o', 'lstart=', '-p', String(pid)).trim(),
  commandLines() {
    const listed = ps('-A', '-ww', '-o', 'pid=,command=').matchAll(/^ *(\d+) (.*)$/gm);
    return [...listed].map(([, pid, text = '']) => ({ pid: Number(pid), text }));
  },
};

/** That of this machine. */
export const PROCESSES = existsSync('/proc/self/stat') ? PROC : PS;

function ps(...words: readonly string[]): string {
  const { stdout } = spawnSync('ps', words, {
    encoding: 'utf8',
    // The list of a busy machine is longer than what is kept of an answer by default.
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });
  return stdout ?? '';
}

/** Empty where the process has just ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
