import { CodedError, type ErrorTable } from '../kubevirt/coded-error.ts';
import { describePlace, type Place, shown } from './place.ts';

/** Writes all that forecasts read of most clusters: of an unknown kind kubectl would write nothing at all. */
export const DUMP_COMMAND =
  'kubectl get kubevirt,vm,vmi,vmim,node,ns,pod,pvc,pv,pdb,quota,ds -A -o yaml > cluster.yaml';

/** What can be wrong with a dump, by code. The codes are stable; `cause` and `cure` are general, an error says more. */
export const DUMP_ERRORS = {
  DumpUnreadable: {
    cause: 'A file or folder cannot be read, or holds nothing to read.',
    cure: 'Check the path and its permissions.',
  },
  DumpEmpty: {
    cause: 'A file holds no object at all.',
    cure: `Write the dump again: ${DUMP_COMMAND}`,
  },
  DumpBinary: {
    cause: 'A file is neither text nor gzip.',
    cure: 'Give JSON or YAML as kubectl writes it, plain or gzipped; unpack archives first and give the folder.',
  },
  DumpEncoding: {
    cause: 'A file is not written in UTF-8.',
    cure: 'Write the file in UTF-8. In PowerShell: kubectl … | Out-File -Encoding utf8 cluster.yaml',
  },
  DumpSyntax: {
    cause: 'A file is not well-formed JSON or YAML.',
    cure: 'Write the dump again with kubectl, or mend the file at that place.',
  },
  DumpTruncated: {
    cause: 'A file ends in the middle.',
    cure: 'The dump was cut off: write it again, and check that there was room on the disk.',
  },
  DumpTooLarge: {
    cause: 'One object, text or nesting is larger than Kubernetes allows.',
    cure: 'No API server gives such an object; remove it from the file.',
  },
  DumpUnsafeKey: {
    cause: 'A key would change the prototype of JavaScript objects.',
    cure: 'No API server gives such a key; find out where the file comes from, and remove the key.',
  },
  DumpNotKubernetes: {
    cause: 'Something in a file is no Kubernetes object.',
    cure: 'Give the output of kubectl get -o yaml or -o json; every object has apiVersion, kind and metadata.name.',
  },
  DumpWrongType: {
    cause: 'A field of an object has a type that Kubernetes does not give it.',
    cure: 'Write the dump again, or mend the field; redacted values have to keep their type.',
  },
  DumpDuplicate: {
    cause: 'One object stands there twice, with different content.',
    cure: 'Give only one of the two: dumps of different moments or clusters were mixed.',
  },
} as const satisfies ErrorTable;
export type DumpErrorCode = keyof typeof DUMP_ERRORS;

/** One thing that is wrong with the input. */
export interface DumpProblem {
  readonly code: DumpErrorCode;
  readonly file: string;
  /** Line, column, document, item, object, as far as known; empty for the file as a whole. */
  readonly place: string;
  /** What is wrong there, in words. */
  readonly cause: string;
  readonly cure: string;
}

/** How many problems an error tells; the others are counted. */
export const MOST_TOLD = 5;

/** Input that cannot be read. `message` is one line: file, place, cause, and how many more there are. */
export class DumpError extends CodedError<DumpErrorCode> {
  override readonly name = 'DumpError';
  readonly file: string;
  readonly place: string;
  override readonly cause: string;
  /** The first problems, a line each, at most `MOST_TOLD`. */
  readonly lines: readonly string[];
  /** How many problems there are in all. */
  readonly count: number;

  /** `count` is for problems beyond those given. */
  constructor(problems: readonly [DumpProblem, ...DumpProblem[]], count: number = problems.length) {
    const [first] = problems;
    super(first.code, lineOf(first) + (count > 1 ? ` (and ${count - 1} more)` : ''), first.cure);
    this.file = first.file;
    this.place = first.place;
    this.cause = first.cause;
    this.lines = problems.slice(0, MOST_TOLD).map(lineOf);
    this.count = count;
  }
}

function lineOf(problem: DumpProblem): string {
  return [problem.file, problem.place, problem.cause].filter((part) => part !== '').join(': ');
}

/** A problem in words; file names and causes may carry text from the input, which is made harmless and short. */
export function dumpProblem(
  code: DumpErrorCode,
  file: string,
  place: Place,
  cause: string,
  cure: string = DUMP_ERRORS[code].cure,
): DumpProblem {
  return { code, file: shown(file, 300), place: describePlace(place), cause: shown(cause, 400), cure };
}

/** Thrown by readers of one format, which do not know the file's name; turned into a `DumpError` where the name is known. */
export class DumpFault extends Error {
  override readonly name = 'DumpFault';
  readonly code: DumpErrorCode;
  readonly place: Place;

  constructor(code: DumpErrorCode, place: Place, cause: string) {
    super(cause);
    this.code = code;
    this.place = place;
  }
}
