import { padEnd, paragraphs, wrap } from '../../forecast/views/text.ts';
import type { HelpEntry, HelpPage, HelpSection } from './page.ts';

/** Terms longer than this put their text on the next line. */
const LONGEST_TERM = 30;

/** A help page for a terminal of some width. */
export function helpText(page: HelpPage, width: number): string {
  return paragraphs([
    flowed(page.description, width),
    ['Usage:', `  ${page.usage}`],
    ...page.sections.map((section) => sectionLines(section, width)),
  ]);
}

/** Lines of one paragraph follow one another as far as there is room; one that is indented stays as it is. */
function flowed(text: string, width: number): string[] {
  const blocks: string[][] = [];
  for (const line of text.split('\n')) {
    const last = blocks.at(-1);
    const goesOn = isProse(line) && last?.every(isProse);
    if (goesOn) last?.push(line);
    else blocks.push([line]);
  }
  return blocks.flatMap((lines) => (lines.every(isProse) ? wrap(lines.join(' '), width) : lines));
}

function isProse(line: string): boolean {
  return line !== '' && !line.startsWith(' ');
}

function sectionLines({ title, entries }: HelpSection, width: number): string[] {
  if (entries.length === 0) return [];
  const longest = Math.max(...entries.map(({ term }) => term.length));
  const column = Math.min(longest, LONGEST_TERM) + 4;
  return [`${title}:`, ...entries.flatMap((entry) => entryLines(entry, column, width))];
}

function entryLines(entry: HelpEntry, column: number, width: number): string[] {
  const lines = wrap(entryText(entry), width - column);
  const term = `  ${entry.term}`;
  const besides = term.length + 2 <= column;
  const indented = lines.map((line) => ' '.repeat(column) + line);
  if (!besides) return [term, ...indented];
  return [padEnd(term, column) + (lines[0] ?? ''), ...indented.slice(1)];
}

/** The text with the values that can stand there and the default. */
function entryText({ text, values, byDefault }: HelpEntry): string {
  const choice = values.length > 0 ? `: ${values.join(', ')}` : '';
  return `${text}${choice}${byDefault === undefined ? '' : ` (default ${byDefault})`}`;
}
