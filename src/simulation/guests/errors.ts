import { codedBy, type ErrorTable } from '../../kubevirt/coded-error.ts';

/** What can be wrong with a file of guests' behaviours, by code. The codes are stable. */
export const GUEST_ERRORS = {
  GuestsUnreadable: {
    cause: 'A file of guest behaviours cannot be read, or is not well-formed YAML.',
    cure: 'Check the path, and mend the file at the place that the message names.',
  },
  GuestsInvalid: {
    cause: 'A file of guest behaviours says something that means nothing.',
    cure: 'Write a list of entries with selector, bootSeconds, shutdown, migration, migratability, ownEnd and guestAgent, as far as each is wanted.',
  },
} as const satisfies ErrorTable;

/** An error that whoever wrote the file can do something about. */
export class GuestError extends codedBy(GUEST_ERRORS) {
  override readonly name = 'GuestError';
}
