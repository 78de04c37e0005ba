import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';

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
  /** Resolves once it is gone, whatever the reason. */
  readonly ended: Promise<void>;
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
  const log = createWriteStream(logFile, { flags: 'a' });
  // In a process group of its own: a Ctrl-C in a terminal reaches the one that started it alone, which then ends the parts in order.
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const ended = new Promise<void>((resolve) => child.once('close', () => log.end(resolve)));
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  const watcher = watchOver(child.pid as number);
  const gone = ended.then(() => void watcher.kill('SIGKILL'));
  const end = (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    return gone;
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
