import { isatty } from 'node:tty';

/**
 * Waits for the process to be asked to end: by SIGTERM or SIGINT, or because the terminal that it runs in is closed. A second time ends
 * it at once.
 */
export function untilAsked(): { readonly promise: Promise<void>; readonly signal: AbortSignal } {
  const controller = new AbortController();
  const promise = new Promise<void>((resolve) => {
    for (const name of signals()) {
      process.once(name, () => {
        controller.abort(new Error(`asked to end by ${name}`));
        resolve();
      });
    }
  });
  return { promise, signal: controller.signal };
}

/** What is to outlive its terminal (`nohup`) has none, and whoever listened would undo that SIGHUP is ignored. */
function signals(): readonly NodeJS.Signals[] {
  return [0, 1, 2].some(isatty) ? ['SIGTERM', 'SIGINT', 'SIGHUP'] : ['SIGTERM', 'SIGINT'];
}
