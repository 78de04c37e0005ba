import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { ControllerError } from '../../controllers/errors.ts';
import { type JournalSink, journalLine } from '../../controllers/journal.ts';
import type { Log } from '../../controllers/ports.ts';
import { messageOf } from '../../kubevirt/thrown.ts';

/** A journal that goes to a file or to stdout, a line of JSON for each entry. */
export interface JournalFile {
  readonly sink: JournalSink;
  /** Resolves when everything is written, as far as it can be. */
  close(): Promise<void>;
}

/** Goes on at the end of a file, or writes to stdout for `-`. Rejects with `JournalUnwritable` where the file cannot be opened. */
export async function openJournal(file: string, log: Log): Promise<JournalFile> {
  if (file === '-') return { sink: (entry) => void process.stdout.write(`${journalLine(entry)}\n`), close };
  const stream = createWriteStream(file, { flags: 'a' });
  try {
    await once(stream, 'open');
  } catch (error) {
    throw new ControllerError('JournalUnwritable', `${file}: ${messageOf(error)}`);
  }
  // A full disk ends the stream; decisions go on without a journal.
  stream.on('error', ({ message }) =>
    log.write('error', 'the journal cannot be written any more', { file, problem: message }),
  );
  return {
    sink: (entry) => void (stream.writable && stream.write(`${journalLine(entry)}\n`)),
    close: () => new Promise((resolve) => (stream.destroyed ? resolve() : stream.end(resolve))),
  };
}

async function close(): Promise<void> {}
