import type { Clock } from '../../controllers/ports.ts';

/** Resolves after so many seconds, or when the signal says to stop. */
export function sleep(clock: Clock, seconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.after(seconds, wake);
    signal.addEventListener('abort', wake);
  });
}
