import { type HelpEntry, type HelpPage, type HelpSection, helpPage, isGroup, type Target } from './page.ts';

/** Every command and group below a target, depth first, in the order of the help. */
function allPages(target: Target, words: readonly string[]): HelpPage[] {
  const page = helpPage(target, words);
  if (!isGroup(target)) return [page];
  const below = target
    .getAllEntries()
    .filter(({ hidden }) => !hidden)
    .flatMap((entry) => allPages(entry.target, [...words, entry.name['convert-camel-to-kebab']]));
  return [page, ...below];
}

/** The reference of the command line as Markdown. */
export function referenceOf(target: Target, program: string): string {
  const pages = allPages(target, [program]);
  const head = ['# Command line', '', '<!-- Written by `npm run docs`; do not edit. -->', ''];
  return [...head, ...pages.map(pageMarkdown)].join('\n');
}

function pageMarkdown(page: HelpPage): string {
  const sections = page.sections.filter(({ entries }) => entries.length > 0).map(sectionMarkdown);
  return [`## ${page.name}`, '', fenced(page.description), '', fenced(page.usage), '', ...sections].join(
    '\n',
  );
}

/** Several lines keep their form; one line is a paragraph, a usage line code. */
function fenced(text: string): string {
  const isCode = text.includes('\n') || text.startsWith('drover');
  return isCode ? `\`\`\`\n${text}\n\`\`\`` : text;
}

function sectionMarkdown({ title, entries }: HelpSection): string {
  return [
    `| ${title} | | Values | Default |`,
    '| --- | --- | --- | --- |',
    ...entries.map(entryMarkdown),
    '',
  ].join('\n');
}

function entryMarkdown({ term, text, values, byDefault }: HelpEntry): string {
  const choice = values.map((value) => `\`${value}\``).join(' ');
  const fallback = byDefault === undefined ? '' : `\`${byDefault}\``;
  return `| \`${cell(term.trim())}\` | ${cell(text)} | ${choice} | ${fallback} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
