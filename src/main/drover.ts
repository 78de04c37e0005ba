#!/usr/bin/env node
import packageJson from '../../package.json' with { type: 'json' };
import type { CliContext } from '../cli/context.ts';
import { main } from '../cli/main.ts';
import type { Answers } from '../cli/ports.ts';
import { programName, terminalOf } from '../cli/terminal.ts';
import { readInput } from './read-input.ts';

/** One line for each question; the code behind it loads when it is asked. */
const answers: Answers = {
  planUpgrade: async (...asked) => (await import('../forecast/upgrade.ts')).planUpgrade(...asked),
  planDrain: async (...asked) => (await import('../forecast/drain.ts')).planDrain(...asked),
  planEvict: async (...asked) => (await import('../forecast/evict.ts')).planEvict(...asked),
  planConfig: async (...asked) => (await import('../forecast/config.ts')).planConfig(...asked),
  planEdit: async (...asked) => (await import('../forecast/edit.ts')).planEdit(...asked),
  explainVmi: async (...asked) => (await import('../forecast/explain.ts')).explainVmi(...asked),
  lint: async (...asked) => (await import('../forecast/lint/lint.ts')).lint(...asked),
};

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
