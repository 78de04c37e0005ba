/** A limit of time on something, joined with somebody else's wish to end it. */
export interface Deadline {
  readonly signal: AbortSignal;
  hasPassed(): boolean;
  cut(): void;
  /** Takes the limit of time away; the other's wish still counts. */
  lift(): void;
  /** It has ended: leaves nothing behind. */
  done(): void;
}

/** Begins a deadline. One listener and one timer, both gone after `done`: a signal that lives on gathers nothing. */
export function startDeadline(seconds: number, other?: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const cut = (): void => controller.abort();
  let passed = false;
  const timer = setTimeout(() => {
    passed = true;
    cut();
  }, seconds * 1000);
  other?.addEventListener('abort', cut);
  if (other?.aborted) cut();
  const lift = (): void => clearTimeout(timer);
  const done = (): void => {
    lift();
    other?.removeEventListener('abort', cut);
  };
  return { signal: controller.signal, hasPassed: () => passed, cut, lift, done };
}
