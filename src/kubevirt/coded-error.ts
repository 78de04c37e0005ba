/** What can go wrong somewhere, by code: what a code means in general, and what to do about it. */
export type ErrorTable<Code extends string = string> = Readonly<
  Record<Code, { readonly cause: string; readonly cure: string }>
>;

/**
 * An error that whoever runs Drover can do something about: the command line prints it with its code and `cure`, and
 * exits with 2. The codes are stable, and `docs/reference/errors.md` lists them; the message says what was wrong this time.
 */
export class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly cure: string;

  constructor(code: Code, message: string, cure: string) {
    super(message);
    this.code = code;
    this.cure = cure;
  }
}

/** The errors of one table, to be given a name; `cure` is that of the code where nothing better is known. */
export function codedBy<Code extends string>(errors: ErrorTable<Code>) {
  return class extends CodedError<Code> {
    constructor(code: Code, message: string, cure: string = errors[code].cure) {
      super(code, message, cure);
    }
  };
}
