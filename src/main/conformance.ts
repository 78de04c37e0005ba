import { existsSync } from 'node:fs';
import { runHistories } from '../conformance/histories.ts';
import { reportOf } from '../conformance/report.ts';
import { type FileResult, runVectors } from '../conformance/vectors.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import { askDrover } from './ask.ts';
import { scriptFlags } from './script-flags.ts';

/** What can be run: a flag that takes a folder, the folder that is run without any flag, and the runner. */
interface Suite {
  readonly flag: string;
  readonly folder: string;
  readonly run: (folder: string) => readonly FileResult[] | Promise<readonly FileResult[]>;
}

const SUITES: readonly Suite[] = [
  { flag: 'vectors', folder: 'testdata/vectors', run: runVectors },
  { flag: 'histories', folder: 'testdata/histories', run: (folder) => runHistories(folder, askDrover) },
];

const USAGE = `usage: npm run conformance -- ${SUITES.map(({ flag }) => `[--${flag} DIR]`).join(' ')}

Runs what the real KubeVirt decided and did through Drover. Exits 1 when something differs.

${SUITES.map(({ flag, folder }) => `  --${flag} DIR: those of this folder alone (as a rule ${folder})`).join('\n')}`;

/** Flag → folder: those that were given, or all where none was. */
function foldersAsked(): ReadonlyMap<string, string> {
  const options = Object.fromEntries(SUITES.map(({ flag }) => [flag, { type: 'string' as const }]));
  const given = Object.entries(scriptFlags(USAGE, { options }).values).map(
    ([flag, dir]) => [flag, String(dir)] as const,
  );
  return new Map(given.length > 0 ? given : SUITES.map(({ flag, folder }) => [flag, folder]));
}

async function main(): Promise<number> {
  let failures = 0;
  for (const [flag, folder] of foldersAsked()) {
    const run = SUITES.find((suite) => suite.flag === flag)?.run;
    const report = reportOf(folder, run && existsSync(folder) ? await run(folder) : []);
    console.log(report.lines.join('\n'));
    failures += Number(report.failed);
  }
  return failures === 0 ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(`conformance: ${messageOf(error)}`);
  return 2;
});
