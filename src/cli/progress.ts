import { printable, truncate } from '../forecast/views/text.ts';
import { formatDuration } from '../kubevirt/time.ts';
import { counted } from '../kubevirt/words.ts';
import type { HowFar, OnCourse } from '../rehearsal/how-far.ts';
import type { CliContext } from './context.ts';

const SHORTEST_MS = 200;

/** A line on stderr that says how far something is, where a person watches; elsewhere nothing is written. */
export class ProgressLine {
  readonly #context: Pick<CliContext, 'terminal' | 'process' | 'now'>;
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(context: Pick<CliContext, 'terminal' | 'process' | 'now'>) {
    this.#context = context;
  }

  /** In place of the line before. */
  show(line: string): void {
    const { terminal, process } = this.#context;
    if (terminal.watched) process.stderr.write(`\r\u001b[K${truncate(printable(line), terminal.width - 1)}`);
  }

  /** Shows how far a run is, five times a second at most; undefined where nobody watches, so that nobody counts. `head` goes before it. */
  onCourse(head: () => string = () => ''): OnCourse | undefined {
    const { terminal, now } = this.#context;
    if (!terminal.watched) return undefined;
    return (look) => {
      const at = now();
      if (at - this.#shownAt < SHORTEST_MS) return;
      this.#shownAt = at;
      this.show(`${head()}${courseWords(look())}`);
    };
  }

  clear(): void {
    const { terminal, process } = this.#context;
    if (terminal.watched) process.stderr.write('\r\u001b[K');
  }
}

/** `12m30s in: 340 of 1000 VMs moved or restarted`. */
function courseWords({ seconds, done, vms }: HowFar): string {
  return `${formatDuration(Math.round(seconds))} in: ${done} of ${counted(vms, 'VM')} moved or restarted`;
}
