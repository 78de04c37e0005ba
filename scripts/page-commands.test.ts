import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PAGES_WITH_EXAMPLES } from './examples.ts';
import { stepsOf } from './page-commands.ts';

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\`\`\`\n`;

it('commands and files, in order', () => {
  const page = [
    '# A page\n',
    fence('sh', 'one\ntwo\n'),
    'Write `values.yaml`, in your folder:\n',
    fence('yaml', 'a: b\n'),
    'It looks like `that.yaml` there.\n',
    fence('yaml', 'not: written\n'),
    fence('text', 'not run\n'),
    fence('console', '$ not run here\n'),
    fence('sh', 'three\n'),
  ].join('\n');
  expect(stepsOf(page)).toEqual([
    [{ commands: 'one\ntwo\n' }, { file: 'values.yaml', text: 'a: b\n' }, { commands: 'three\n' }],
  ]);
});

it('parts begin afresh', () => {
  const page = `${fence('sh', 'one\n')}\n<!-- afresh -->\n## Or\n\n${fence('sh', 'two\n')}`;
  expect(stepsOf(page)).toEqual([[{ commands: 'one\n' }], [{ commands: 'two\n' }]]);
});

it('nothing to do', () => {
  expect(stepsOf('# A page\n')).toEqual([[]]);
});

const PAGES = ['docs/how-to', 'docs/runbooks'].flatMap((folder) =>
  readdirSync(folder).map((name) => join(folder, name)),
);

it.each(PAGES)('no command of %s goes untried, and no link leads nowhere', (path) => {
  const page = readFileSync(path, 'utf8');
  const languages = [...page.matchAll(/^```(.*)\n[\s\S]*?^```$/gm)].map(([, language]) => language);
  // Commands are in the first two: `console` of the pages whose output is compared, `sh` of every page.
  expect(languages.filter((language = '') => !['console', 'sh', 'yaml', 'text'].includes(language))).toEqual(
    [],
  );
  expect(languages.includes('console')).toBe(PAGES_WITH_EXAMPLES.includes(path));
  const links = [...page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) =>
    join(path, '..', link),
  );
  for (const link of links) expect(existsSync(link), link).toBe(true);
});
