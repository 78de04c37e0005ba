#!/usr/bin/env node
import packageJson from '../../package.json' with { type: 'json' };
import type { CliContext } from '../cli/context.ts';
import { main } from '../cli/main.ts';
import { programName, terminalOf } from '../cli/terminal.ts';
import { answers } from './answers.ts';
import { endWithoutReader } from './lost-reader.ts';
import { readInput } from './read-input.ts';
import { readLive } from './read-live.ts';
import { services } from './services.ts';

const { stdout, stderr, env } = process;
const context: CliContext = {
  process: { stdout, stderr, env },
  program: programName(process.argv[1]),
  version: packageJson.version,
  terminal: terminalOf(stdout, stderr, env),
  now: Date.now,
  readInput,
  readLive,
  answers,
  services,
};

endWithoutReader([stdout, stderr], process, () => process.exit(Number(context.process.exitCode ?? 0)));

process.exitCode = await main(process.argv.slice(2), context);
