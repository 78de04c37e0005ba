import { appFor } from '../src/cli/app.ts';
import { ERRORS } from '../src/cli/errors.ts';
import { referenceOf } from '../src/cli/help/markdown.ts';
import { CONTROLLER_ERRORS } from '../src/controllers/errors.ts';
import { DUMP_ERRORS } from '../src/dump/errors.ts';
import { OUTCOMES } from '../src/forecast/forecast.ts';
import { findingsPage } from '../src/forecast/lint/reference.ts';
import { RULES } from '../src/forecast/lint/rules.ts';
import { MEANING } from '../src/forecast/views/meaning.ts';
import { KUBERNETES_ERRORS } from '../src/kubernetes/errors.ts';
import { LAB_ERRORS } from '../src/lab/errors.ts';
import { SCENARIO_ERRORS } from '../src/scenario/errors.ts';
import { SERVER_ERRORS } from '../src/server/errors.ts';
import { GUEST_ERRORS } from '../src/simulation/guests/errors.ts';
import { editorSchemas } from './editor-schemas.ts';

/** The pages of `docs/reference/`, by file name. Each is made from the code alone, so that a test can tell a stale one. */
export function referencePages(): ReadonlyMap<string, string> {
  return new Map([
    [
      'cli.md',
      referenceOf(appFor({ program: 'drover', version: '', width: 100, debug: false }).root, 'drover'),
    ],
    ['errors.md', errorsPage()],
    ['findings.md', findingsPage(RULES, WRITTEN)],
    ['outcomes.md', outcomesPage()],
    ...editorSchemas(),
  ]);
}

const WRITTEN = '<!-- Written by `npm run docs`; do not edit. -->';

function errorsPage(): string {
  const rows = Object.entries({
    ...ERRORS,
    ...DUMP_ERRORS,
    ...KUBERNETES_ERRORS,
    ...SERVER_ERRORS,
    ...CONTROLLER_ERRORS,
    ...SCENARIO_ERRORS,
    ...GUEST_ERRORS,
    ...LAB_ERRORS,
  }).map(([code, { cause, cure }]) => `| \`${code}\` | ${cause} | ${cure} |`);
  return ['# Errors', '', WRITTEN, '', '| Code | Cause | Cure |', '| --- | --- | --- |', ...rows, ''].join(
    '\n',
  );
}

function outcomesPage(): string {
  const rows = OUTCOMES.map((outcome) => `| \`${outcome}\` | ${MEANING[outcome]} |`);
  return [
    '# Outcomes',
    '',
    WRITTEN,
    '',
    'What will have become of a VM in the end, worst first: the order of `--fail-on` and of every table.',
    '',
    '| Outcome | Meaning |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
