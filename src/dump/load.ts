import { stdin } from 'node:process';
import type { Fleet } from '../fleet/fleet.ts';
import { DEFAULT_NAMESPACE } from '../kubevirt/kinds.ts';
import type { ProjectionOptions } from '../kubevirt/projection.ts';
import { counted } from '../kubevirt/words.ts';
import { type Bytes, contentOf } from './bytes.ts';
import { Collection, type Hints } from './collect.ts';
import { DumpError, DumpFault, type DumpProblem, dumpProblem } from './errors.ts';
import type { ByteReader } from './intake.ts';
import { jsonReader } from './json.ts';
import { type DumpFile, findFiles, type Source, unreadableBy } from './sources.ts';
import { yamlReader } from './yaml.ts';

export interface Progress {
  readonly file: string;
  /** Bytes of this file so far, unzipped. */
  readonly bytes: number;
  /** Objects of all files so far. */
  readonly objects: number;
}

export interface LoadOptions extends Omit<ProjectionOptions, 'pool'> {
  /** What `-` reads; by default the process's stdin. */
  readonly stdin?: Bytes | undefined;
  /** Called for every piece of a file of about a MiB. */
  readonly progress?: ((progress: Progress) => void) | undefined;
}

export interface LoadResult {
  readonly fleet: Fleet;
  readonly hints: Hints;
  /** Kinds that Drover does not read, as `Kind.group`, and how many objects there were of each. */
  readonly ignoredKinds: ReadonlyMap<string, number>;
  /** Objects in the input, ignored and repeated ones included. */
  readonly objects: number;
  /** What was odd, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Reads a cluster from files: Lists, documents, JSON lines, objects of lists, folders of those (must-gather), gzipped or
 * not; `-` is stdin. The format is told by content.
 *
 * Promise: memory grows with what Drover keeps of the objects, not with the files. A file that cannot be read as a whole
 * throws at once; wrong objects are collected first. What is thrown is a `DumpError`. An object may stand there several
 * times if it is equal each time.
 */
export async function loadFleet(sources: readonly Source[], options: LoadOptions = {}): Promise<LoadResult> {
  const { files, passedOver } = await findFiles(sources, options.stdin ?? stdin);
  const collection = new Collection(options);
  for (const file of files) await readFile(file, collection, options);
  refuseProblems(collection.problems, collection.problemCount);
  const { fleet, hints, ignoredKinds, objects } = collection;
  return { fleet, hints, ignoredKinds, objects, notes: notesOf(collection, passedOver) };
}

async function readFile(file: DumpFile, collection: Collection, options: LoadOptions): Promise<void> {
  try {
    const { format, bytes } = await contentOf(file.open());
    const intake = collection.intakeOf(file.name, file.found);
    await pump(format === 'json' ? jsonReader(intake) : yamlReader(intake), bytes, (read) =>
      options.progress?.({ file: file.name, bytes: read, objects: collection.objects }),
    );
  } catch (error) {
    if (file.found && error instanceof DumpFault && error.code === 'DumpEmpty') collection.strange++;
    else throw namedError(file.name, error, collection);
  }
}

async function pump(
  reader: ByteReader,
  bytes: AsyncIterable<Buffer>,
  tell: (read: number) => void,
): Promise<void> {
  let read = 0;
  for await (const chunk of bytes) {
    reader.push(chunk);
    read += chunk.length;
    tell(read);
  }
  reader.end();
}

/** The fault of this file, in front of the wrong objects that were found before it. */
function namedError(name: string, error: unknown, collection: Collection): unknown {
  if (error instanceof DumpFault) {
    const problem = dumpProblem(error.code, name, error.place, error.message);
    return new DumpError([problem, ...collection.problems], collection.problemCount + 1);
  }
  return (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadableBy(name, error);
}

function refuseProblems(problems: readonly DumpProblem[], count: number): void {
  const [first, ...others] = problems;
  if (first) throw new DumpError([first, ...others], count);
}

function notesOf(collection: Collection, passedOver: number): string[] {
  const { objects, repeated, homeless, strange } = collection;
  const notes: string[] = [];
  if (objects === 0) notes.push('The input holds no Kubernetes object.');
  if (repeated > 0)
    notes.push(`${counted(repeated, 'object')} stood there more than once, each time the same.`);
  if (homeless > 0)
    notes.push(`${counted(homeless, 'object')} without a namespace: taken to be in ${DEFAULT_NAMESPACE}.`);
  if (strange > 0) notes.push(`${counted(strange, 'value')} in the folders held no Kubernetes object.`);
  if (passedOver > 0)
    notes.push(`${counted(passedOver, 'file')} in the folders had other endings and were not read.`);
  return notes;
}
