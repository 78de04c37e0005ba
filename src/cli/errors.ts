import { DUMP_COMMAND } from '../dump/errors.ts';
import { printable } from '../forecast/views/text.ts';
import { CodedError, codedBy, type ErrorTable } from '../kubevirt/coded-error.ts';

/**
 * Every error that a user can meet, by code. The codes are stable; `cause` says what it means in general and `cure` what
 * to do. The message of one error says what was wrong this time.
 */
export const ERRORS = {
  NoInput: {
    cause: 'No file was named, and there is no kubeconfig to find a live cluster by.',
    cure: `Name a kubeconfig with --kubeconfig, or write the cluster to a file and name it: ${DUMP_COMMAND}, then -f cluster.yaml.`,
  },
  NoKubeVirt: {
    cause: 'A file that should hold the changed KubeVirt object holds none.',
    cure: 'Write it with: kubectl get kubevirt -A -o yaml > kubevirt.yaml, and change it.',
  },
  NoPods: {
    cause: 'The pods of the cluster cannot be listed, so there is nobody to ask about.',
    cure: 'Use an account that may list pods, or name a namespace in which it may with -n.',
  },
  UnknownNode: {
    cause: 'A node was named that the input does not have.',
    cure: 'Name a node of the input, or add the nodes to it.',
  },
  UnknownVm: {
    cause: 'A VM was named that the input does not have.',
    cure: 'Name it as NAMESPACE/NAME, as the first column of the table shows it.',
  },
  WrongSetting: {
    cause:
      'A change was asked about that Drover cannot judge: a setting that it does not know, or a value that it cannot have.',
    cure: 'Write --set PATH=VALUE with one of the settings that the error names.',
  },
  WrongFlags: {
    cause: 'Flags or arguments do not fit together.',
    cure: 'See --help of the command.',
  },
  CannotWrite: {
    cause: 'A file or folder that something was to be written to cannot be written.',
    cure: 'Name one in a folder that is there and that you may write to.',
  },
  Internal: {
    cause: 'Drover failed where it should not.',
    cure: 'Please report it, with the output of the same command under DROVER_DEBUG=1.',
  },
} as const satisfies ErrorTable;

/** An error that a user can do something about. */
export class DroverError extends codedBy(ERRORS) {
  override readonly name = 'DroverError';
}

/** What is told of an error; that of the reader of dumps may be several at once. */
interface Coded extends Pick<CodedError, 'code' | 'message' | 'cure'> {
  readonly lines?: readonly string[];
  readonly count?: number;
}

/** `error: …` and what to do, a line each, never a stack; anything unforeseen is told as Internal. */
export function errorText(error: unknown): string {
  const coded = error instanceof CodedError ? error : internal(error);
  const lines = linesOf(coded).map((line) => printable(line));
  return [...lines.map((line) => `error: ${line}`), `  to do: ${printable(coded.cure)}`].join('\n');
}

function linesOf({ code, message, lines = [], count = 1 }: Coded): string[] {
  if (lines.length < 2) return [`${message} (${code})`];
  const more = count - lines.length;
  return [
    ...lines.map((line, i) => (i === 0 ? `${line} (${code})` : line)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

function internal(error: unknown): Coded {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: 'Internal', message, cure: ERRORS.Internal.cure };
}
