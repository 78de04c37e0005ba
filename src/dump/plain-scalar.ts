/** Thrown where a text is not of the form that is read here. */
export class BeyondPlain extends Error {
  override readonly name = 'BeyondPlain';
}

/** Where the key of a mapping entry ends, at its colon; −1 for a line without a key. */
export function keyEnd(content: string): number {
  const quoted = QUOTED.exec(content)?.[0].length ?? 0;
  for (let at = content.indexOf(':', quoted); at >= 0; at = content.indexOf(':', at + 1)) {
    if (at + 1 === content.length || content[at + 1] === ' ') return at;
  }
  return -1;
}

/** A quoted text at the start. */
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/;
const LONGEST_KEY = 1000;

/** A key of a mapping. Throws `BeyondPlain` for what is no text, for a longer one than YAML lets stand without a mark, and for `__proto__`. */
export function readKey(text: string): string {
  const key = readScalar(text);
  if (typeof key === 'string' && key !== '__proto__' && text.length <= LONGEST_KEY) return key;
  throw new BeyondPlain();
}

/** A scalar that ends with its line, or an empty collection. */
export function readScalar(text: string): unknown {
  if (text === '{}') return {};
  if (text === '[]') return [];
  const first = text[0];
  if (first === '"') return doubleQuoted(text);
  if (first === "'") return singleQuoted(text);
  return plain(text);
}

const JSON_TEXT = /^"(?:[^"\\]|\\["\\/bfnrt]|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4})*"$/;

function doubleQuoted(text: string): string {
  if (!JSON_TEXT.test(text)) throw new BeyondPlain();
  return text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
}

function singleQuoted(text: string): string {
  if (!/^'(?:[^']|'')*'$/.test(text)) throw new BeyondPlain();
  return text.slice(1, -1).replaceAll("''", "'");
}

/** Begins like a text or number, not like anything that YAML has a sign for (`---` and `...` among them). */
const PLAIN = /^(?!---|\.\.\.)(?:[\w/.+($<^;~]|-[^ ])/;
/** Ends or is cut short: by a value, by a comment, by blanks. */
const CUT = /: | #|[: ]$/;

function plain(text: string): unknown {
  if (!PLAIN.test(text) || CUT.test(text)) throw new BeyondPlain();
  if (WORDS.has(text)) return WORDS.get(text);
  if (SIMPLE_NUMBER.test(text)) return Number(text);
  if (NUMBER.test(text)) throw new BeyondPlain();
  return text;
}

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const SIMPLE_NUMBER = /^(?:0|-?[1-9]\d{0,14})$/;
/** Every other word or number of the core schema, and more than that. */
const NUMBER =
  /^(?:~|null|true|false|[-+]?\.(?:inf|nan)|0[xob][\da-f_]+|[-+]?(?:\d[\d_]*\.?[\d_]*|\.[\d_]+)(?:e[-+]?\d+)?)$/i;
