/** What can be wrong with a file of guests' behaviours, by code. The codes are stable. */
export const GUEST_ERRORS = {
  GuestsUnreadable: {
    cause: 'A file of guest behaviours is not well-formed YAML.',
    cure: 'Mend the file at the place that the message names.',
  },
  GuestsInvalid: {
    cause: 'A file of guest behaviours says something that means nothing.',
    cure: 'Write a list of entries with selector, bootSeconds, shutdown, migration, migratability, ownEnd and guestAgent, as far as each is wanted.',
  },
} as const satisfies Record<string, { cause: string; cure: string }>;
export type GuestErrorCode = keyof typeof GUEST_ERRORS;

/** An error that whoever wrote the file can do something about. */
export class GuestError extends Error {
  override readonly name = 'GuestError';
  readonly code: GuestErrorCode;
  readonly cure: string;

  constructor(code: GuestErrorCode, message: string) {
    super(message);
    this.code = code;
    this.cure = GUEST_ERRORS[code].cure;
  }
}
