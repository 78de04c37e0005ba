import { isJsonObject, type JsonObject } from '../kubevirt/json.ts';
import { DumpFault } from './errors.ts';
import { isSuspect } from './inspect.ts';
import { type ByteReader, type Intake, ListReader, readWhole } from './intake.ts';
import { findJsonFault } from './json-fault.ts';
import { JsonSplitter } from './json-splitter.ts';
import type { Place } from './place.ts';
import { decode } from './text.ts';

/** Reads a JSON file: one object, a List, an object of lists, or objects one after another (JSON lines). */
export function jsonReader(intake: Intake): ByteReader {
  let lists: ListReader | undefined;
  const splitter = new JsonSplitter({
    onValue: (text, place) => readWhole(parseJson(text, place), place, isSuspect(text), intake),
    onListStart: (head, place) => {
      lists ??= new ListReader(intake);
      lists.start(headBefore(head, place), listOf(head));
    },
    onElement: (text, place) => lists?.element(parseJson(text, place), place, isSuspect(text)),
    onListsEnd: (head, place) => {
      const whole = parseJson(head, place);
      if (isJsonObject(whole)) lists?.end(whole, place, isSuspect(head));
      lists = undefined;
    },
  });
  return { push: (chunk) => splitter.push(chunk), end: () => splitter.end() };
}

/** What stands before a list that begins; nothing before a bare one. */
function headBefore(head: Buffer, place: Place): JsonObject {
  if (head.length === 1) return {};
  const closed = parseJson(Buffer.concat([head, Buffer.from(']}')]), place);
  return isJsonObject(closed) ? closed : {};
}

const LAST_KEY = /("(?:[^"\\]|\\.)*")\s*:\s*\[$/;

/** The key of the list that begins; undefined for a bare one. */
function listOf(head: Buffer): string | undefined {
  const key = LAST_KEY.exec(head.subarray(-1000).toString())?.[1];
  return key === undefined ? undefined : String(JSON.parse(key));
}

function parseJson(text: Buffer, place: Place): unknown {
  const source = decode(text, place);
  try {
    return JSON.parse(source);
  } catch {
    throw faultOf(source, place);
  }
}

/** Says what is wrong and in which line and column of the file. */
function faultOf(source: string, place: Place): DumpFault {
  const fault = findJsonFault(source) ?? { at: 0, problem: 'cannot be parsed' };
  const before = source.slice(0, fault.at).split('\n');
  const column = (before.at(-1)?.length ?? 0) + (before.length === 1 ? (place.column ?? 1) : 1);
  const line = (place.line ?? 1) + before.length - 1;
  return new DumpFault('DumpSyntax', { ...place, line, column }, fault.problem);
}
