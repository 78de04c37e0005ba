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

/** When a process began, in the words of the system, so that another one with its number is not taken for it; empty where unknown. */
export function beginningOf(pid: number): string {
  if (!HAS_PROC) return ps('-o', 'lstart=', '-p', String(pid)).trim();
  const stat = textOf(`/proc/${pid}/stat`);
  // Names may have spaces and brackets; the beginning is the 20th field after the name.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

export interface CommandLine {
  readonly pid: number;
  readonly text: string;
}

/** Of all processes that may be seen. */
export function commandLines(): CommandLine[] {
  if (!HAS_PROC) {
    const listed = ps('-A', '-ww', '-o', 'pid=,command=').matchAll(/^ *(\d+) (.*)$/gm);
    return [...listed].map(([, pid, text = '']) => ({ pid: Number(pid), text }));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      text: textOf(`/proc/${name}/cmdline`).replaceAll('\0', ' '),
    }));
}

const HAS_PROC = existsSync('/proc/self/stat');

function ps(...words: readonly string[]): string {
  const { stdout } = spawnSync('ps', words, {
    encoding: 'utf8',
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
