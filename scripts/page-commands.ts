/** A piece of a page that a reader acts on: a file to write, or commands for a shell. */
export type Step = { readonly file: string; readonly text: string } | { readonly commands: string };

const FENCE = /^(?:(.*)\n\n)?```(\w+)\n([\s\S]*?)^```$/gm;
/** The paragraph before it names the file last. */
const FILE = /`([\w.-]+\.yaml)`[^`]*:$/;
/** From here on the page starts again with a cluster that has nothing of Drover. */
const AFRESH = '<!-- afresh -->';

/**
 * What a page has its reader do, in order, by parts that each begin afresh. Blocks of `sh` are commands; a block of `yaml` under a
 * line that ends with the name of a file is that file. All other blocks are for reading.
 */
export function stepsOf(page: string): readonly (readonly Step[])[] {
  return page.split(AFRESH).map((part) => [...part.matchAll(FENCE)].flatMap(stepOf));
}

function stepOf([, before = '', language, text = '']: RegExpMatchArray): Step[] {
  if (language === 'sh') return [{ commands: text }];
  const [, file] = FILE.exec(before) ?? [];
  return language === 'yaml' && file !== undefined ? [{ file, text }] : [];
}
