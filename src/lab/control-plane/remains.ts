/** What labs leave behind that cannot end in order: killed, or fallen with the machine. */
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject } from '../../kubevirt/json.ts';
import { type CommandLine, isThere, kill, PROCESSES, type ProcessTable } from './processes.ts';

/** Folders of labs begin so. */
export const FOLDER_PREFIX = 'drover-lab-';
const OWNER_FILE = 'owner.json';
const PATIENCE_MS = 5_000;

/** Says in the folder of a lab that it is this process's. */
export function writeOwner(folder: string, table: ProcessTable = PROCESSES): void {
  const { pid } = process;
  const owner = { pid, host: hostname(), begun: table.beginningOf(pid) };
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify(owner), { mode: 0o600 });
}

/**
 * Takes away the folders of labs whose process is gone, and ends first what still runs of their control planes. Tells of
 * each in a line.
 *
 * Promise: nothing is touched unless a folder of this user says that it belonged to a process of this machine that is gone; of
 * processes, only a lab's programs that were started on such a folder.
 */
export async function clearRemains(
  tell: (line: string) => void,
  table: ProcessTable = PROCESSES,
): Promise<void> {
  for (const folder of labFolders().filter((each) => isAbandoned(each, table))) {
    const ended = await endProcessesOf(folder, table);
    rmSync(folder, { recursive: true, force: true });
    const what = ended.length === 0 ? '' : `, and ended ${ended.join(', ')}`;
    tell(`a lab was killed before: removed ${folder}${what}\n`);
  }
}

function labFolders(): string[] {
  if (!existsSync(tmpdir())) return [];
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(FOLDER_PREFIX))
    .map((name) => join(tmpdir(), name));
}

function isAbandoned(folder: string, table: ProcessTable): boolean {
  try {
    const stat = lstatSync(folder);
    if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return false;
    const owner: unknown = JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8'));
    if (!isJsonObject(owner) || owner.host !== hostname() || typeof owner.pid !== 'number') return false;
    return !isThere(owner.pid) || isAnother(table.beginningOf(owner.pid), owner.begun);
  } catch {
    // A lab that just begins, or just ends.
    return false;
  }
}

/** Another process has its number; where one of the two is not known, it may be the same. */
function isAnother(begun: string, wanted: unknown): boolean {
  return begun !== '' && typeof wanted === 'string' && wanted !== '' && begun !== wanted;
}

const PROGRAM = /(?:^|\/)(etcd|kube-apiserver|kube-controller-manager|kube-scheduler) --/;

/** Gives their names with their numbers. */
async function endProcessesOf(folder: string, table: ProcessTable): Promise<string[]> {
  const found = table.commandLines().filter(({ text }) => text.includes(`=${folder}/`) && PROGRAM.test(text));
  for (const { pid } of found) kill(pid);
  const end = Date.now() + PATIENCE_MS;
  while (found.some(({ pid }) => isThere(pid)) && Date.now() < end) await sleep(20);
  return found.map(nameOf);
}

function nameOf({ pid, text }: CommandLine): string {
  return `${PROGRAM.exec(text)?.[1]} (${pid})`;
}
