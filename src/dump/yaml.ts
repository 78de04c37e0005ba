import { isJsonObject } from '../kubevirt/json.ts';
import { DumpFault } from './errors.ts';
import { isSuspect } from './inspect.ts';
import { type ByteReader, type Intake, ListReader, readWhole } from './intake.ts';
import { LIMITS } from './limits.ts';
import type { Place } from './place.ts';
import { decode } from './text.ts';
import { linesFrom, parseItem, parseYaml } from './yaml-parse.ts';
import { type LineOf, type YamlPieces, YamlSplitter } from './yaml-splitter.ts';

/** Reads a YAML file: documents, each one object, a List, or an object of lists. */
export function yamlReader(intake: Intake): ByteReader {
  const splitter = new YamlSplitter(new YamlReading(intake));
  return { push: (chunk) => splitter.push(chunk), end: () => splitter.end() };
}

class YamlReading implements YamlPieces {
  readonly #intake: Intake;
  #lists: ListReader | undefined;
  /** The document so far, and every item of it with an anchor: what aliases in later items may mean. */
  #anchored = '';

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  readonly onDocument = (bytes: Buffer, place: Place): void => {
    const value = parseYaml(decode(bytes, place), place, linesFrom(place));
    if (value !== null) readWhole(value, place, isSuspect(bytes), this.#intake);
  };

  readonly onListStart = (head: Buffer, place: Place, lineOf: LineOf): void => {
    this.#anchored = decode(head, place);
    const value = parseYaml(this.#anchored, place, lineOf);
    this.#lists ??= new ListReader(this.#intake);
    this.#lists.start(isJsonObject(value) ? value : {}, 'items');
  };

  readonly onItem = (bytes: Buffer, place: Place, last: boolean): void => {
    const source = decode(bytes, place);
    const value = last ? parseLast(source, this.#anchored, place) : parseItem(source, this.#anchored, place);
    if (ANCHOR.test(source)) this.#remember(source, place);
    this.#lists?.element(value, place, isSuspect(bytes));
  };

  readonly onListEnd = (head: Buffer, place: Place, lineOf: LineOf): void => {
    const source = decode(head, place);
    const value = parseYaml(source, place, lineOf);
    if (!isJsonObject(value) || typeof value.kind !== 'string') {
      const line = lineOf(source.split('\n').length - 1);
      throw new DumpFault(
        'DumpTruncated',
        { line },
        'the file ends behind the items of a list, without kind: List',
      );
    }
    this.#lists?.end(value, place, isSuspect(head));
    this.#lists = undefined;
  };

  #remember(source: string, place: Place): void {
    this.#anchored += source.endsWith('\n') ? source : `${source}\n`;
    if (this.#anchored.length <= LIMITS.objectBytes) return;
    throw new DumpFault('DumpTooLarge', place, 'the anchors of the document hold too much');
  }
}

/** The item that the file ends in: what is wrong with it is that it was cut off. */
function parseLast(source: string, ahead: string, place: Place): unknown {
  try {
    return parseItem(source, ahead, place);
  } catch (error) {
    if (!(error instanceof DumpFault) || error.code !== 'DumpSyntax') throw error;
    throw new DumpFault('DumpTruncated', error.place, `${error.message}, and the file ends in this item`);
  }
}

/** May stand in a text as well, which does no harm. */
const ANCHOR = /(?:^|[\s,[{])&[^\s,[\]{}&]/m;
