#!/usr/bin/env node
import packageJson from '../../package.json' with { type: 'json' };
import type { CliContext } from '../cli/context.ts';
import { DroverError } from '../cli/errors.ts';
import { main } from '../cli/main.ts';
import type { Answers, ReadInput } from '../cli/ports.ts';
import { programName, terminalOf } from '../cli/terminal.ts';

const notYet = (what: string) => async (): Promise<never> => {
  throw new DroverError('NotYet', `${what} cannot be answered yet`);
};

/** One line for each question; the code behind it loads when it is asked. */
const answers: Answers = {
  planUpgrade: notYet('plan upgrade'),
  planDrain: notYet('plan drain'),
  planEvict: notYet('plan evict'),
  planConfig: notYet('plan config'),
  planEdit: notYet('plan edit'),
  explainVmi: notYet('explain vmi'),
  lint: async (...asked) => (await import('../forecast/lint/lint.ts')).lint(...asked),
};

const readInput: ReadInput = notYet('a file');

const { stdout, stderr, env } = process;
const context: CliContext = {
  process: { stdout, stderr, env },
  program: programName(process.argv[1]),
  version: packageJson.version,
  terminal: terminalOf(stdout, stderr, env),
  now: Date.now,
  readInput,
  answers,
};

/** A reader that goes away (`| head`) is no error: what it read was enough. */
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(Number(context.process.exitCode ?? 0));
});

process.exitCode = await main(process.argv.slice(2), context);
