import { isJsonObject, type JsonObject, objectAt } from '../../kubevirt/json.ts';
import { type CallFailure, failureOfStatus } from '../answer.ts';
import { BadLine } from './byte-lines.ts';

/** One line of a watch. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: JsonObject; readonly version: string }
  | { readonly type: 'BOOKMARK'; readonly version: string }
  | { readonly type: 'ERROR'; readonly failure: CallFailure };

const CHANGES = new Set(['ADDED', 'MODIFIED', 'DELETED']);

/** Reads a line of a watch. Throws a `BadLine` for anything that is not such a line. */
export function readWatchEvent(line: string): WatchEvent {
  const { type, object } = parse(line);
  if (type === 'ERROR') {
    const failure = failureOfStatus(object);
    if (failure) return { type, failure };
  }
  const version = isJsonObject(object) ? objectAt(object, 'metadata').resourceVersion : undefined;
  if (!isJsonObject(object) || typeof version !== 'string' || version === '') throw bad(line);
  if (type === 'BOOKMARK') return { type, version };
  if (!isChange(type)) throw bad(line);
  return { type, object, version };
}

function isChange(type: unknown): type is 'ADDED' | 'MODIFIED' | 'DELETED' {
  return typeof type === 'string' && CHANGES.has(type);
}

function parse(line: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    if (isJsonObject(value)) return value;
  } catch {
    // Told below, like everything else that is no event.
  }
  throw bad(line);
}

function bad(line: string): BadLine {
  return new BadLine(`a line is no watch event: ${line.slice(0, 100)}`);
}
