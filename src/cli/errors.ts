import { DUMP_COMMAND } from '../dump/errors.ts';
import { printable } from '../forecast/views/text.ts';

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
  WrongFlags: {
    cause: 'Flags or arguments do not fit together.',
    cure: 'See --help of the command.',
  },
  NotYet: {
    cause: 'The command has its place but no answer yet.',
    cure: 'Wait for the release that CHANGELOG.md names.',
  },
  Internal: {
    cause: 'Drover failed where it should not.',
    cure: 'Please report it, with the output of the same command under DROVER_DEBUG=1.',
  },
} as const;
export type ErrorCode = keyof typeof ERRORS;

/** An error that a user can do something about. */
export class DroverError extends Error {
  override readonly name = 'DroverError';
  readonly code: ErrorCode;
  /** What to do this time; the general cure of the code where nothing better is known. */
  readonly cure: string;

  constructor(code: ErrorCode, message: string, cure: string = ERRORS[code].cure) {
    super(message);
    this.code = code;
    this.cure = cure;
  }
}

/** Errors of other rings that carry a code and a cure as well: those of the reader of dumps, which may be several at once. */
interface Coded {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
  readonly lines?: readonly string[];
  readonly count?: number;
}

function isCoded(error: unknown): error is Coded {
  return error instanceof Error && 'code' in error && 'cure' in error && typeof error.cure === 'string';
}

/** `error: …` and what to do, a line each, never a stack; anything unforeseen is told as Internal. */
export function errorText(error: unknown): string {
  const coded = isCoded(error) ? error : internal(error);
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
