import type { Scope } from '../forecast/questions.ts';
import { printable } from '../forecast/views/text.ts';
import { shellQuoted } from './arguments.ts';
import type { CliContext } from './context.ts';
import { DroverError } from './errors.ts';
import type { InputFlags, ScopeFlags } from './flags.ts';
import type { AskOptions, Input } from './ports.ts';

/**
 * Reads the cluster that the flags name, with progress on a watched terminal and what is odd about it on stderr.
 *
 * Promise: without `-f` it says that a live cluster comes later, and how to write one to a file.
 */
export async function readCluster(context: CliContext, flags: InputFlags): Promise<Input> {
  const sources = flags.filename ?? [];
  if (sources.length === 0)
    throw new DroverError('NoInput', 'no input: this release reads files only, so name one with -f');
  const { watched } = context.terminal;
  const show = (line: string): void => context.process.stderr.write(`\r\u001b[K${printable(line)}`);
  if (watched) show(`reading ${sources.join(', ')} …`);
  try {
    return await context.readInput(sources, watched ? show : undefined);
  } finally {
    if (watched) context.process.stderr.write('\r\u001b[K');
  }
}

/** `-A` wins over `-n`, as in kubectl. */
function scopeOf(flags: ScopeFlags): Scope {
  const namespace = flags.allNamespaces ? undefined : flags.namespace;
  return { namespace, selector: flags.selector };
}

/** The circumstances of a question. The time is the flag's, else the input's own, else now. */
export function askOptions(context: CliContext, flags: InputFlags & ScopeFlags, input: Input): AskOptions {
  return {
    now: flags.at ?? input.takenAt ?? context.now(),
    kubevirtVersion: flags.kubevirtVersion,
    behavior: flags.behavior,
    scope: scopeOf(flags),
  };
}

/** The flags that name the same input again. */
export function sourceWords(flags: InputFlags): string {
  return shellQuoted((flags.filename ?? []).flatMap((source) => ['-f', source]));
}
