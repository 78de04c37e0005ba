import { run } from '@stricli/core';
import { appFor } from './app.ts';
import { separateShortFlags } from './arguments.ts';
import { complete } from './completion/complete.ts';
import type { CliContext } from './context.ts';
import { EXIT } from './gate.ts';

/** The word by which completion scripts and `kubectl_complete-drover` ask for proposals. */
const COMPLETE = '__complete';

/**
 * Runs one command line and gives the exit code: the command's own, and 2 for everything that kept it from answering
 * (stricli's codes for unknown commands and wrong flags are negative).
 */
export async function main(argv: readonly string[], context: CliContext): Promise<number> {
  const { program, version, terminal } = context;
  const debug = Boolean(context.process.env?.DROVER_DEBUG);
  let failed = false;
  const onFailure = (): void => {
    failed = true;
  };
  const app = appFor({ program, version, width: terminal.width, debug, argv, onFailure });
  if (argv[0] === COMPLETE) {
    context.process.stdout.write(await complete(app, argv.slice(1), context));
    return EXIT.ok;
  }
  await run(app, separateShortFlags(argv), context);
  // A command may have judged before it failed.
  if (failed) return EXIT.failed;
  const code = Number(context.process.exitCode ?? EXIT.ok);
  return code < 0 ? EXIT.failed : code;
}
