import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

export interface ProcessOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  /** File that takes what the process says. */
  readonly logFile: string;
}

/** A process of the lab, which never outlives the one that started it. */
export interface LabProcess {
  readonly name: string;
  readonly logFile: string;
  readonly pid: number;
  /** Resolves once it is gone, whatever the reason, with the code or the signal that it ended by. */
  readonly ended: Promise<number | NodeJS.Signals>;
  isRunning(): boolean;
  /** Stops it with all its threads where it stands (`SIGSTOP`), and lets it go on. */
  pause(): void;
  resume(): void;
  /** `SIGKILL`, as a crash would have it. Resolves once it is gone. */
  kill(): Promise<void>;
  /** `SIGTERM`, and `SIGKILL` when that is not heard for five seconds. Resolves once it is gone. */
  stop(): Promise<void>;
}

/** How long a process may take to end after `SIGTERM`. */
const PATIENCE_MS = 5_000;

/** Starts a process. Rejects when there is no such program. */
export async function startProcess(options: ProcessOptions): Promise<LabProcess> {
  const { name, command, args, folder, logFile } = options;
  // It writes its log itself: where there is no room for that, nobody else is harmed.
  const log = openSync(logFile, 'a');
  // In a process group of its own: a Ctrl-C in a terminal reaches the one that started it alone, which then ends the parts in order.
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? code ?? 0)),
  );
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  const watcher = watchOver(child.pid as number);
  const gone = ended.then((how) => {
    watcher.kill('SIGKILL');
    return how;
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await gone;
  };
  return {
    name,
    logFile,
    pid: child.pid as number,
    ended: gone,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: () => end('SIGKILL'),
    stop: async () => {
      child.kill('SIGCONT');
      const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      await end('SIGTERM');
      clearTimeout(impatience);
    },
  };
}

/** Kills the process when this one is gone, however it went: the pipe then closes, which no signal handler could tell. */
function watchOver(pid: number): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', `cat >/dev/null; kill -9 ${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  watcher.stdin.on('error', () => {});
  return watcher;
}
