import type { Scope } from '../forecast/questions.ts';
import { shellQuoted } from './arguments.ts';
import type { CliContext } from './context.ts';
import type { InputFlags, ScopeFlags } from './flags.ts';
import type { AskOptions, Input, LiveSource } from './ports.ts';
import { ProgressLine } from './progress.ts';

/**
 * Reads the cluster that the flags name, with progress on a watched terminal: the files of `-f`, else the live cluster that
 * kubectl would ask.
 */
export async function readCluster(
  context: CliContext,
  flags: InputFlags & { readonly namespace?: string },
): Promise<Input> {
  const sources = flags.filename ?? [];
  const progress = new ProgressLine(context);
  const onProgress = (line: string): void => progress.show(line);
  onProgress(`reading ${sources.length > 0 ? sources.join(', ') : 'the cluster'} …`);
  try {
    if (sources.length > 0) return await context.readInput(sources, onProgress);
    return await context.readLive(liveSource(flags), onProgress);
  } finally {
    progress.clear();
  }
}

/** Which live cluster the flags name. */
export function liveSource(flags: InputFlags & { readonly namespace?: string }): LiveSource {
  const { context, kubeconfig, requestTimeout, namespace } = flags;
  return { context, kubeconfig, requestTimeoutSeconds: requestTimeout, namespace };
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
  const files = (flags.filename ?? []).flatMap((source) => ['-f', source]);
  const kubeconfig = flags.kubeconfig === undefined ? [] : ['--kubeconfig', flags.kubeconfig];
  const context = flags.context === undefined ? [] : ['--context', flags.context];
  return shellQuoted(files.length > 0 ? files : [...kubeconfig, ...context]);
}
