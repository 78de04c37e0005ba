import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runKubectl } from '../../lab/control-plane/kubectl.ts';
import { waitFor } from '../../lab/wait.ts';

const DROVER = join(import.meta.dirname, '..', 'drover.ts');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The real program, as a process of its own. */
export class DroverProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  out = '';
  err = '';

  /** `detached`: with a process group of its own, as a shell starts it in a terminal. */
  constructor(words: readonly string[], env: NodeJS.ProcessEnv = {}, detached = false) {
    this.child = spawn(process.execPath, ['--import', 'tsx', DROVER, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      detached,
    });
    this.child.stdout?.on('data', (chunk) => {
      this.out += chunk;
    });
    this.child.stderr?.on('data', (chunk) => {
      this.err += chunk;
    });
    this.ended = once(this.child, 'close').then(([code]) => ({ code, out: this.out, err: this.err }));
  }

  /** As a terminal does, of a detached one: to it and to all that it has started and that has not left its group. */
  pressCtrlC(): void {
    if (this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGINT');
  }

  /** Resolves when it has said something; rejects when it ends without. */
  async says(text: string, seconds = 60): Promise<void> {
    const early = this.ended.then(({ err }) => Promise.reject(new Error(`it ended: ${err}`)));
    early.catch(() => {});
    await Promise.race([waitFor(() => this.out.includes(text), { what: text, seconds }), early]);
  }
}

export function drover(words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> {
  return new DroverProcess(words, env).ended;
}

/** kubectl on a lab, which must succeed; `words` as one text where none has a space in it. */
export function kubectlOn(assets: string, kubeconfig: string) {
  return async (words: string | readonly string[], stdin?: string): Promise<string> => {
    const all = typeof words === 'string' ? words.split(' ') : words;
    const { code, stdout, stderr } = await runKubectl(assets, all, {
      kubeconfig,
      ...(stdin !== undefined && { stdin }),
    });
    if (code !== 0) throw new Error(`kubectl ${words}: ${stderr}`);
    return stdout;
  };
}

/** Asks until an answer is as wanted, and says what it was last. */
export async function until(ask: () => Promise<string>, wanted: string, seconds = 40): Promise<void> {
  const end = Date.now() + seconds * 1000;
  for (let answer = await ask(); answer !== wanted; answer = await ask()) {
    if (Date.now() > end) throw new Error(`waited for ${wanted}, and it is ${answer}`);
    await sleep(200);
  }
}
