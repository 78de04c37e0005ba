import { padEnd, paragraphs, wrap } from '../../forecast/views/text.ts';
import type { HelpEntry, HelpPage, HelpSection } from './page.ts';

/** Terms longer than this put their text on the next line. */
const LONGEST_TERM = 30;

/** A help page for a terminal of some width. */
export function helpText(page: HelpPage, width: number): string {
  const description = page.description.split('\n').flatMap((line) => wrap(line, width));
  return paragraphs([
    description,
    ['Usage:', `  ${page.usage}`],
    ...page.sections.map((section) => sectionLines(section, width)),
  ]);
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
