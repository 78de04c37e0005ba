/** Flags that take a value and have one letter, so that the value may follow without a space: `-ojson`, `-nshop`. */
const WITH_VALUE = /^-([fnlo])=?(.+)$/s;

/**
 * The arguments as kubectl's users write them: a value may stick to its one-letter flag. After `--` nothing is touched.
 */
export function separateShortFlags(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  const rest = end === -1 ? [] : argv.slice(end);
  return [...flags.flatMap(separate), ...rest];
}

function separate(argument: string): string[] {
  const [, letter, value] = WITH_VALUE.exec(argument) ?? [];
  return letter === undefined || value === undefined ? [argument] : [`-${letter}`, value];
}

/** The words as a shell reads them back: quoted where a word has more than plain characters. */
export function shellQuoted(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
