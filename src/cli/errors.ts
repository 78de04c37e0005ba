import { printable } from '../forecast/views/text.ts';

/**
 * Every error that a user can meet, by code. The codes are stable; `cause` says what it means in general and `cure` what
 * to do. The message of one error says what was wrong this time.
 */
export const ERRORS = {
  NoInput: {
    cause: 'No file was named. Reading a live cluster comes with a later release.',
    cure: 'Write the cluster to a file and name it: kubectl get kubevirt,vm,vmi,vmim,node,pod,pvc,pv,pdb -A -o yaml > cluster.yaml, then -f cluster.yaml.',
  },
  UnreadableInput: {
    cause: 'A file or folder cannot be read.',
    cure: 'Check the path and its permissions.',
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

/** Errors of other rings that carry a code and a cure as well (the reader of dumps, say). */
interface Coded {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
}

function isCoded(error: unknown): error is Coded {
  return error instanceof Error && 'code' in error && 'cure' in error && typeof error.cure === 'string';
}

/** `error: …` and what to do, one line each, never a stack; anything unforeseen is told as Internal. */
export function errorText(error: unknown): string {
  const { code, message, cure } = isCoded(error) ? error : internal(error);
  return `error: ${printable(message)} (${code})\n  to do: ${printable(cure)}`;
}

function internal(error: unknown): Coded {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: 'Internal', message, cure: ERRORS.Internal.cure };
}
