/** How the npm scripts beside the program (`accuracy`, `histories`, `conformance`, `bench`, `fleet`) are asked. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { messageOf } from '../kubevirt/thrown.ts';

/** What the command line says, beside the usage of the script. */
type Asked<T extends ParseArgsConfig> = ReturnType<typeof parseArgs<T>>;

/**
 * The flags of the script.
 *
 * `--help` prints the usage and ends the process with 0. A flag that is none of it, or lacks its value, ends it with 2, and
 * says which, beside the usage.
 */
export function scriptFlags<const T extends ParseArgsConfig>(usage: string, config: T): Asked<T> {
  if (process.argv.slice(2).includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config) as Asked<T>;
  } catch (error) {
    return refuse(usage, messageOf(error));
  }
}

/** Ends the process with 2 for what is wrong in its flags. */
export function refuse(usage: string, problem: string): never {
  console.error(`error: ${problem}\n\n${usage}`);
  process.exit(2);
}

/** The whole number from 0 that a flag has; ends the process with 2 where it has none. */
export function countOf(usage: string, flag: string, text: string): number {
  return /^\d+$/.test(text) ? Number(text) : refuse(usage, `--${flag} takes a whole number, not "${text}"`);
}
