import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { JournalEntry } from '../../controllers/journal.ts';
import { recordLog } from '../../controllers/test-records.ts';
import { openJournal } from './journal-file.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'drover-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const entry = (reason: string): JournalEntry => ({
  ...{ at: 0, controller: 'c', object: 'Node n1', decision: 'd', reason, evidence: [] },
});
const line = (reason: string) =>
  `{"at":"1970-01-01T00:00:00Z","controller":"c","object":"Node n1","decision":"d","reason":"${reason}","evidence":[]}\n`;

it('writes a line for each entry, and goes on at the end of the file', async () => {
  const file = join(folder, 'journal');
  const first = await openJournal(file, recordLog());
  first.sink(entry('A'));
  first.sink(entry('B'));
  await first.close();
  first.sink(entry('Late'));
  const second = await openJournal(file, recordLog());
  second.sink(entry('C'));
  await second.close();
  expect(readFileSync(file, 'utf8')).toBe(['A', 'B', 'C'].map(line).join(''));
});

it('writes to stdout', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const journal = await openJournal('-', recordLog());
  journal.sink(entry('A'));
  await journal.close();
  expect(write.mock.calls.map(([text]) => text)).toEqual([line('A')]);
  write.mockRestore();
});

it('is refused where the file cannot be written', async () => {
  const opening = openJournal(join(folder, 'no', 'such'), recordLog());
  await expect(opening).rejects.toMatchObject({ code: 'JournalUnwritable' });
  await expect(opening).rejects.toThrow(`${join(folder, 'no', 'such')}: ENOENT`);
});

it('goes on without a journal when the disk is full', async () => {
  const log = recordLog();
  const journal = await openJournal('/dev/full', log);
  journal.sink(entry('A'));
  await vi.waitFor(() => expect(log.entries).toHaveLength(1));
  expect(log.entries).toMatchObject([{ level: 'error', message: 'the journal cannot be written any more' }]);
  journal.sink(entry('B'));
  await journal.close();
});
