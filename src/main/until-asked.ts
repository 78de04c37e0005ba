/** Waits for the process to be asked to end, by SIGTERM or SIGINT. A second one ends it at once. */
export function untilAsked(): { readonly promise: Promise<void>; readonly signal: AbortSignal } {
  const controller = new AbortController();
  const promise = new Promise<void>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.once(name, () => {
        controller.abort(new Error(`asked to end by ${name}`));
        resolve();
      });
    }
  });
  return { promise, signal: controller.signal };
}
