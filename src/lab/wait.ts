export interface WaitOptions {
  /** What is waited for, in words, for the error; a function where only the end knows. */
  readonly what: string | (() => string);
  readonly seconds?: number;
  readonly everyMs?: number;
}

/** Asks again and again until the answer is neither false nor undefined, and gives it. Rejects when it takes too long. */
export async function waitFor<T>(
  ask: () => T | false | undefined | Promise<T | false | undefined>,
  { what, seconds = 20, everyMs = 25 }: WaitOptions,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer;
    if (Date.now() > end) {
      throw new Error(`waited ${seconds}s in vain for ${typeof what === 'string' ? what : what()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
