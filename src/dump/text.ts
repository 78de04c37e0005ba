import { isUtf8 } from 'node:buffer';
import { DumpFault } from './errors.ts';
import type { Place } from './place.ts';

/** The text of a piece of a file, which has to be UTF-8. A byte order mark goes. */
export function decode(bytes: Buffer, place: Place): string {
  if (!isUtf8(bytes)) throw new DumpFault('DumpEncoding', place, 'is not UTF-8');
  return bytes.toString('utf8');
}
